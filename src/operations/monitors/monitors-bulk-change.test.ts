import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { addCredit } from '#store/money/credit.ts'
import { bulkApi, bulkPath, joinedAs, outcomeOf } from '../../../test/support/bulk.ts'
import { addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'

const refusedSchema = z.object({
  data: z.object({
    refused: z.array(z.object({ message: z.string(), fields: z.record(z.string(), z.unknown()).optional() })),
  }),
})

describe('one change of many monitors', async () => {
  const bulk = await bulkApi()
  const { api, member, entries, people } = bulk
  const { database } = api
  const change = (ids: readonly string[], changes?: unknown) =>
    bulk.call('POST', bulkPath, { action: 'update', monitor_ids: ids, ...(changes === undefined ? {} : { changes }) })
  const recordOf = async (id: string) =>
    z.object({ data: monitorSchema }).parse((await api.get(`/monitors/${id}`)).body).data

  it('is made of each, and told of as if each had been changed by itself', async () => {
    const shop = await createMonitor(api, { name: 'Shop', tags: ['Blue'] })
    const beat = await createMonitor(api, { name: 'Backup', kind: 'heartbeat', url: undefined })
    const foreign = await createMonitor(api, {}, (await api.addWorkspace()).token)
    const [before, announced] = [(await entries()).length, api.changes.length]
    const answer = await change([shop.id, foreign.id, beat.id.toUpperCase(), shop.id], {
      interval_seconds: 600,
      add_tags: ['Night'],
      remove_tags: ['blue'],
    })
    assert.deepEqual(outcomeOf(answer), [2, [foreign.id, 'not_found']])
    for (const { id, name } of [shop, beat]) {
      const record = await recordOf(id)
      assert.deepEqual([record.name, record.interval_seconds, record.tags], [name, 600, ['Night']])
    }
    assert.deepEqual(
      api.changes.slice(announced).map(({ monitorId }) => monitorId),
      [shop.id, beat.id],
    )
    const actor = { kind: 'person', id: member.personId, name: 'Olga' }
    const details = { fields: ['interval_seconds', 'add_tags', 'remove_tags'] }
    assert.deepEqual(
      (await entries()).slice(before).map(({ id: _id, at: _at, ...entry }) => entry),
      [shop, beat].map(({ id, name }) => ({
        action: 'update_monitor',
        details,
        actor,
        target: { kind: 'monitor', id, name },
      })),
    )
  })

  it('is refused by those whose kind or settings do not allow it, and made of the rest', async () => {
    const [one, two] = [await createMonitor(api), await createMonitor(api)]
    const member_ids = [one.id]
    const group = await createMonitor(api, {
      kind: 'group',
      url: undefined,
      check_options: { member_ids, group_policy: 'all' },
    })
    const slow = await change([one.id, group.id], { alert_slow_factor: 3 })
    assert.deepEqual(outcomeOf(slow), [1, [group.id, 'validation_failed']])
    const [refused] = refusedSchema.parse(slow.body).data.refused
    assert.deepEqual(Object.keys(refused?.fields ?? {}), ['alert_slow_factor'])
    assert.deepEqual(outcomeOf(await change([one.id, two.id], { depends_on: [one.id] })), [
      1,
      [one.id, 'validation_failed'],
    ])
    assert.deepEqual(outcomeOf(await change([one.id], { alert_channel_ids: [randomUUID()] })), [
      0,
      [one.id, 'validation_failed'],
    ])
    await change([two.id], { tags: Array.from({ length: 20 }, (_, at) => `t${at}`) })
    assert.deepEqual(outcomeOf(await change([one.id, two.id], { add_tags: ['more'] })), [
      1,
      [two.id, 'validation_failed'],
    ])
    assert.deepEqual((await recordOf(one.id)).tags, ['more'])
  })

  it('takes from credit what it costs as long as there is some, and says what is missing', async () => {
    const [one, two] = [await createMonitor(api), await createMonitor(api)]
    await database.pool.query(
      `update monitors set billing = 'paid', billing_period = 'monthly', paid_locations = 1, paid_until = now() + interval '9 days'
      where id = any($1)`,
      [[one.id, two.id]],
    )
    const { rows: locations } = await database.pool.query<{ code: string }>(
      'select code from locations order by position',
    )
    const codes = locations.slice(0, 2).map(({ code }) => code)
    assert.equal(codes.length, 2)
    await database.transaction((tx) =>
      addCredit(tx, {
        workspaceId: api.workspaceId,
        amountCents: 1,
        reason: 'payment',
        description: 'Test',
        at: new Date(),
      }),
    )
    const answer = await change([one.id, two.id], { locations: codes })
    assert.deepEqual(outcomeOf(answer), [1, [two.id, 'payment_required']])
    const [refused] = refusedSchema.parse(answer.body).data.refused
    assert.equal(refused?.message, 'Not enough credit: $0.01 is missing for 1 more location.')
    assert.deepEqual([(await recordOf(one.id)).paid_locations, (await recordOf(two.id)).locations.length], [2, 1])
  })

  it('leaves out of account what a rename at the same time does', async () => {
    const { id } = await createMonitor(api, { name: 'Before' })
    const rename = () => api.request('PATCH', `/monitors/${id}`, { body: { name: 'After' } })
    await Promise.all([change([id], { timeout_ms: 7000 }), rename(), change([id], { charts: 'uptime' })])
    const { name, timeout_ms: timeout, charts } = await recordOf(id)
    assert.deepEqual([name, timeout, charts], ['After', 7000, 'uptime'])
  })

  const id = randomUUID()
  const bodies: [what: string, body: Record<string, unknown>, ...fields: string[]][] = [
    ['no changes', { action: 'update' }, 'changes'],
    ['changes of nothing', { action: 'update', changes: {} }, 'changes'],
    ['a name for all', { action: 'update', changes: { name: 'x' } }, 'changes.name'],
    [
      'a target for all',
      { action: 'update', changes: { url: 'https://example.com', kind: 'http' } },
      'changes.url',
      'changes.kind',
    ],
    ['tags in two ways', { action: 'update', changes: { tags: [], add_tags: ['a'] } }, 'changes.tags'],
    ['an interval that none has', { action: 'update', changes: { interval_seconds: 1 } }, 'changes.interval_seconds'],
    ['changes beside a pause', { action: 'pause', changes: { timeout_ms: 500 } }, 'changes'],
  ]
  for (const [what, body, ...fields] of bodies)
    it(`is refused with ${what}`, async () => {
      const answer = await bulk.call('POST', bulkPath, { ...body, monitor_ids: [id] })
      assert.deepEqual(refusalOf(answer), [422, 'validation_failed', ...fields])
    })

  it('is not for viewers', async () => {
    const monitor = await createMonitor(api)
    const viewer = await joinedAs(people, 'viewer')
    const body = { action: 'update', monitor_ids: [monitor.id], changes: { timeout_ms: 500 } }
    const seen = await viewer.browser.api('POST', bulkPath, { workspace: api.workspaceId, body })
    assert.deepEqual(refusalOf(seen), [403, 'insufficient_scope'])
  })

  it('is made of three hundred', async () => {
    const ids = await addPendingMonitors(database, { workspaceId: api.workspaceId, count: 300 })
    assert.deepEqual(outcomeOf(await change(ids, { timeout_ms: 2000, add_tags: ['Fleet'] })), [300])
    const found = await api.get('/monitors?tag=fleet&limit=500&fields=timeout_ms')
    const { data } = z.object({ data: z.array(z.object({ timeout_ms: z.int() })) }).parse(found.body)
    assert.deepEqual([data.length, new Set(data.map(({ timeout_ms: timeout }) => timeout))], [300, new Set([2000])])
  })
})
