import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { readConsoleFiles } from './console-files.ts'
import { makePages } from './console-pages.ts'

const html =
  '<!doctype html>\n<html>\n  <head>\n    <script src="/console/assets/console.js"></script>\n  </head>\n</html>\n'
const manifest = {
  '_console.js': { file: 'assets/console.js' },
  '_frame.js': { file: 'assets/frame.js', imports: ['_console.js'] },
  '_parts.js': { file: 'assets/parts.js', imports: ['_console.js', '_frame.js'], css: ['assets/parts.css'] },
  'src/shell/shell.tsx': { file: 'assets/shell.js', imports: ['_frame.js'] },
  'src/pages/monitors/monitors.tsx': { file: 'assets/monitors.js', imports: ['_parts.js', '_gone.js'] },
  'src/pages/people/sign-in.tsx': { file: 'assets/sign-in.js', imports: ['_console.js'] },
}

describe('the page of an address', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-pages-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), html)
  for (const name of ['console', 'frame', 'parts', 'shell', 'monitors', 'sign-in'])
    writeFileSync(join(folder, 'assets', `${name}.js`), name)
  const namedAt = async (path: string): Promise<string[]> => {
    const files = await readConsoleFiles(folder)
    assert.ok(files !== null)
    const page = (await makePages(folder, files, '/console')).get(path)?.plain.toString() ?? ''
    return [...page.matchAll(/<link rel="modulepreload" crossorigin href="\/console\/assets\/(.+)\.js">/g)].map(
      ([, name = '']) => name,
    )
  }

  it('is that of every address where the build says nothing of its files', async () => {
    assert.deepEqual(await namedAt('/monitors'), [])
  })

  it('names the scripts of the frame and of what is shown there, each once, and none that it has already', async () => {
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
    assert.deepEqual(await namedAt('/monitors'), ['shell', 'frame', 'monitors', 'parts'])
    assert.deepEqual(await namedAt('/'), await namedAt('/monitors'))
  })

  it('names no frame where a person is not signed in yet', async () => {
    assert.deepEqual(await namedAt('/sign-in'), ['sign-in'])
  })

  it('has what every page waits for asked at once', async () => {
    const files = (await readConsoleFiles(folder)) ?? assert.fail('no files')
    for (const path of ['/monitors', '/sign-in']) {
      const page = (await makePages(folder, files, '/console')).get(path)?.plain.toString() ?? ''
      const asked = [...page.matchAll(/<link rel="preload" as="fetch" crossorigin href="(.+)">/g)].map(([, of]) => of)
      assert.deepEqual(asked, ['/auth/get-session', '/console/settings.json'])
    }
  })

  it('names no file that is not there', async () => {
    rmSync(join(folder, 'assets', 'parts.js'))
    assert.deepEqual(await namedAt('/monitors'), ['shell', 'frame', 'monitors'])
  })
})
