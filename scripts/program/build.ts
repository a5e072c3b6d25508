// Makes one program of the service's sources and libraries: `npm ci` and `npm start` do, and the runs that start many
// services. The modules of which it is made take as long to load as everything else that a start does, and more memory.
//
//   node scripts/program/build.ts
//
// Where it cannot be made, the sources are what runs.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from './bundle.ts'
import { type Built, freshProgram, programFolder, recordPath, stampSources } from './fresh.ts'
import { placesInBundle, programsOf } from './places.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Below node_modules, where it finds the libraries that cannot be bundled. */
const folder = join(root, programFolder)
const toRoot = '../../../../'
/** A service loads some of its program long after its start. */
const keptMs = 24 * 3_600_000
const keptPrograms = 5

/** It is made anew only when a source or a library has changed. `freshProgram` finds it. */
export async function buildProgram(): Promise<void> {
  if (freshProgram(root) !== null) return
  mkdirSync(folder, { recursive: true })
  // Before the sources are read: what changes meanwhile makes the program an old one.
  const sources = stampSources(root)
  const name = hashOfSources()
  const made = join(folder, name)
  if (existsSync(made)) utimesSync(made, new Date(), new Date())
  else await make(made)
  removeOld()
  const built: Built = { program: `${programFolder}/${name}/perigee.mjs`, sources }
  const next = join(root, `${recordPath}.${process.pid}`)
  writeFileSync(next, JSON.stringify(built))
  renameSync(next, join(root, recordPath))
}

/** Takes its place when it is whole, unless another run was quicker. */
async function make(made: string): Promise<void> {
  const next = mkdtempSync(`${made}.`)
  try {
    await bundleProgram({ root, input: programsOf(root), outDir: next, plugin: placesInBundle(root, toRoot) })
    // Temporary folders are private; the service may run as another user than the one who installed it.
    chmodSync(next, 0o755)
    renameSync(next, made)
  } catch (error) {
    if (!existsSync(made)) throw error
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

function removeOld(): void {
  const byAge = globSync('*/', { cwd: folder })
    .map((name) => join(folder, name))
    // Another run may have removed it.
    .map((path) => ({ path, changedMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.changedMs - a.changedMs)
  for (const { path, changedMs } of byAge.slice(keptPrograms))
    if (Date.now() - changedMs > keptMs) rmSync(path, { recursive: true, force: true })
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const names = globSync(['src/**/*.ts', 'scripts/program/*.ts'], { cwd: root, exclude: ['**/*.test.ts'] })
  for (const name of [...names.toSorted(), 'package.json', 'package-lock.json'])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

if (import.meta.main && existsSync(join(root, 'node_modules/vite/package.json')))
  await buildProgram().catch((error: unknown) =>
    console.error(`The sources run in place of one program: ${String(error)}`),
  )
