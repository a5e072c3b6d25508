// Makes one program of the service's sources and libraries, for the many services that a run of all tests starts: the
// modules of which it is made take as long to load as everything else that a start does.
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
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { bundleProgram } from './bundle-program.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Here the program finds the libraries that cannot be bundled, and a second run its compiled code. */
const folder = join(root, 'node_modules', '.cache', 'perigee-service')
const keptMs = 24 * 3_600_000
const entries = {
  perigee: join(root, 'bin/perigee.js'),
  worker: join(root, 'src/prober/worker.ts'),
  'process-worker': join(root, 'src/prober/process-worker.ts'),
}
/** The modules that start the others. */
const starters = new Map([
  [join(root, 'src/prober/threads.ts'), 'worker'],
  [join(root, 'src/prober/prober-process.ts'), 'process-worker'],
])

/** Gives the path of the program. It is made anew only when a source or a library has changed. */
export async function bundleService(): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const made = join(folder, hashOfSources())
  if (existsSync(made)) utimesSync(made, new Date(), new Date())
  else await make(made)
  // Another run may still start what was made a while ago.
  for (const name of globSync('*', { cwd: folder })) {
    const path = join(folder, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && Date.now() - stats.mtimeMs > keptMs) rmSync(path, { recursive: true, force: true })
  }
  return join(made, 'perigee.mjs')
}

/** Takes its place when it is whole, unless another run was quicker. */
async function make(made: string): Promise<void> {
  const next = mkdtempSync(`${made}.`)
  try {
    await bundleProgram({ root, input: entries, outDir: next, plugin: ownPlaces })
    // Temporary folders are private; some tests start the service as another user.
    chmodSync(next, 0o755)
    renameSync(next, made)
  } catch (error) {
    if (!existsSync(made)) throw error
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

/**
 * A module goes on to find its files, migrations and threads where its source is. Only the probers' process and threads,
 * which begin with every service, run from the bundle too.
 */
const ownPlaces: Plugin = {
  name: 'own-places',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(join(root, 'src')) && id !== entries.perigee) return null
    const own = JSON.stringify(pathToFileURL(id).href)
    const started = starters.get(id)
    if (started === undefined) return { code: code.replaceAll('import.meta.url', own), map: null }
    const replaced = code.replace(
      `new URL('./${started}.ts', import.meta.url)`,
      `new URL('./${started}.mjs', import.meta.url)`,
    )
    if (replaced === code) throw new Error(`${id} no longer starts ./${started}.ts: change this file too.`)
    return { code: replaced, map: null }
  },
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const names = globSync(['src/**/*.ts', 'bin/*.js'], { cwd: root, exclude: ['**/*.test.ts'] }).toSorted()
  for (const name of [
    ...names,
    'package.json',
    'package-lock.json',
    'scripts/bundle-program.ts',
    'scripts/bundle-service.ts',
  ])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(root, name)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}
