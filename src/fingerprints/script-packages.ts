import { productKey } from '#core/software/software-name.ts'
import { type Detection, cleanVersion } from './detection.ts'
import { libraryRules } from './library-rules.ts'

/**
 * Reads the addresses of scripts and style sheets: those of delivery networks name package and version exactly, file
 * names often do.
 */
export function readAssets(assets: readonly URL[]): Detection[] {
  return assets.flatMap((asset) => {
    const found = networkPackage(asset) ?? libraryFile(asset)
    return found === null ? [] : [{ ...found, evidence: `address of ${asset.origin}${asset.pathname}`.slice(0, 300) }]
  })
}

type Package = Pick<Detection, 'product' | 'version'>

const npmPath = /^(?:\/npm)?\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})@v?(\d[\w.+-]{0,60})(?:\/|$)/
const namedPath = /^\/(?:ajax\/libs|libs|npm)\/([\w.-]{1,100})\/(\d[\w.+-]{0,60})\//
const npmNetworks = new Set(['cdn.jsdelivr.net', 'unpkg.com', 'esm.sh', 'cdn.skypack.dev', 'esm.run', 'ga.jspm.io'])
const namedNetworks = new Set(['cdnjs.cloudflare.com', 'ajax.googleapis.com', 'lib.baomitu.com', 'cdn.bootcdn.net'])
const codeNetworks = new Set(['code.jquery.com', 'stackpath.bootstrapcdn.com', 'maxcdn.bootstrapcdn.com'])

/** Names at cdnjs and other networks that npm spells differently. */
const npmNames: Readonly<Record<string, string>> = {
  'twitter-bootstrap': 'bootstrap',
  'angular.js': 'angular',
  angularjs: 'angular',
  jqueryui: 'jquery-ui',
  'jqueryui-browser': 'jquery-ui',
  'moment.js': 'moment',
  'lodash.js': 'lodash',
  'underscore.js': 'underscore',
  'backbone.js': 'backbone',
  'handlebars.js': 'handlebars',
  'three.js': 'three',
  'Chart.js': 'chart.js',
  'socket.io': 'socket.io-client',
  'ember.js': 'ember-source',
}

function networkPackage({ hostname, pathname }: URL): Package | null {
  if (npmNetworks.has(hostname)) return packageOf(npmPath.exec(pathname))
  if (namedNetworks.has(hostname)) return packageOf(namedPath.exec(pathname))
  if (!codeNetworks.has(hostname)) return null
  const bootstrap = /^\/(?:twitter-)?bootstrap\/(\d[\w.]{0,20})\//.exec(pathname)
  if (bootstrap !== null) return { product: 'npm:bootstrap', version: cleanVersion(bootstrap[1]) }
  const jquery = /^\/(?:(ui)\/(\d[\w.]{0,20})\/|jquery-(\d[\w.]{0,20}?)(?:\.slim)?(?:\.min)?\.js$)/.exec(pathname)
  if (jquery === null) return null
  return { product: jquery[1] === 'ui' ? 'npm:jquery-ui' : 'npm:jquery', version: cleanVersion(jquery[2] ?? jquery[3]) }
}

function packageOf(match: RegExpExecArray | null): Package | null {
  const [, name, version] = match ?? []
  if (name === undefined) return null
  const product = productKey('npm', Object.hasOwn(npmNames, name) ? (npmNames[name] ?? name) : name)
  return product === null ? null : { product, version: cleanVersion(version) }
}

function libraryFile({ pathname, searchParams }: URL): Package | null {
  for (const { name, addresses } of libraryRules)
    for (const pattern of addresses) {
      const version = pattern.exec(pathname)?.[1]
      if (version !== undefined) return { product: `npm:${name}`, version: cleanVersion(version) }
    }
  // WordPress and others put a version after the file name, but often their own: only for jQuery's own file is it
  // certain.
  const isJquery = /\/jquery(?:\.min)?\.js$/.test(pathname)
  return isJquery ? { product: 'npm:jquery', version: cleanVersion(searchParams.get('ver') ?? undefined) } : null
}
