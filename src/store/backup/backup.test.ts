import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { describe, it } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { migrate } from '#store/database/migrate.ts'
import { StartError } from '#store/database/start-error.ts'
import { readSendingHeld } from '#store/installation/sending.ts'
import { readSetting } from '#store/installation/settings.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { fillEveryTable } from '../../../test/support/every-table.ts'
import { readManifest, restoreBackup, type RestoreOptions } from './restore.ts'
import { listTables, readTotals } from './tables.ts'
import { type BackupOptions, takeBackup } from './take-backup.ts'

/** Tables whose checks no value of those that are tried passes, by chance or never. */
const fewEnough = 8
const now = new Date('2026-11-21T12:00:00Z')
const usual: BackupOptions = { release: '0.1.0', keys: null, passphrase: null, now }
const quiet: RestoreOptions = { passphrase: null, now, isLive: false }

async function backupOf(database: Database, options: Partial<BackupOptions> = {}): Promise<Buffer> {
  const pieces: Buffer[] = []
  const to = new Writable({
    write: (piece: Buffer, _, done) => {
      pieces.push(piece)
      done()
    },
  })
  await takeBackup(database, to, { ...usual, ...options })
  return Buffer.concat(pieces)
}

/** In pieces as a file is read. */
function fileOf(bytes: Buffer): AsyncIterable<Buffer> {
  const pieces: Buffer[] = []
  for (let from = 0; from < bytes.length; from += 65_536) pieces.push(bytes.subarray(from, from + 65_536))
  return Readable.from(pieces)
}

async function totalsOf(database: Database): Promise<Record<string, unknown>> {
  const client = await database.pool.connect()
  try {
    const totals: Record<string, unknown> = {}
    for (const table of await listTables(client)) totals[table.name] = await readTotals(client, table)
    return totals
  } finally {
    client.release()
  }
}

async function contentsOf({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ tables: number }>(
    `select count(*)::integer as tables from pg_tables where schemaname in ('public', 'people', 'graphile_worker')`,
  )
  return rows[0]?.tables ?? -1
}

