// Statements planted in and outside of the store, as oxlint itself finds them.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { queryExceptions, statementExceptions } from './layers.ts'
import { findingsOf } from './run-oxlint.ts'

const refused = [
  "pool.query('select 1')",
  "database.pool.query('select 1')",
  'tx.client.query(text)',
  'this.#pool.query(text)',
  'engineDatabase.planned.query({ name, text, values })',
  "database.query.selectFrom('monitors')",
  "reader.query.insertInto('monitors')",
  "tx.query.updateTable('monitors')",
  "builder.deleteFrom('monitors')",
  'open({ db: database.query })',
  'sql`now()`',
  "run('select now()')",
  'run("SELECT id FROM monitors")',
  'run(`\n  select id,\n    name\n  from monitors`)',
  'run(`select ${columns} from ${table}`)',
  "run('insert into monitors (id) values ($1)')",
  "run('update monitors set name = $1')",
  `run('update people."user" as p set name = $1')`,
  "run('UPDATE monitors SET name = $1')",
  "run('delete from monitors')",
  'run(`delete from ${table} where id = $1`)',
  "run('with due as (select 1) select')",
  "run('with recursive tree (id) as materialized (select 1) select')",
  "run('create unique index concurrently monitors_name on monitors (name)')",
  "run('alter table monitors add column note text')",
  "run('drop table monitors')",
  "run('truncate table monitors')",
  "run('lock table monitors in share mode')",
  "run('set local lock_timeout = 100')",
]

const allowed = [
  "context.req.query('workspace')",
  'operation.query',
  'request.query',
  'const { query } = request',
  "open('select')",
  "say('Select a monitor from the list.')",
  "say('Update your browser')",
  "say('select a location')",
  "say('with a comma as in (1,000)')",
  "say('Create a table of contents')",
  "say('delete everything from here')",
  "say('update the settings of a monitor')",
  "say('Set local time')",
  'say(`${count} from ${total}`)',
]

const freeFiles = ['src/store/money/a.ts', 'src/operations/a.test.ts', 'test/support/a.ts', 'web/src/parts/a.ts']

describe('perigee/store-sql', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lint-'))
  const planted = [...refused, ...allowed]
  let found = new Map<string, string[]>()
  before(() => {
    for (const [index, code] of planted.entries()) plant(`${index}/src/operations/a.ts`, code)
    for (const [index, code] of refused.entries()) for (const file of freeFiles) plant(`${index}/${file}`, code)
    for (const { file } of queryExceptions) {
      plant(`0/src/${file}`, 'open({ db: database.query })')
      plant(`1/src/${file}`, "run('delete from monitors')")
    }
    for (const { file } of statementExceptions) {
      plant(`0/src/${file}`, "run('delete from monitors')")
      plant(`1/src/${file}`, 'database.query')
    }
    found = findingsOf('store-sql', folder)
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const [index, code] of planted.entries())
    it(`${index < refused.length ? 'refuses' : 'allows'} ${code}`, () => {
      assert.equal(found.get(`${index}/src/operations/a.ts`) !== undefined, index < refused.length)
    })

  it('says what to do instead', () => {
    assert.match(found.get('0/src/operations/a.ts')?.join('\n') ?? '', /make this a function there/)
  })

  it('refuses nothing in the store, in tests and outside of src', () => {
    for (const file of freeFiles)
      for (const index of refused.keys()) assert.equal(found.get(`${index}/${file}`), undefined, file)
  })

  it('gives an exception the query builder, but no statements of its own', () => {
    for (const { file } of queryExceptions) {
      assert.equal(found.get(`0/src/${file}`), undefined)
      assert.notEqual(found.get(`1/src/${file}`), undefined)
    }
  })

  it('gives an exception statements of its own, but not our database', () => {
    for (const { file } of statementExceptions) {
      assert.equal(found.get(`0/src/${file}`), undefined)
      assert.notEqual(found.get(`1/src/${file}`), undefined)
    }
  })

  it('has exceptions for files that exist, each with a reason', () => {
    for (const { file, because } of [...queryExceptions, ...statementExceptions]) {
      assert.ok(existsSync(fileURLToPath(new URL(`../../src/${file}`, import.meta.url))), file)
      assert.ok(because.length > 20, file)
    }
  })

  function plant(file: string, code: string): void {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code.includes('#pool') ? `class A { #pool; a() { ${code} } }\n` : `${code}\n`)
  }
})
