// The files of Perigee as every artefact has them: the service as plain JavaScript, because Node strips no types below
// node_modules, and beside it what it reads at run time, at the places where the sources have it.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { bundleProgram } from '../bundle-program.ts'
import { type Entry, entriesBelow, fileEntry, modes, moved, under } from './entries.ts'
import { release, root } from './release-facts.ts'

/**
 * Threads, the process of the probers, and what a module requires when it is needed have a program of their own, named by
 * its layer and file.
 */
const ownPrograms = globSync(['src/**/*-worker.ts', 'src/prober/worker.ts', 'src/kinds/web/expectation-compiler.ts'], {
  cwd: root,
}).toSorted()
const programs: Readonly<Record<string, string>> = {
  perigee: 'src/cli/main.ts',
  'nats-users': 'scripts/nats-users.ts',
  ...Object.fromEntries(ownPrograms.map((path) => [programName(path), path])),
}
const readAtRunTime = ['src/store/migrations/*.sql', 'src/agents/auth.md', 'src/api-document/skills/*.md']
const licences = 'THIRD-PARTY-LICENSES.md'

/** All but the libraries with native code, for which `packageJson` asks. */
export async function programEntries(packageJson: object): Promise<Entry[]> {
  buildConsole()
  return [
    ...(await bundledEntries()),
    fileEntry('bin/perigee.js', readFileSync(join(root, 'scripts/release/perigee.js')), modes.program),
    fileEntry('package.json', `${JSON.stringify(packageJson, null, 2)}\n`),
    fileEntry('LICENSE', readFileSync(join(root, 'LICENSE'))),
    ...globSync(readAtRunTime, { cwd: root }).map((path) => fileEntry(path, readFileSync(join(root, path)))),
    ...under(
      'web/dist',
      entriesBelow(join(root, 'web/dist'), (path) => path !== 'sources.txt'),
    ),
  ]
}

/** What a package.json of an artefact has in common. */
export function packageFacts(): object {
  const { name, version, description, license } = release
  return { name, version, description, license, type: 'module', bin: { perigee: 'bin/perigee.js' } }
}

function buildConsole(): void {
  execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: root, stdio: 'inherit' })
}

async function bundledEntries(): Promise<Entry[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-release-'))
  try {
    const input = Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(root, path)]))
    await bundleProgram({ root, input, outDir: folder, plugin: placesInRelease, licences })
    return entriesBelow(folder).map((entry) => (entry.path === licences ? entry : moved(entry, `dist/${entry.path}`)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A module of the bundle finds its files as if it were still where its source was: dist/ lies beside src/. */
const placesInRelease: Plugin = {
  name: 'places-in-release',
  enforce: 'pre',
  transform(code, id) {
    const path = relative(root, id)
    if (!/^(?:src|scripts)\//.test(path) || !code.includes('import.meta.url')) return null
    const own = `new URL(${JSON.stringify(`../${path}`)}, import.meta.url).href`
    const replaced = code
      .split(/(new URL\('\.\/[\w-]+\.ts', import\.meta\.url\))/)
      .map((part) =>
        part.startsWith("new URL('./") ? programUrl(part, path) : part.replaceAll('import.meta.url', own),
      )
    return { code: replaced.join(''), map: null }
  },
}

function programUrl(expression: string, from: string): string {
  const path = join(from, '..', /'\.\/([\w-]+\.ts)'/.exec(expression)?.[1] ?? '')
  if (!ownPrograms.includes(path)) throw new Error(`${from} names ${path}, which is no program of the release.`)
  return `new URL('./${programName(path)}.mjs', import.meta.url)`
}

function programName(path: string): string {
  return `${path.split('/')[1]}-${basename(path, '.ts')}`
}
