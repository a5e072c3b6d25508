import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { writeEntries } from './test-entries.ts'

const parent = mkdtempSync(join(tmpdir(), 'entries-'))
after(() => rmSync(parent, { recursive: true }))
const folder = join(parent, 'entries')
const [pattern] = writeEntries(folder)
const processes = readdirSync(folder)
  .toSorted()
  .map((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^import "(.+)"$/gm)].map(([, file = '']) => file),
  )

function changesTrust(file: string): boolean {
  return readFileSync(new URL(file), 'utf8').includes('setDefaultCACertificates')
}

function addressesOf(...patterns: string[]): string[] {
  return globSync(patterns).map((file) => pathToFileURL(file).href)
}

describe('the processes of a run of all tests', () => {
  it('run every test once, but those that have a command of their own', () => {
    const files = addressesOf('{src,scripts,test}/**/*.test.ts', 'site/*.test.ts')
    const others = new Set(
      addressesOf('test/{browser,cluster,docs,faults,peers,references}/**/*.test.ts', 'scripts/lint/*.test.ts'),
    )
    assert.deepEqual(processes.flat().toSorted(), files.filter((file) => !others.has(file)).toSorted())
  })

  it('are shared by no test that changes whom its process trusts', () => {
    const files = processes.flat().filter((file) => !file.endsWith('/test-entries.test.ts') && changesTrust(file))
    assert.ok(files.length >= 8)
    for (const file of files)
      assert.ok(
        processes.some((alone) => alone.length === 1 && alone[0] === file),
        file,
      )
  })

  it('are what the pattern finds', () => {
    assert.deepEqual(globSync(pattern ?? '').length, processes.length)
  })
})
