import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { freshProgram, recordPath, stampSources } from './fresh.ts'

describe('the program that was made of the sources', () => {
  const changes: Readonly<Record<string, (root: string) => void>> = {
    'a source was changed': (root) => write(root, 'src/cli/main.ts', 'other'),
    'a source of the same length was written at another time': (root) => {
      utimesSync(join(root, 'src/cli/main.ts'), new Date(0), new Date(0))
    },
    'a source was added': (root) => write(root, 'src/core/new.ts', ''),
    'a source was removed': (root) => rmSync(join(root, 'src/core/kept.ts')),
    'other libraries are wanted': (root) => write(root, 'package-lock.json', '{ }'),
    'it was removed': (root) => rmSync(join(root, 'made.mjs')),
    'its record cannot be read': (root) => write(root, recordPath, '{'),
    'nothing was made': (root) => rmSync(join(root, recordPath)),
  }

  it('is found while they are the same', () => {
    const root = project()
    assert.equal(freshProgram(root), pathToFileURL(join(root, 'made.mjs')).href)
  })

  it('is found where only a test was changed', () => {
    const root = project()
    write(root, 'src/core/kept.test.ts', 'changed')
    assert.notEqual(freshProgram(root), null)
  })

  for (const [what, change] of Object.entries(changes))
    it(`is not run where ${what}`, () => {
      const root = project()
      change(root)
      assert.equal(freshProgram(root), null)
    })
})

function project(): string {
  const root = mkdtempSync(join(tmpdir(), 'perigee-fresh-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const files = { 'src/cli/main.ts': 'first', 'src/core/kept.ts': '', 'src/core/kept.test.ts': '', 'made.mjs': '' }
  for (const [path, text] of Object.entries({ ...files, 'package-lock.json': '{}' })) write(root, path, text)
  write(root, recordPath, JSON.stringify({ program: 'made.mjs', sources: stampSources(root) }))
  return root
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
