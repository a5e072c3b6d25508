import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { testSettings } from '../../../test/support/settings.ts'
import { monitorOperations } from '#operations/monitors/monitors.ts'
import { forgetKeys } from '#store/database/idempotency.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { shareKeyOf } from './monitor-rows.ts'
import { insertMonitor, lockMonitor, readCheckConfigurations, updateMonitor } from './monitors.ts'

const key = randomBytes(32)

describe('monitors in the database', async () => {
  const api = await testApi({ operations: monitorOperations })
  const { database, workspaceId } = api
  const { secrets } = api.services

  it('come back as they were written, secrets included', async () => {
    const id = randomUUID()
    const settings = testSettings({
      locations: ['boston', 'chennai'],
      request_headers: { Authorization: 'Bearer é' },
      check_options: { expected_value: { a: [1, null, 'x'] }, json_path: 'a', steps: [{ url: '/' }, { url: '/b' }] },
      secret_options: { token: 'hunter2', steps: [{}, { headers: { key: 'hunter2' } }] },
      alert_channel_ids: [],
      heartbeat_grace_seconds: 0,
    })
    await database.transaction((tx) => insertMonitor(tx, secrets, { id, workspaceId, settings, createdAt: new Date() }))
    const locked = await database.transaction((tx) => lockMonitor(tx, secrets, { workspaceId, monitorId: id }))
    assert.deepEqual(locked?.settings, settings)
    const raw = await database.pool.query<{ row: string }>('select monitors::text as row from monitors where id = $1', [
      id,
    ])
    assert.doesNotMatch(raw.rows[0]?.row ?? '', /hunter2/)
    const [check] = await readCheckConfigurations(database, secrets, { location: 'boston', ids: [id] })
    assert.deepEqual(check, {
      monitorId: id,
      version: 1,
      kind: 'http',
      url: 'https://example.com/',
      method: 'GET',
      timeoutMs: 10_000,
      expectedStatusMin: 200,
      expectedStatusMax: 399,
      keyword: null,
      requestHeaders: { Authorization: 'Bearer é' },
      requestBody: null,
      options: {
        expected_value: { a: [1, null, 'x'] },
        json_path: 'a',
        steps: [{ url: '/' }, { url: '/b', headers: { key: 'hunter2' } }],
        token: 'hunter2',
      },
      shareKey: shareKeyOf(workspaceId, secrets),
    })
  })

  it('cannot be given the secrets of another monitor by whoever can write to the database', async () => {
    const kind = 'transaction'
    const steps = [{ url: '/', headers: { a: 'hunter2' }, body: 'hunter2' }]
    const rich = await createMonitor(api, { kind, request_headers: { a: '1' }, check_options: { steps } })
    for (const column of ['request_headers', 'secret_options', 'content']) {
      const { id } = await createMonitor(api, { kind, check_options: { steps: [{ url: '/' }] } })
      await database.pool.query(
        `update monitors set ${column} = (select ${column} from monitors where id = $2) where id = $1`,
        [id, rich.id],
      )
      await assert.rejects(readCheckConfigurations(database, secrets, { location: null, ids: [id] }), column)
    }
    const [check] = await readCheckConfigurations(database, secrets, { location: null, ids: [rich.id] })
    assert.deepEqual(check?.options['steps'], steps)
  })

  it('are sealed in the present form by the next change', async () => {
    const { id } = await createMonitor(api)
    const [earlier, monitorId] = [createSecrets(key, () => false), id]
    const settings = testSettings({ locations: ['boston'], secret_options: { token: 'hunter2' } })
    const change = { monitorId, before: settings, settings, effect: 'none', at: new Date() } as const
    const formOf = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ mark: string }>(
        `select encode(substring(value for 4), 'hex') as mark
        from monitors, unnest(array[request_headers, secret_options]) as value
        where id = $1`,
        [id],
      )
      return rows.map(({ mark }) => mark)
    }
    await database.transaction((tx) => updateMonitor(tx, earlier, change))
    const keyId = earlier.identity.slice(0, 8)
    assert.deepEqual(await formOf(), [keyId, keyId])
    const present = createSecrets(key)
    const scope = { workspaceId, monitorId }
    const locked = await database.transaction((tx) => lockMonitor(tx, present, scope))
    assert.deepEqual(locked?.settings, settings)
    await database.transaction((tx) => updateMonitor(tx, present, change))
    assert.ok((await formOf()).every((mark) => mark !== keyId))
  })

  it('are given to a location only when it checks them and they are enabled', async () => {
    const [here, there, paused] = [
      await createMonitor(api, { locations: ['amsterdam', 'boston'] }),
      await createMonitor(api, { locations: ['chennai'] }),
      await createMonitor(api, { locations: ['boston'] }),
    ]
    await api.post(`/monitors/${paused.id}/pause`)
    const ids = [here.id, there.id, paused.id, randomUUID()]
    const known = async (location: string | null) =>
      (await readCheckConfigurations(database, secrets, { location, ids })).map(({ monitorId }) => monitorId).toSorted()
    assert.deepEqual(await known('boston'), [here.id])
    assert.deepEqual(await known('chennai'), [there.id])
    assert.deepEqual(await known('mars'), [])
    assert.deepEqual(await known(null), [here.id, there.id].toSorted())
  })

  it('are not given, and nothing fails, where a location asks for what is no id', async () => {
    const { id } = await createMonitor(api, { locations: ['boston'] })
    const ids = [` ${id} `, `${id}x`, 'no id', '', id.toUpperCase(), id]
    const given = await readCheckConfigurations(database, secrets, { location: 'boston', ids })
    assert.deepEqual(
      given.map(({ monitorId }) => monitorId),
      [id],
    )
    assert.deepEqual(await readCheckConfigurations(database, secrets, { location: 'boston', ids: ['no id'] }), [])
  })

  it('are given to no location when nobody checks their kind, though one was asked before it changed', async () => {
    const { id } = await createMonitor(api)
    const given = () => readCheckConfigurations(database, secrets, { location: null, ids: [id] })
    for (const kind of ['heartbeat', 'webhook', 'push_metric', 'group']) {
      const check_options = kind === 'group' ? { member_ids: [(await createMonitor(api)).id] } : {}
      const changed = await api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', kind, check_options } })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(await given(), [], kind)
    }
    const back = { name: 'Shop', kind: 'http', url: 'https://example.com', check_options: {} }
    assert.equal((await api.request('PATCH', `/monitors/${id}`, { body: back })).status, 200)
    assert.equal((await given()).length, 1)
  })

  it('are given to a location at most 200 at a time', async () => {
    const ids = Array.from({ length: 201 }, () => randomUUID())
    await assert.rejects(readCheckConfigurations(database, secrets, { location: null, ids }), RangeError)
    assert.deepEqual(await readCheckConfigurations(database, secrets, { location: null, ids: ids.slice(1) }), [])
    assert.deepEqual(await readCheckConfigurations(database, secrets, { location: null, ids: [] }), [])
  })
})

describe('idempotency keys', async () => {
  const api = await testApi({ operations: monitorOperations })

  it('are removed when their 24 hours are over, and no sooner', async () => {
    await api.post('/monitors', { name: 'Shop', url: 'https://example.com' }, { headers: { 'Idempotency-Key': 'a' } })
    const { created_at: createdAt } = await api.database.query
      .selectFrom('idempotency_keys')
      .select('created_at')
      .executeTakeFirstOrThrow()
    const dayMs = 86_400_000
    assert.equal(await forgetKeys(api.database, new Date(createdAt.getTime() + dayMs - 1)), 0)
    assert.equal(await forgetKeys(api.database, new Date(createdAt.getTime() + dayMs)), 1)
    assert.equal(await forgetKeys(api.database, new Date(createdAt.getTime() + dayMs)), 0)
  })
})
