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

function addressesOf(...patterns: string[]): string[] {
  return globSync(patterns).map((file) => pathToFileURL(file).href)
}

describe('the processes of a run of all tests', () => {
  it('run every test once, but those that have a command of their own', () => {
    const files = addressesOf('{src,scripts,test}/**/*.test.ts')
    const others = new Set(addressesOf('test/{browser,cluster,faults,peers}/**/*.test.ts'))
    assert.deepEqual(processes.flat().toSorted(), files.filter((file) => !others.has(file)).toSorted())
  })

  it('are what the pattern finds', () => {
    assert.deepEqual(globSync(pattern ?? '').length, processes.length)
  })

  it('begin with the crash tests, which take longest, each by itself', () => {
    const crash = addressesOf('test/crash/*.test.ts')
    assert.deepEqual(processes.slice(0, crash.length).flat().toSorted(), crash.toSorted())
  })
})
