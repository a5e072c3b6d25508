import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Database } from '#store/database/database.ts'
import { createSecrets, keyIdOf, type Place, type Secrets } from '#store/database/secrets.ts'
import { countSealed, readValuesLeft, sumOf } from '#store/installation/sealed-counts.ts'
import { listSealedColumns, sealedColumns, type SealedColumn } from '#store/installation/sealed-columns.ts'
import { adoptSecretKeys } from '#store/installation/secret-keys.ts'
import { readPushKeys } from '#store/installation/push-keys.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { enqueuePersonMail } from '#store/people/person-mails.ts'
import { testDatabase } from '../../test/support/database.ts'
import { fillEveryTable } from '../../test/support/every-table.ts'
import { resealAll } from './resealing.ts'

const [old, fresh] = [randomBytes(32), randomBytes(32)]
const [before, after] = [createSecrets(old), createSecrets(fresh)]
const [oldId, freshId] = [before, after].map(({ identity }) => keyIdOf(identity))
const log = { debug: () => {}, info: () => {}, warn: assert.fail, error: assert.fail }
const noFactors = (): never => assert.fail('there are no authenticator apps here')
const text = JSON.stringify({ some: 'secret' })

/** Bytes that are no sealed values, and why they need no key. Names that end with `hash` or `fingerprint` say it. */
const notSealed = new Map([
  ['signed_days.lines', 'counts and hashes of results'],
  ['confirmation_mails.subject', 'a hash of what a mail is about'],
  ['incident_evidence.cause', 'a hash of the failure'],
  ['status_page_images.picture', 'a picture that everybody sees'],
])

type Row = { key: string[]; bytes: Buffer | null; place: string }

async function rowsOf({ pool }: Database, { table, key, value, placeId }: SealedColumn): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `select array[${key.map(([name]) => `${name}::text`).join(', ')}] as key, ${value} as bytes, ${placeId} as place
    from ${table}`,
  )
  return rows
}

/** Puts a sealed value into every row of a column. */
async function sealColumn(database: Database, at: SealedColumn, secrets: Secrets): Promise<void> {
  for (const { key, place: id } of await rowsOf(database, at))
    await database.pool.query(
      `update ${at.table} as each set ${at.set}
      from (select $1::bytea as value, ''::text as signed) as sealed
      where ${at.key.map(([name, type], place) => `each.${name} = $${place + 2}::${type}`).join(' and ')}`,
      [secrets.encrypt(text, { column: at.column, id }), ...key],
    )
}

