// The files of Perigee as every artefact has them: the service as plain JavaScript, because Node strips no types below
// node_modules, and beside it what it reads at run time, at the places where the sources have it.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProgram } from '../program/bundle.ts'
import { placesInBundle, programsOf } from '../program/places.ts'
import { type Entry, entriesBelow, fileEntry, modes, moved, under } from './entries.ts'
import { release, root } from './release-facts.ts'

const programs: Readonly<Record<string, string>> = {
  ...programsOf(root),
  'nats-users': join(root, 'scripts/nats-users.ts'),
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
    // dist/ lies beside src/.
    const plugin = placesInBundle(root, '../')
    await bundleProgram({ root, input: programs, outDir: folder, plugin, licences })
    return entriesBelow(folder).map((entry) => (entry.path === licences ? entry : moved(entry, `dist/${entry.path}`)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
