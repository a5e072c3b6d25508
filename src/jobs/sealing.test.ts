import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { createSecrets } from '#store/database/secrets.ts'
import { migrate } from '#store/database/migrate.ts'
import { readSealsSince, claimSetting } from '#store/installation/settings.ts'
import { findContact, insertContact } from '#store/contacts/contacts.ts'
import { openAddress, sealAddress } from '#store/contacts/sealed-addresses.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { insertMonitor, readCheckConfigurations } from '#store/monitors/monitors.ts'
import { addWorkspace } from '../../test/support/alerts.ts'
import { testDatabase } from '../../test/support/database.ts'
import { testSettings } from '../../test/support/settings.ts'
import { sealAll } from './sealing.ts'

const key = randomBytes(32)
const now = new Date('2026-03-01T12:00:00Z')
const log = { debug: () => {}, info: () => {}, warn: assert.fail, error: assert.fail }
const steps = [{ url: '/' }, { url: '/login', body: 'pin=hunter2' }, { url: '/out', body: null }]
const address = 'https://hooks.slack.com/services/T0/B0/hunter2'

describe('secrets that an earlier release left in the clear', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  const workspaceId = await addWorkspace(database)
  let isDue = false
  const secrets = createSecrets(key, () => isDue)
  const seal = (signal = new AbortController().signal) => sealAll({ database, secrets, log }, signal)

  const monitorIds = Array.from({ length: 120 }, () => randomUUID())
  const contact = { id: randomUUID(), workspaceId, name: 'Chat', kind: 'slack', confirmationExpiresAt: null }
  await database.transaction(async (tx) => {
    for (const [at, id] of monitorIds.entries()) {
      const settings = testSettings({
        kind: 'transaction',
        request_body: at % 2 === 0 ? 'key=hunter2' : null,
        check_options: { steps },
        secret_options: { steps: [{}, { headers: { a: '1' } }, {}] },
      })
      await insertMonitor(tx, secrets, { id, workspaceId, settings, createdAt: now })
    }
    const stored = sealAddress({ ...contact, destination: address }, secrets)
    const state = { isConfirmed: true, switchedOffBy: null, signingSecrets: [], rules: null, tags: [] }
    const options = { options: {}, sealedOptions: null, host: null }
    await insertContact(tx, { ...contact, ...stored, ...options, ...state })
  })

  const inClear = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::integer as count
      from (select monitors::text as row from monitors union all select alert_channels::text from alert_channels) as rows
      where row like '%hunter2%'`,
    )
    return rows[0]?.count ?? assert.fail()
  }
  const read = async (): Promise<unknown> => {
    const ids = monitorIds.slice(0, 2)
    const request = { workspaceId, now }
    const found = await findContact(database, { workspaceId, id: contact.id })
    return {
      records: await Promise.all(ids.map((monitorId) => findMonitor(database, secrets, { ...request, monitorId }))),
      checks: (await readCheckConfigurations(database, secrets, { location: null, ids })).toSorted((a, b) =>
        a.monitorId < b.monitorId ? -1 : 1,
      ),
      address: found === null ? null : openAddress(found, secrets),
    }
  }
  const compatibleFrom = async (): Promise<unknown> => {
    const { rows } = await database.pool.query<{ compatible_from: number }>(
      'select compatible_from from schema_migrations where number = 23',
    )
    return rows[0]?.compatible_from
  }
  const before = await read()

  it('stay so while processes of it may run', async () => {
    await seal()
    assert.equal(await inClear(), 121)
    assert.equal(await compatibleFrom(), 1)
  })

  it('are sealed afterwards, also when that is broken off again and again, and read as before', async () => {
    isDue = true
    const broken = new AbortController()
    const stopping = {
      ...database,
      transaction: async <T>(work: Parameters<typeof database.transaction<T>>[0]) => {
        broken.abort()
        return database.transaction(work)
      },
    }
    await sealAll({ database: stopping, secrets, log }, broken.signal)
    assert.equal(await inClear(), 71, 'a step is fifty of them')
    assert.deepEqual(await read(), before)
    await Promise.all([seal(), seal()])
    assert.equal(await inClear(), 0)
    assert.deepEqual(await read(), before)
    assert.equal(await compatibleFrom(), 23, 'releases that cannot read it start no more')
  })

  it('are looked for by an index', async () => {
    const { rows } = await database.pool.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where indexname in ('monitors_in_clear', 'alert_channels_in_clear')`,
    )
    assert.equal(rows.length, 2)
  })
})

describe('when secrets are sealed', () => {
  it('is at once where the installation is new', async () => {
    const database = await testDatabase({ maxConnections: 5 })
    assert.ok((await readSealsSince(database)) <= new Date())
  })

  it('is a day after the upgrade where there may be processes of an earlier release', async () => {
    const database = await testDatabase({ maxConnections: 5 })
    await claimSetting(database, 'secret_key', 'known')
    // As it was before the migration.
    await database.pool.query(`delete from settings where name = 'seals_since'`)
    await database.pool.query('delete from schema_migrations where number = 23')
    await database.pool.query('alter table monitors drop column content')
    await database.pool.query('alter table idempotency_keys drop column last_content')
    await database.pool.query('alter table alert_channels drop column sealed_destination')
    await database.pool.query('drop index monitors_in_clear')
    assert.equal(await migrate(database), 1)
    const hours = ((await readSealsSince(database)).getTime() - Date.now()) / 3_600_000
    assert.ok(hours > 23.9 && hours <= 24, `${hours} hours`)
  })
})
