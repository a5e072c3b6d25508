// npm leaves optional packages of other platforms out of the lockfile when the registry lacks them, and
// `npm ci` then refuses that lockfile (npm/cli#9846). This adds the missing entries, or with --check only looks.
import { readFileSync, writeFileSync } from 'node:fs'

type Entry = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Entry> }

const systems: Record<string, string> = {
  darwin: 'darwin',
  win32: 'win32',
  windows: 'win32',
  linux: 'linux',
  freebsd: 'freebsd',
  android: 'android',
  openharmony: 'openharmony',
}
const processors: Record<string, string> = {
  x64: 'x64',
  amd64: 'x64',
  arm64: 'arm64',
  arm: 'arm',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  wasm32: 'wasm32',
}

const file = new URL('../package-lock.json', import.meta.url)
const lock: Lock = JSON.parse(readFileSync(file, 'utf8'))
const missing = missingEntries(lock)

if (process.argv.includes('--check')) {
  if (missing.length > 0) {
    console.error(
      `package-lock.json lacks ${missing.length} optional packages, ${missing[0]?.[0]} first; run "npm run lock".`,
    )
    process.exit(1)
  }
} else {
  const packages = { ...lock.packages, ...Object.fromEntries(missing) }
  const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
  console.log(`package-lock.json: ${missing.length} entries added`)
}

function missingEntries({ packages }: Lock): [string, Entry][] {
  const found: [string, Entry][] = []
  for (const [at, entry] of Object.entries(packages))
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {}))
      if (!isLocked(packages, at, name))
        found.push([`node_modules/${name}`, platformEntry({ name, version, isDev: entry.dev === true })])
  return found
}

/** Node's own look-up: the package's folder first, then each folder above it. */
function isLocked(packages: Lock['packages'], at: string, name: string): boolean {
  for (let folder = at; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true
    if (folder === '') return false
  }
}

function platformEntry({ name, version, isDev }: { name: string; version: string; isDev: boolean }): Entry {
  if (!/^\d/.test(version))
    throw new Error(`${name} is asked for as a range (${version}); only an exact version can be completed.`)
  const words = name.split('/').at(-1)?.split('-') ?? []
  const os = words.map((word) => systems[word]).find((found) => found !== undefined)
  const cpu = words.map((word) => processors[word]).find((found) => found !== undefined)
  const isMusl = words.some((word) => word.startsWith('musl'))
  const isGlibc = os === 'linux' && words.some((word) => word.startsWith('gnu'))
  return {
    version,
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(isDev ? { dev: true } : {}),
    ...(isMusl ? { libc: ['musl'] } : isGlibc ? { libc: ['glibc'] } : {}),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
  }
}
