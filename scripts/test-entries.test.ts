import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { writeEntries } from './test-entries.ts'

const parent = mkdtempSync(join(tmpdir(), 'entries-'))
after(() => rmSync(parent, { recursive: true }))
const folder = join(parent, 'entries')
const [pattern] = writeEntries(folder)
const sources = new URL('../src/', import.meta.url).href
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

/** The specifiers of the modules that a module imports when it is loaded. */
function loadedBy(file: string): string[] {
  const text = readFileSync(new URL(file), 'utf8')
  const statements = text.matchAll(
    /^(?:import (?!type\b)(?:[\w{*][^'=(]* from )?|export (?:\*|\{[^}]*\}) from )'([^'\n]+)'$/gm,
  )
  return Array.from(statements, ([, specifier = '']) => specifier)
}

/** The packages that modules load, each with one that does; modules of `src` and beside are followed. */
function packagesOf(files: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  const seen = new Set(files)
  for (const file of seen)
    for (const specifier of loadedBy(file)) {
      const own = specifier.replace(/^#/, sources)
      if (/^\.|^file:/.test(own)) {
        const { href } = new URL(own, file)
        // The text that a generator writes may have imports of modules that are not here.
        if (own.endsWith('.ts') && existsSync(new URL(href))) seen.add(href)
      } else if (!own.startsWith('node:')) found.set(own.split('/', own.startsWith('@') ? 2 : 1).join('/'), file)
    }
  return found
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

  it('load only what npm installs with the product, because nothing of suites/ may be there yet', () => {
    const { dependencies, devDependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()), devDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const installed = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
    const loaded = packagesOf(processes.flat())
    assert.ok(loaded.has('zod') && loaded.has('fast-check'))
    assert.deepEqual(
      [...loaded].filter(([name]) => !installed.has(name)),
      [],
    )
  })

  it('are what the pattern finds', () => {
    assert.deepEqual(globSync(pattern ?? '').length, processes.length)
  })
})
