// How a run of all tests is shared out: which files begin first, and which share a process.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Tests that need Debian's servers, several processes or packages of suites/ have commands of their own. */
const everyTest = [
  'src/**/*.test.ts',
  'scripts/{,citations/,mutants/,program/,release/,release/bill/,release/compare/,sdk/,supply/}*.test.ts',
  'site/*.test.ts',
  'test/*.test.ts',
  'test/{flow,money,simulation,start,support,trust}/**/*.test.ts',
]

/** Wait more than they work, so they begin in turns with those that only work, and the cores are never idle. */
const waiting = [
  'src/cli/role.test.ts',
  'src/engine/engine.test.ts',
  'src/store/embedded/embedded.test.ts',
  'src/engine/standstill.test.ts',
  'src/jobs/expiries/expiry.test.ts',
  'test/money/killed.test.ts',
  'src/engine/versions.test.ts',
  'src/jobs/maintenance.test.ts',
  'src/engine/passive.test.ts',
  'src/agents/issuer-keys.test.ts',
  'src/jobs/software/feeds.test.ts',
  'src/store/database/database-silent.test.ts',
  'src/jobs/index.test.ts',
  'src/console/live-routes.test.ts',
  'src/jobs/status-news.test.ts',
  'src/jobs/history.test.ts',
  'src/kinds/robustness-datagrams.test.ts',
  'src/kinds/robustness.test.ts',
  'test/start/failures.test.ts',
  'test/start/running.test.ts',
  'test/flow/agents.test.ts',
  'test/flow/watching.test.ts',
  'test/money/model.test.ts',
]

/** Measure what they do to their process, or change its environment. */
const apart = [
  'src/advisories/hostile-records.test.ts',
  'src/kinds/robustness-memory.test.ts',
  'src/manifests/hostile-manifests.test.ts',
]
/** Tests that call this change whom their process trusts; a connection of another test may settle that before. */
const changeOfTrust = 'setDefaultCACertificates('

/** Their tests take longest, so their parts begin first: none of them still runs when everything else is done. */
const slowest = ['operations', 'people', 'prober', 'jobs', 'engine', 'store', 'kinds', 'advisories']

/** Loading what they test takes as long as testing it. They leave their process as they found it. */
const sharing = ['src/**/*.test.ts', 'test/support/*.test.ts']
/** Each has a database, of which PostgreSQL serves all that run at the same time (`max_connections` in test.ts). */
const filesPerProcess = 24

/**
 * Writes what node's runner starts, a module for each process, into a new folder, and gives the pattern of their paths.
 * The runner takes them by name. From the folder of the project, where npm runs this.
 */
export function writeEntries(folder: string): string[] {
  const missing = [...waiting, ...apart].filter((file) => !existsSync(file))
  if (missing.length > 0)
    throw new Error(`scripts/test-entries.ts names tests that are not there: ${missing.join(', ')}`)
  mkdirSync(folder)
  for (const [index, files] of processes().entries()) {
    const [first = '', ...more] = files
    const name = `${first.replaceAll('/', '-')}${more.length > 0 ? `-and-${more.length}-more` : ''}`
    const imports = files.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)}\n`)
    writeFileSync(join(folder, `${String(index).padStart(4, '0')}-${name}.mjs`), imports.join(''))
  }
  return [join(folder, '*.mjs')]
}

function processes(): string[][] {
  const first = new Set(waiting)
  const others = globSync(everyTest)
    .toSorted()
    .filter((file) => !first.has(file))
  const shared = new Set(globSync(sharing).filter((file) => !apart.includes(file) && !changesTrust(file)))
  const layers = Map.groupBy(
    others.filter((file) => shared.has(file)),
    (file) => file.split('/')[1] ?? '',
  )
  const slow = slowest.flatMap((layer) => inParts(layers.get(layer) ?? []))
  // Layers of a few files share their processes, each of which would otherwise load the same again.
  const quick = [...layers].filter(([layer]) => !slowest.includes(layer)).flatMap(([, files]) => files)
  const together = [...slow, ...inOrder(quick)]
  const alone = others.filter((file) => !shared.has(file))
  return [...inTurns(each(waiting), together), ...each(alone)]
}

function changesTrust(file: string): boolean {
  return readFileSync(file, 'utf8').includes(changeOfTrust)
}

function each(files: readonly string[]): string[][] {
  return files.map((file) => [file])
}

/** Neighbours in different parts, because files of a folder take as long as one another. */
function inParts(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / filesPerProcess)
  return Array.from({ length: count }, (_, part) => files.filter((_file, index) => index % count === part))
}

/** Neighbours in the same part, because files of a folder load the same. */
function inOrder(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / filesPerProcess)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, part) => files.slice(part * size, (part + 1) * size))
}

function inTurns<T>(some: readonly T[], others: readonly T[]): T[] {
  const turns = Array.from({ length: Math.max(some.length, others.length) }, (_, index) => index)
  return turns.flatMap((index) => some.slice(index, index + 1).concat(others.slice(index, index + 1)))
}
