import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testDatabase } from '../../test/support/database.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { StartError } from './start-error.ts'

/** The template has the first migration already. */
const first = { '0001-spine.sql': '-- compatible_from: 1\nselect 1;' }
const two = { '0002-two.sql': '-- compatible_from: 1\ncreate table two (id integer);' }

describe('migrate', () => {
  it('applies what is missing, once', async () => {
    const database = await testDatabase()
    const folder = migrations({
      ...first,
      ...two,
      '0003-three.sql': '-- compatible_from: 2\ncreate table three (id integer);',
    })
    assert.equal(await migrate(database, { folder }), 2)
    assert.equal(await migrate(database, { folder }), 0)
    const { rows } = await database.pool.query(
      'select number, name, compatible_from from schema_migrations where number > 1 order by number',
    )
    assert.deepEqual(rows, [
      { number: 2, name: 'two', compatible_from: 1 },
      { number: 3, name: 'three', compatible_from: 2 },
    ])
  })

  it('applies each migration once when several processes start together', async () => {
    const database = await testDatabase({ maxConnections: 10 })
    const folder = migrations({ ...first, ...two })
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database, { folder })))
    assert.equal(
      applied.reduce((sum, count) => sum + count, 0),
      1,
    )
  })

  it('rolls a failing migration back, names its file and keeps the ones before', async () => {
    const database = await testDatabase()
    const broken = {
      '0003-broken.sql': '-- compatible_from: 1\ncreate table half (id integer);\nselect no_such_function();',
    }
    const error = await startErrorOf(migrate(database, { folder: migrations({ ...first, ...two, ...broken }) }))
    assert.match(error.message, /^The migration 0003-broken\.sql failed and was rolled back: .*no_such_function/)
    assert.deepEqual(await tables(database, ['two', 'half']), ['two'])
    const folder = migrations({
      ...first,
      ...two,
      '0003-mended.sql': '-- compatible_from: 1\ncreate table half (id integer);',
    })
    assert.equal(await migrate(database, { folder }), 1)
  })

  it('accepts a newer schema that this release can work with', async () => {
    const database = await testDatabase()
    await migrate(database, { folder: migrations({ ...first, ...two }) })
    assert.equal(await migrate(database, { folder: migrations(first) }), 0)
  })

  it('refuses a newer schema that this release cannot work with', async () => {
    const database = await testDatabase()
    await migrate(database, {
      folder: migrations({ ...first, '0002-two.sql': '-- compatible_from: 2\ncreate table two (id integer);' }),
    })
    const error = await startErrorOf(migrate(database, { folder: migrations(first) }))
    assert.equal(
      error.message,
      'The database was upgraded by a newer release: it needs schema 2, this release knows 1. Start that release or a later one.',
    )
  })

  it('waits for another process no longer than its deadline', async () => {
    const database = await testDatabase()
    await database.transaction(async ({ client }) => {
      await client.query('select pg_advisory_xact_lock(7305017211)')
      const error = await startErrorOf(migrate(database, { lockTimeoutMs: 100 }))
      assert.match(error.message, /^Another process has been changing the schema/)
    })
    assert.equal(await migrate(database), 0)
  })

  it('refuses a file without number or compatibility, before it touches the database', async () => {
    const database = await testDatabase()
    for (const wrong of [
      { 'two.sql': '-- compatible_from: 1\n' },
      { '0002-two.sql': 'create table two (id integer);' },
    ])
      await assert.rejects(migrate(database, { folder: migrations({ ...first, ...wrong }) }), /lacks its number/)
    assert.deepEqual(await tables(database, ['two']), [])
  })
})

function migrations(files: Record<string, string>): URL {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-migrations-'))
  after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return pathToFileURL(`${folder}/`)
}

async function startErrorOf(work: Promise<unknown>): Promise<StartError> {
  const error = await work.then(
    () => assert.fail('did not fail'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof StartError, String(error))
  assert.ok(!error.message.includes('\n'))
  return error
}

async function tables(database: Database, names: string[]): Promise<string[]> {
  const { rows } = await database.pool.query<{ tablename: string }>(
    'select tablename from pg_tables where tablename = any($1) order by 1',
    [names],
  )
  return rows.map(({ tablename }) => tablename)
}
