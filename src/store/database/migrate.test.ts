import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testDatabase } from '../../../test/support/database.ts'
import type { Database } from './database.ts'
import { assertMigrated, migrate } from './migrate.ts'
import { StartError } from './start-error.ts'

/** The template has the first migration already, and all that came after it: what the tests add is numbered from 9002. */
const first = { '0001-spine.sql': '-- compatible_from: 1\nselect 1;' }
const two = { '9002-two.sql': '-- compatible_from: 1\ncreate table two (id integer);' }

describe('migrate', () => {
  it('applies what is missing, once', async () => {
    const database = await testDatabase()
    const folder = migrations({
      ...first,
      ...two,
      '9003-three.sql': '-- compatible_from: 9002\ncreate table three (id integer);',
    })
    assert.equal(await migrate(database, { folder }), 2)
    assert.equal(await migrate(database, { folder }), 0)
    const { rows } = await database.pool.query(
      'select number, name, compatible_from from schema_migrations where number > 9000 order by number',
    )
    assert.deepEqual(rows, [
      { number: 9002, name: 'two', compatible_from: 1 },
      { number: 9003, name: 'three', compatible_from: 9002 },
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
      '9003-broken.sql': '-- compatible_from: 1\ncreate table half (id integer);\nselect no_such_function();',
    }
    const error = await startErrorOf(migrate(database, { folder: migrations({ ...first, ...two, ...broken }) }))
    assert.match(error.message, /^The migration 9003-broken\.sql failed and was rolled back: .*no_such_function/)
    assert.deepEqual(await tables(database, ['two', 'half']), ['two'])
    const folder = migrations({
      ...first,
      ...two,
      '9003-mended.sql': '-- compatible_from: 1\ncreate table half (id integer);',
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
      folder: migrations({ ...first, '9002-two.sql': '-- compatible_from: 9002\ncreate table two (id integer);' }),
    })
    const error = await startErrorOf(migrate(database, { folder: migrations(first) }))
    assert.equal(
      error.message,
      'The database was upgraded by a newer release: it needs schema 9002, this release knows 1. Start that release or a later one.',
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
      { '9002-two.sql': 'create table two (id integer);' },
    ])
      await assert.rejects(migrate(database, { folder: migrations({ ...first, ...wrong }) }), /lacks its number/)
    assert.deepEqual(await tables(database, ['two']), [])
  })
})

describe('whoever only reads a database', () => {
  it('takes it at the schema of this release, or of a newer one that it can work with, and changes nothing', async () => {
    const database = await testDatabase()
    await assertMigrated(database)
    await migrate(database, { folder: migrations({ ...first, ...two }) })
    await assertMigrated(database)
  })

  it('is told what to do about an older one', async () => {
    const database = await testDatabase()
    const error = await startErrorOf(assertMigrated(database, migrations({ ...first, ...two })))
    assert.match(error.message, /^The database is older than this release\. "perigee migrate"/)
    assert.deepEqual(await tables(database, ['two']), [])
  })

  it('is told when there is nothing, or a schema that only newer releases understand', async () => {
    const database = await testDatabase()
    const folder = migrations({ ...first, '9002-two.sql': '-- compatible_from: 9002\nselect 1;' })
    await migrate(database, { folder })
    assert.match(
      (await startErrorOf(assertMigrated(database))).message,
      /^The database was upgraded by a newer release/,
    )
    await database.pool.query('drop table schema_migrations')
    assert.equal((await startErrorOf(assertMigrated(database))).message, 'There is no Perigee in this database yet.')
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
