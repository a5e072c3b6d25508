import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compile } from '../../scripts/sdk/build.ts'
import { sdkEntries } from '../../scripts/release/sdk-package.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A project that has installed the packed SDK, with its examples, its stories and the pieces of its documentation, all of
 * which the strict compiler takes.
 * Removed when the test is done.
 */
export function sdkProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-sdk-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const entry of sdkEntries()) {
    if (entry.type !== 'file') continue
    const file = join(folder, 'node_modules', '@perigee', 'sdk', entry.path.replace(/^package\//, ''))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, entry.bytes)
  }
  symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'))
  cpSync(join(root, 'sdk', 'examples'), join(folder, 'examples'), { recursive: true })
  writeFileSync(join(folder, 'stories.ts'), readFileSync(join(root, 'sdk', 'stories.ts')))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'around.d.ts'), aroundPieces)
  for (const page of ['docs/sdk.md', 'sdk/README.md'])
    for (const [at, piece] of piecesOf(readFileSync(join(root, page), 'utf8')).entries())
      writeFileSync(join(folder, `${page.replaceAll('/', '-')}-${at}.ts`), `${piece}\nexport {}\n`)
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    // The declarations of the SDK are checked too.
    skipLibCheck: false,
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'examples'] }))
  compile(folder)
  return folder
}

/** What the pieces of the documentation take for granted. */
const aroundPieces = `import type { MonitorInput, Perigee } from '@perigee/sdk'
declare global {
  const perigee: Perigee
  const monitor: MonitorInput
  const id: string
  const request: Request
}
`

function piecesOf(page: string): string[] {
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
}