/** A database whose every sealed column has values of the old key, and which has changed to the new one. */
async function changedDatabase(): Promise<Database> {
  const database = await testDatabase({ maxConnections: 5 })
  await adoptSecretKeys(database, before)
  const refused = await fillEveryTable(database)
  assert.deepEqual(
    [...refused.keys()].filter((table) => listSealedColumns().some((at) => at.table === table)),
    [],
  )
  const { rows } = await database.pool.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name from pg_constraint where contype = 'c'
    and connamespace = 'public'::regnamespace and coninhcount = 0`,
  )
  for (const { table, name } of rows) await database.pool.query(`alter table ${table} drop constraint ${name}`)
  await database.pool.query(`delete from settings where name not in ('secret_key', 'seals_since')`)
  await database.pool.query(`delete from people."twoFactor"`)
  await readPushKeys(database, before)
  await signingKeys(database, before).current()
  for (let count = 0; count < 3; count += 1)
    await database.transaction((tx) =>
      enqueuePersonMail(tx, before, {
        expires_at: new Date().toISOString(),
        content: { mail: 'password_changed', to: 'a@example.com' },
      }),
    )
  for (const at of listSealedColumns()) if (at.column !== 'settings.value') await sealColumn(database, at, before)
  await adoptSecretKeys(database, createSecrets({ current: fresh, former: [old] }))
  return database
}

const both = createSecrets({ current: fresh, former: [old] })
const reseal = (database: Database, secrets = both, signal = new AbortController().signal): Promise<number> =>
  resealAll({ database, secrets, log, resealsSecondFactors: noFactors }, signal)

describe('after a change of the secret key', async () => {
  const database = await changedDatabase()
  const left = async (): Promise<number> => sumOf(await countSealed(database), [oldId ?? ''])
  const total = await left()

  for (const column of Object.keys(sealedColumns))
    it(`values of the old key lie in ${column}`, async () => {
      const counts = await countSealed(database)
      const found = counts.filter((count) => count.column === column)
      assert.deepEqual(
        found.map(({ keyId }) => keyId),
        [oldId],
      )
    })

  it('a process that has not been restarted yet seals nothing anew', async () => {
    assert.equal(await reseal(database, createSecrets({ current: old, next: fresh })), 0)
    assert.equal(await left(), total)
  })

  it('a run that is broken off has done a part, which stays', async () => {
    const broken = new AbortController()
    const breaking = {
      ...database,
      transaction: async <T>(work: Parameters<typeof database.transaction<T>>[0]) => {
        const done = await database.transaction(work)
        broken.abort()
        return done
      },
    }
    const done = await reseal({ ...breaking }, both, broken.signal)
    assert.ok(done > 0 && done < total, `${done} of ${total}`)
    assert.equal(await left(), total - done)
    assert.equal(await readValuesLeft(database), total - done)
  })

  it('two processes go on with it together, and leave a row alone that is locked', async () => {
    await database.transaction(async ({ client }) => {
      await client.query(`select from settings where name = 'push_keys' for update`)
      await Promise.all([reseal(database), reseal(database)])
      // In a row with several values, each may have held what the other came to; the next run finds these.
      await reseal(database)
      assert.equal(await left(), 1, 'the keys of push messages are in a row that is locked')
    })
    await reseal(database)
    assert.equal(await left(), 0)
    assert.equal(await readValuesLeft(database), 0)
  })

  it('every value opens with the new key alone, in its place', async () => {
    for (const at of listSealedColumns()) {
      const rows = (await rowsOf(database, at)).filter(({ bytes }) => bytes !== null)
      assert.ok(rows.length > 0, at.column)
      for (const { bytes, place: id } of rows) {
        const opened: unknown = JSON.parse(after.decrypt(bytes ?? Buffer.alloc(0), { column: at.column, id }))
        assert.ok(typeof opened === 'object', at.column)
      }
    }
    const ids = new Set((await countSealed(database)).map(({ keyId }) => keyId))
    assert.deepEqual([...ids], [freshId])
  })

  it('what an old process writes meanwhile is found by the next run', async () => {
    const [at = assert.fail()] = sealedColumns['monitors.content']
    await sealColumn(database, at, before)
    assert.ok((await left()) > 0)
    await reseal(database)
    assert.equal(await left(), 0)
  })

  it('a damaged value is told of, and holds up no other', async () => {
    const [at = assert.fail()] = sealedColumns['alert_channels.secret_options']
    await sealColumn(database, at, before)
    const { rows } = await database.pool.query<{ id: string }>('select id from alert_channels order by id limit 1')
    const damaged = before.encrypt(text, { column: at.column, id: 'of another row' })
    await database.pool.query('update alert_channels set secret_options = $1 where id = $2', [damaged, rows[0]?.id])
    const told: unknown[] = []
    const parts = { database, secrets: both, resealsSecondFactors: noFactors }
    const warn = (message: string, details?: unknown): void => void told.push([message, details])
    await resealAll({ ...parts, log: { ...log, warn } }, new AbortController().signal)
    assert.deepEqual(told, [['Stored secrets do not open with the key that they name.', { number: 1 }]])
    assert.equal(await left(), 1)
  })
})

describe('the columns with bytes', async () => {
  const database = await testDatabase({ maxConnections: 5 })

  it('are sealed and known to a change of the key, or are listed with the reason why not', async () => {
    const { rows } = await database.pool.query<{ column: string }>(
      `select c.relname || '.' || attname as column
      from pg_attribute a
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace in ('public'::regnamespace, 'people'::regnamespace)
        and c.relkind in ('r', 'p')
        and not c.relispartition
        and atttypid = 'bytea'::regtype
        and attnum > 0
        and not attisdropped`,
    )
    const sealed = new Set(listSealedColumns().map(({ table, value }) => `${table}.${value}`))
    const unexplained = rows.flatMap(({ column }) =>
      sealed.has(column) || notSealed.has(column) || /(?:hash|fingerprint)$/.test(column) ? [] : [column],
    )
    assert.deepEqual(unexplained, [])
    const all = new Set(rows.map(({ column }) => column))
    for (const column of notSealed.keys()) assert.ok(all.has(column), `${column} is not there any more`)
  })

  it('are in the list by the names of their places', () => {
    const places: Place['column'][] = listSealedColumns().map(({ column }) => column)
    assert.deepEqual([...new Set<string>(places)].toSorted(), Object.keys(sealedColumns).toSorted())
  })
})
