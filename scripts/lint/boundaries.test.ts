// A forbidden import planted in each layer, as oxlint itself finds it.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { exceptions, type Layer, layers } from './layers.ts'
import { layersTable, rowsIn, withLayersTable } from './layers-table.ts'
import { findingsOf } from './run-oxlint.ts'

interface Case {
  name: string
  file: string
  code: string
  /** Null where it is allowed. */
  refusal: RegExp | null
}

const names = Object.keys(layers)

const cases: readonly Case[] = [
  ...Object.entries(layers).flatMap(([name, layer]) => casesOf(name, layer)),
  { name: 'a folder that is no layer', file: 'misc/a.ts', code: "import './b.ts'", refusal: /is no layer/ },
  { name: 'a file of its own room', file: 'store/money/a.ts', code: "import { b } from './b.ts'", refusal: null },
  { name: 'a way up', file: 'store/money/a.ts', code: "import { b } from '../people/b.ts'", refusal: /by alias/ },
  {
    name: 'a test, which may reach everything',
    file: 'core/a.test.ts',
    code: "import '../../test/b.ts'",
    refusal: null,
  },
  {
    name: 'a value behind import()',
    file: 'core/a.ts',
    code: "export const a = import('#store/b.ts')",
    refusal: /not store/,
  },
  {
    name: 'a type behind import()',
    file: 'core/a.ts',
    code: "export type A = import('#net/b.ts').B",
    refusal: /not net/,
  },
  { name: 'what it passes on', file: 'core/a.ts', code: "export * from '#net/b.ts'", refusal: /not net/ },
  { name: 'names that it passes on', file: 'core/a.ts', code: "export { b } from 'pg'", refusal: /not pg/ },
  { name: 'a socket', file: 'contacts/a.ts', code: "import { connect } from 'node:net'", refusal: /node:net/ },
]

describe('perigee/boundaries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lint-'))
  let found = new Map<string, string[]>()
  before(() => {
    for (const [index, { file, code }] of cases.entries()) {
      const path = join(folder, pathOf(index, file))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${code}\n`)
    }
    found = findingsOf('boundaries', folder)
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const [index, { name, file, refusal }] of cases.entries())
    it(`${refusal === null ? 'allows' : 'refuses'} ${name}`, () => {
      const messages = found.get(pathOf(index, file))
      if (refusal === null) assert.equal(messages, undefined)
      else assert.match(messages?.join('\n') ?? '', refusal)
    })
})

describe('the table of layers', () => {
  for (const [name, { imports, types = [] }] of Object.entries(layers))
    it(`${name} imports only layers that stand below it`, () => {
      for (const other of [...imports, ...types]) assert.ok(names.indexOf(other) > names.indexOf(name), other)
    })
  it('is the one that ARCHITECTURE.md shows (npm run layers)', () => {
    const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8')
    assert.deepEqual(rowsIn(text), rowsIn(withLayersTable(text, layersTable(layers))))
  })
  it('gives each exception to a file of a layer, with a reason', () => {
    for (const { file, because } of exceptions) {
      assert.ok(names.includes(file.split('/')[0] ?? ''), file)
      assert.ok(because.length > 20, file)
    }
  })
})

/** Each layer takes a value of one it may import, and is refused one of each that it may not, and a package. */
function casesOf(name: string, { imports, types = [] }: Layer): Case[] {
  const allowed = imports.map((other) => {
    return { name: `${other} in ${name}`, file: `${name}/a.ts`, code: importOf(other), refusal: null }
  })
  const onlyTypes = types.flatMap((other) => [
    { name: `types of ${other} in ${name}`, file: `${name}/a.ts`, code: importOf(other, 'type '), refusal: null },
    { name: `values of ${other} in ${name}`, file: `${name}/a.ts`, code: importOf(other), refusal: /only types/ },
  ])
  const refused = names
    .filter((other) => other !== name && !imports.includes(other) && !types.includes(other))
    .map((other) => {
      return { name: `${other} in ${name}`, file: `${name}/a.ts`, code: importOf(other), refusal: /may import/ }
    })
  const code = "import express from 'express'; express()"
  return [
    ...allowed,
    ...onlyTypes,
    ...refused,
    { name: `a package in ${name}`, file: `${name}/a.ts`, code, refusal: /not express/ },
  ]
}

function importOf(layer: string, kind = ''): string {
  return `import ${kind}{ b } from '#${layer}/b.ts'; export ${kind === '' ? '' : 'type '}{ b }`
}

function pathOf(index: number, file: string): string {
  return join(String(index), 'src', file)
}