describe('a backup', () => {
  it('brings back every row of every table, where each sequence stands, and the days of results', async () => {
    const database = await testDatabase({ hasDays: true })
    const unfilled = await fillEveryTable(database)
    assert.ok(unfilled.size <= fewEnough, JSON.stringify([...unfilled]))
    await database.pool.query(`select graphile_worker.add_job('mail', '{"a": 1}')`)
    await database.pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'gone'`)
    const target = await testDatabase({ isEmpty: true })
    const { tables } = await restoreBackup(target, fileOf(await backupOf(database)), { ...quiet, isLive: true })
    assert.ok(tables.every(({ isLoaded }) => isLoaded))
    const [before, after] = [await totalsOf(database), await totalsOf(target)]
    // The job was unlocked, and a copy of a day that is under way begins anew.
    for (const name of ['_private_jobs', 'day_rewrites']) {
      delete before[name]
      delete after[name]
    }
    assert.deepEqual(after, before)
    const sequences = `select schemaname, sequencename, last_value from pg_sequences order by 1, 2`
    assert.deepEqual((await target.pool.query(sequences)).rows, (await database.pool.query(sequences)).rows)
    const locked = await target.pool.query('select from graphile_worker._private_jobs where locked_by is not null')
    assert.equal(locked.rowCount, 0)
  })

  it('leaves the restored schema as the migrations make it', async () => {
    const database = await testDatabase({ hasDays: true })
    const target = await testDatabase({ isEmpty: true })
    await restoreBackup(target, fileOf(await backupOf(database)), quiet)
    const references = `select conrelid::regclass::text as on, conname, pg_get_constraintdef(oid), convalidated
      from pg_constraint order by 1, 2`
    assert.deepEqual((await target.pool.query(references)).rows, (await database.pool.query(references)).rows)
    const triggers = `select tgrelid::regclass::text as on, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`
    assert.deepEqual((await target.pool.query(triggers)).rows, (await database.pool.query(triggers)).rows)
  })

  it('is of one moment while results are stored, and holds up none of them', async () => {
    const database = await testDatabase({ hasDays: true })
    await database.pool.query(`insert into results (monitor_key, round_at, location, status)
      select key, now() - key * interval '1 ms', 1, 'u' from generate_series(1, 50000) key`)
    let stored = 50_000
    const over = new AbortController()
    const storing = (async () => {
      while (!over.signal.aborted) {
        await database.transaction(async ({ client }) => {
          await client.query(
            `insert into results (monitor_key, round_at, location, status)
            select key, now() + key * interval '1 us', 1, 'u' from generate_series($1::bigint, $1::bigint + 99) key`,
            [stored],
          )
          await client.query(
            `insert into settings (name, value) values ('stored', to_jsonb($1::bigint))
            on conflict (name) do update set value = excluded.value`,
            [stored + 100],
          )
        })
        stored += 100
      }
    })()
    const backup = await backupOf(database)
    over.abort()
    await storing
    const target = await testDatabase({ isEmpty: true })
    const { tables } = await restoreBackup(target, fileOf(backup), quiet)
    const kept = Number(tables.find(({ name }) => name === 'results')?.rows)
    assert.ok(kept >= 50_000 && kept < stored, `${kept} of ${stored}`)
    const said = (await target.pool.query(`select value from settings where name = 'stored'`)).rows[0]?.value ?? 50_000
    assert.equal(kept, Number(said), 'results and settings are of the same moment')
  })

  it('holds the secret key only where it is encrypted', async () => {
    const database = await testDatabase()
    const secretKey = randomBytes(32)
    const plain = await readManifest(fileOf(await backupOf(database, { keys: { current: secretKey } })), null)
    assert.equal(plain.secret_key, null)
    const sealed = await backupOf(database, { keys: { current: secretKey }, passphrase: 'correct horse' })
    assert.equal((await readManifest(fileOf(sealed), 'correct horse')).secret_key, secretKey.toString('base64'))
    assert.ok(!sealed.includes('schema_migrations'))
    await assert.rejects(readManifest(fileOf(sealed), 'another'), /The passphrase is not that of the backup/)
    await assert.rejects(readManifest(fileOf(sealed), null), /The backup is encrypted/)
  })

  it('is refused where there is no Perigee', async () => {
    await assert.rejects(backupOf(await testDatabase({ isEmpty: true })), /There is no Perigee/)
  })
})

describe('a restore', () => {
  it('refuses a file with any byte changed, missing, added or swapped, and leaves nothing', async () => {
    const database = await testDatabase({ hasDays: true })
    const target = await testDatabase({ isEmpty: true })
    await database.pool.query(
      // As long as PostgreSQL keeps them in the row, without trying to compress them.
      `insert into settings (name, value)
      select 'noise' || n, to_jsonb(string_agg(md5(random()::text), '')) from generate_series(1, 2800) n, generate_series(1, 58) group by n`,
    )
    for (const passphrase of [null, 'correct horse']) {
      const whole = await backupOf(database, { passphrase })
      assert.ok(whole.length > 2_300_000, `${whole.length} bytes are fewer than three frames`)
      const broken = [
        ...Array.from({ length: 3 }, () => flipped(whole, randomInt(whole.length))),
        flipped(whole, 20),
        whole.subarray(0, whole.length - 1),
        whole.subarray(0, randomInt(100, whole.length)),
        Buffer.concat([whole, Buffer.from('x')]),
        swapped(whole),
      ]
      for (const file of broken) {
        await assert.rejects(restoreBackup(target, fileOf(file), { ...quiet, passphrase }), StartError)
        assert.equal(await contentsOf(target), 0)
      }
    }
  })

  it('refuses a database with anything in it, and names that', async () => {
    const database = await testDatabase()
    const backup = await backupOf(database)
    const target = await testDatabase({ isEmpty: true })
    await target.pool.query('create table mine (id integer)')
    await assert.rejects(restoreBackup(target, fileOf(backup), quiet), /not empty: it has public\.mine\./)
    await assert.rejects(restoreBackup(database, fileOf(backup), quiet), /not empty: it has .* and more/)
  })

  it('that was killed leaves what starts nowhere, and is begun anew', async () => {
    const database = await testDatabase()
    const target = await testDatabase({ isEmpty: true })
    await migrate(target, { restoring: new Set([1, 2]) })
    await assert.rejects(migrate(target), /A restore into this database did not finish/)
    await restoreBackup(target, fileOf(await backupOf(database)), quiet)
    assert.equal(await migrate(target), 0)
  })

  it('brings a backup of an earlier schema up to this release, and refuses one of a later', async () => {
    const early = await testDatabase({ isEmpty: true })
    const newest = await migrate(early, { restoring: new Set(Array.from({ length: 61 }, (_, number) => number)) })
    await early.pool.query('delete from schema_migrations where number >= 1000000')
    assert.ok(newest > 0)
    const target = await testDatabase({ isEmpty: true })
    await restoreBackup(target, fileOf(await backupOf(early)), quiet)
    assert.equal(await migrate(target), 0)
    await early.pool.query(`insert into schema_migrations (number, name, compatible_from) values (9000, 'later', 1)`)
    const later = await testDatabase({ isEmpty: true })
    await assert.rejects(restoreBackup(later, fileOf(await backupOf(early)), quiet), /schema 9000 \(later\)/)
    assert.equal(await contentsOf(later), 0)
  })

  it('passes over a table that somebody else kept in the database', async () => {
    const database = await testDatabase()
    await database.pool.query('create table mine as select 1 as id')
    const target = await testDatabase({ isEmpty: true })
    const { tables } = await restoreBackup(target, fileOf(await backupOf(database)), quiet)
    assert.deepEqual(
      tables.filter(({ isLoaded }) => !isLoaded).map(({ name }) => name),
      ['mine'],
    )
  })

  it('sends nothing, unless it is live', async () => {
    const backup = await backupOf(await testDatabase())
    const copy = await testDatabase({ isEmpty: true })
    await restoreBackup(copy, fileOf(backup), quiet)
    assert.deepEqual(await readSendingHeld(copy), { since: now, backupAt: now })
    const live = await testDatabase({ isEmpty: true })
    await restoreBackup(live, fileOf(backup), { ...quiet, isLive: true })
    assert.equal(await readSetting(live, 'sending_held'), undefined)
  })
})

function flipped(whole: Buffer, place: number): Buffer {
  const changed = Buffer.from(whole)
  changed.writeUInt8(changed.readUInt8(place) ^ 1, place)
  return changed
}

/** The first two frames in each other's place: both have the full length. */
function swapped(whole: Buffer): Buffer {
  const begin = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1
  const length = 20 + 1024 * 1024
  const [one, other] = [begin, begin + length].map((from) => whole.subarray(from, from + length))
  if (one === undefined || other === undefined) throw new Error('The backup has too few frames.')
  return Buffer.concat([whole.subarray(0, begin), other, one, whole.subarray(begin + 2 * length)])
}
