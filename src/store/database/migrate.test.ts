import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testDatabase } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import type { Database } from './database.ts'
import { assertMigrated, migrate } from './migrate.ts'
import { StartError } from './start-error.ts'

/** The template has the first migration already, and all that came after it: what the tests add is numbered from 9002. */
const first = { '0001-spine.sql': readFileSync(new URL('../migrations/0001-spine.sql', import.meta.url), 'utf8') }
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

  it('tries a migration again that waits shortly for a table in use', async () => {
    const database = await testDatabase()
    await migrate(database, { folder: migrations({ ...first, ...two }) })
    const impatient =
      "-- compatible_from: 1\nset local lock_timeout = '10ms';\ncreate table three (id integer);\nlock table two;"
    const folder = migrations({ ...first, ...two, '9003-three.sql': impatient })
    const holder = await database.pool.connect()
    await holder.query('begin; lock table two in access share mode')
    const migrating = migrate(database, { folder })
    const refused = startErrorOf(migrate(database, { folder, lockTimeoutMs: 0 }))
    assert.match((await refused).message, /^The migration 9003-three\.sql failed and was rolled back: .*lock timeout/)
    await holder.query('commit')
    holder.release()
    assert.equal(await migrating, 1)
    assert.deepEqual(await tables(database, ['two', 'three']), ['three', 'two'])
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
      'The database was upgraded by a newer release: it needs schema 9002, but this release only knows 1. Start that release or a later one.',
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

  it('refuses a migration whose file was changed after it was applied, and applies nothing', async () => {
    const database = await testDatabase()
    await migrate(database, { folder: migrations({ ...first, ...two }) })
    const changed = { '9002-two.sql': `${two['9002-two.sql']}\n-- a second thought` }
    const three = { '9003-three.sql': '-- compatible_from: 1\ncreate table three (id integer);' }
    const error = await startErrorOf(migrate(database, { folder: migrations({ ...first, ...changed, ...three }) }))
    assert.equal(
      error.message,
      'The migration 9002-two.sql is not the one this database was created with, because its file was changed. Restore the file of the release.',
    )
    assert.deepEqual(await tables(database, ['three']), [])
    assert.equal(await migrate(database, { folder: migrations({ ...first, ...two, ...three }) }), 1)
  })

  it('gives migrations of earlier releases, which have none, their checksum', async () => {
    const database = await testDatabase()
    await database.pool.query('alter table schema_migrations drop column checksum')
    await migrate(database)
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from schema_migrations where checksum is null or checksum !~ '^[0-9a-f]{64}$'`,
    )
    assert.deepEqual(rows, [{ count: 0 }])
    const changed = { '0001-spine.sql': '-- compatible_from: 1\nselect 1;' }
    const error = await startErrorOf(migrate(database, { folder: migrations(changed) }))
    assert.match(error.message, /^The migration 0001-spine\.sql is not the one this database was created with/)
  })

  it('ends at once when the start is given up, and rolls back what runs', async () => {
    const database = await testDatabase()
    const endless = {
      '9003-endless.sql': '-- compatible_from: 1\ncreate table half (id integer);\nselect pg_sleep(3600);',
    }
    const giveUp = new AbortController()
    const migrating = startErrorOf(
      migrate(database, { folder: migrations({ ...first, ...two, ...endless }), signal: giveUp.signal }),
    )
    await until('it runs', async () => {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
      return rowCount === 1
    })
    giveUp.abort()
    assert.equal((await migrating).message, 'The start was cancelled. The running migration was rolled back.')
    assert.deepEqual(await tables(database, ['two', 'half']), ['two'])
  })

  it('ends at once when the start is given up while the tables of the job queue change', async () => {
    const database = await testDatabase({ maxConnections: 3 })
    await database.pool.query('drop schema graphile_worker cascade')
    const holder = await database.pool.connect()
    try {
      await holder.query('begin')
      await holder.query('create schema graphile_worker')
      const giveUp = new AbortController()
      const migrating = startErrorOf(migrate(database, { signal: giveUp.signal }))
      await until('it waits', async () => {
        const { rowCount } = await database.pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'create schema%'`,
        )
        return rowCount === 1
      })
      const gaveUpMs = performance.now()
      giveUp.abort()
      const { message } = await migrating
      assert.ok(performance.now() - gaveUpMs < 30_000, 'no statement may take a minute')
      assert.equal(message, 'The start was cancelled. The running migration was rolled back.')
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    await migrate(database)
    assert.deepEqual(await tables(database, ['_private_jobs']), ['_private_jobs'])
  })

  it('ends in one line when a migration undoes that it was applied', async () => {
    const database = await testDatabase()
    const forgetful = {
      '9002-forgetful.sql':
        '-- compatible_from: 1\ncreate or replace rule forget as on insert to schema_migrations do instead nothing;',
    }
    const error = await startErrorOf(migrate(database, { folder: migrations({ ...first, ...forgetful }) }))
    assert.equal(error.message, 'The migration 9002-forgetful.sql was applied, but is missing now.')
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
    assert.match(error.message, /^The database is older than this release\. Update it with "perigee migrate"/)
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
