import type { Net } from '#net/net.ts'
import { type Detection, cleanVersion, mergeDetections } from './detection.ts'
import { type PageSight } from './page-sight.ts'
import { readScript } from './page-software.ts'
import { lookAtPage } from './page-thread.ts'
import { type Site, deadline, openSite, requestOf, textOf } from './site.ts'
import { productKey } from '#core/software/software-name.ts'
import { readPartFile } from './wordpress.ts'

export type ScanTarget = {
  url: URL
  /** The headers that the monitor sends with its checks. */
  headers: Readonly<Record<string, string>>
}

/** `problem` is a sentence for people. */
export type ScanOutcome = { type: 'scanned'; software: Detection[] } | { type: 'failed'; problem: string }

const maxPageBytes = 1024 * 1024
const maxFileBytes = 32 * 1024
/** Number of requests beside that for the page itself. */
const maxRequests = 14
const maxScripts = 5
const maxParts = 6
const scanTimeoutMs = 60_000

/**
 * Fetches a website as a visitor's browser would, and a few files that it names: at most 15 requests within a minute.
 * Only software that names itself is found.
 */
export async function scanWebsite(
  { url, headers }: ScanTarget,
  { http }: Pick<Net, 'http'>,
  stop: AbortSignal,
): Promise<ScanOutcome> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(scanTimeoutMs)])
  const outcome = await http(requestOf(url, { headers, maxBytes: maxPageBytes }), deadline(signal))
  if (!outcome.ok) return { type: 'failed', problem: outcome.failure.message }
  const { status, finalUrl, headers: shown } = outcome.answer
  // Such an answer often comes from a stand-in, and would overwrite what is known of the site itself.
  if (status === 429 || status >= 500)
    return { type: 'failed', problem: `The website answered with HTTP status ${status}.` }
  const looked = await lookAtPage({ url: finalUrl, status, headers: shown, body: textOf(outcome.answer) }, signal)
  if (looked.type === 'given up')
    return {
      type: 'failed',
      problem: `The page takes too ${looked.why === 'memory' ? 'much memory' : 'long'} to read.`,
    }
  const site = openSite({ http, headers, origin: url.origin, signal, maxRequests })
  const page = { ...looked.answer, url: new URL(finalUrl) }
  const more = [...(await askWordPress(site, page)), ...(await askParts(site, page)), ...(await askScripts(site, page))]
  return { type: 'scanned', software: mergeDetections([...page.software, ...more]) }
}

type SeenPage = PageSight & { url: URL }

/** WordPress names its version in its feed where the page does not. */
async function askWordPress(site: Site, page: SeenPage): Promise<Detection[]> {
  const core = page.software.find(({ product }) => product === 'wordpress')
  if (core === undefined || core.version !== null) return []
  const feed = await site.guess(new URL('feed/', ownRoot(page, page.parts[0]?.root)), maxFileBytes)
  const version = cleanVersion(
    /<generator>https?:\/\/wordpress\.org\/\?v=([\d.]+)<\/generator>/.exec(feed?.text ?? '')?.[1],
  )
  return version === null ? [] : [{ product: 'wordpress', version, evidence: 'generator of the feed' }]
}

/** Plugins and themes whose files carry no version state it in a file of their own. */
async function askParts(site: Site, page: SeenPage): Promise<Detection[]> {
  const versions = new Map(page.software.map(({ product, version }) => [product, version]))
  const unknown = page.parts.filter(({ ecosystem, slug }) => {
    const product = productKey(ecosystem, slug)
    return product !== null && versions.get(product) === null
  })
  const found: Detection[] = []
  for (const { ecosystem, slug, root } of unknown.slice(0, maxParts)) {
    const isPlugin = ecosystem === 'wp-plugin'
    const path = `wp-content/${isPlugin ? 'plugins' : 'themes'}/${slug}/${isPlugin ? 'readme.txt' : 'style.css'}`
    const file = await site.guess(new URL(path, ownRoot(page, root)), maxFileBytes)
    const version = file?.answer.status === 200 ? readPartFile(ecosystem, file.text) : null
    const product = productKey(ecosystem, slug)
    if (version !== null && product !== null) found.push({ product, version, evidence: `file ${path}` })
  }
  return found
}

/**
 * The root of WordPress on the website itself: a scan must not request further files from another host that a page
 * names.
 */
function ownRoot({ url }: SeenPage, address: string | undefined): URL {
  const root = address === undefined ? null : new URL(address)
  return root?.origin === url.origin ? root : new URL('/', url.origin)
}

/** Scripts of the site itself whose addresses show no version: libraries name themselves at the top of the file. */
async function askScripts(site: Site, { silentScripts }: SeenPage): Promise<Detection[]> {
  const found: Detection[] = []
  for (const script of silentScripts.slice(0, maxScripts).map((address) => new URL(address))) {
    const file = await site.get(script, maxFileBytes)
    if (file?.answer.status === 200) found.push(...readScript(script, file.text))
  }
  return found
}
