import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { sumWithin } from '#core/objectives/attainment.ts'
import type { SloInput } from '#core/objectives/slo.ts'
import type { Span } from '#core/objectives/spans.ts'
import { testApi } from '../../../test/support/api.ts'
import { addPendingMonitors } from '../../../test/support/many-monitors.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { givePast } from '../../../test/support/objectives.ts'
import { insertSlo } from './slos.ts'
import { readMeasured } from './timelines.ts'

const hourMs = 3_600_000
const now = new Date(Math.floor(Date.now() / 1000) * 1000)
const nowMs = now.getTime()

/** Hours before now. */
function ago(from: number, until: number): Span {
  return [nowMs - from * hourMs, nowMs - until * hourMs]
}

const plain = {
  name: 'Checkout',
  tags: [],
  objective: 99.9,
  window_days: 30,
  alerts: false,
  alert_channel_ids: null,
  escalation_policy_id: null,
}

describe('what is measured of objectives', async () => {
  const api = await testApi({ plan: 'pro' })
  const { database, workspaceId } = api
  const shop = await createMonitor(api, { name: 'Shop', tags: ['Production'] })
  const blog = await createMonitor(api, { name: 'Blog', tags: ['production', 'slow'] })
  const sinceMs = nowMs - 200 * 24 * hourMs

  beforeEach(async () => {
    await database.pool.query('delete from maintenance_windows')
    await database.pool.query('delete from slos')
    for (const { id } of [shop, blog]) await givePast(database, id, { sinceMs, nowMs })
  })

  const add = async (chosen: Partial<SloInput> = {}): Promise<string> => {
    const id = randomUUID()
    await database.transaction((tx) => insertSlo(tx, { ...plain, monitor_ids: [shop.id], ...chosen, id, workspaceId }))
    return id
  }
  const measured = async (id: string) =>
    (await readMeasured(database, { workspaceId, sloIds: [id], now, windowDays: 30 })).get(id) ?? []
  const namesOf = async (id: string) => (await measured(id)).map(({ name }) => name).toSorted()
  /** Hours measured and down within the last day. */
  const hoursOf = async (id: string) => {
    const { measuredMs, downMs } = sumWithin(await measured(id), [nowMs - 24 * hourMs, nowMs])
    return [measuredMs / hourMs, downMs / hourMs]
  }
  const tag = (tags: string[]) => api.request('PATCH', `/monitors/${shop.id}`, { body: { name: 'Shop', tags } })
  const plan = ([from, until]: Span, monitorIds?: string[]) =>
    planMaintenance(database, {
      workspaceId,
      now: new Date(nowMs - 300 * 24 * hourMs),
      occurrences: [{ startsAt: new Date(from), endsAt: new Date(until) }],
      ...(monitorIds === undefined ? {} : { monitorIds }),
    })

  it('are the monitors with one of the tags, whatever its case, also those that get it later', async () => {
    const id = await add({ monitor_ids: null, tags: ['PRODUCTION'] })
    assert.deepEqual(await namesOf(id), ['Blog', 'Shop'])
    const slow = await add({ monitor_ids: null, tags: ['slow', 'none'] })
    assert.deepEqual(await namesOf(slow), ['Blog'])
    const both = await add({ monitor_ids: null, tags: ['slow', 'Production'] })
    assert.deepEqual(await namesOf(both), ['Blog', 'Shop'])
    const together = await readMeasured(database, { workspaceId, sloIds: [slow, both, await add()], now })
    assert.deepEqual(
      [...together.values()].map((monitors) => monitors.map(({ name }) => name).toSorted()),
      [['Blog'], ['Blog', 'Shop'], ['Shop']],
    )
    const changed = await api.request('PATCH', `/monitors/${shop.id}`, { body: { name: 'Shop', tags: ['slow'] } })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await measured(slow)).length, 2)
    await api.request('PATCH', `/monitors/${shop.id}`, { body: { name: 'Shop', tags: ['Production'] } })
  })

  it('are the oldest thousand of all tags together', async () => {
    const many = await addPendingMonitors(database, { workspaceId, count: 1_100 })
    const { pool } = database
    await pool.query(
      `update monitors
      set tags = case when place <= 600 then '{early}' else '{late}' end::text[],
        created_at = timestamptz '2020-01-01' + place * interval '1 minute', name = place
      from unnest($1::uuid[]) with ordinality as asked (asked_id, place)
      where id = asked_id`,
      [many],
    )
    const all = await namesOf(await add({ monitor_ids: null, tags: ['early', 'late'] }))
    assert.deepEqual([all.length, Math.max(...all.map(Number))], [1_000, 1_000])
    assert.equal((await measured(await add({ monitor_ids: null, tags: ['late'] }))).length, 500)
    await pool.query('delete from monitors where id = any($1)', [many])
  })

  it('are those that are named and still there', async () => {
    assert.deepEqual(await measured(await add({ monitor_ids: [randomUUID()] })), [])
    assert.equal((await measured(await add({ monitor_ids: [randomUUID(), blog.id] }))).length, 1)
  })

  it('is downtime from incidents, also of one that began before the window or runs', async () => {
    await givePast(database, shop.id, { sinceMs, nowMs, outages: [ago(31 * 24, 29 * 24), ago(3, 2.5)] })
    await database.pool.query(
      `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at)
      values ($1, $2, $3, 'Shop', 'open', 'Down', $4)`,
      [randomUUID(), workspaceId, shop.id, new Date(nowMs - hourMs)],
    )
    const id = await add()
    assert.deepEqual(await hoursOf(id), [24, 1.5])
    assert.equal(sumWithin(await measured(id), [0, nowMs]).downMs, (24 + 1.5) * hourMs)
  })

  it('leaves out maintenance of the monitor and of the workspace, where windows overlap and over midnight', async () => {
    await givePast(database, shop.id, { sinceMs, nowMs, outages: [ago(20, 10)] })
    await plan(ago(18, 16), [shop.id])
    await plan(ago(17, 14), [shop.id, blog.id])
    await plan(ago(14.5, 13))
    await plan(ago(12, 11), [blog.id])
    await plan([nowMs - hourMs, nowMs + hourMs])
    assert.deepEqual(await hoursOf(await add()), [18, 5])
    assert.deepEqual(await hoursOf(await add({ monitor_ids: [blog.id] })), [24 - 4 - 1 - 1, 0])
  })

  it('leaves out maintenance of a tag while the monitor had it, to the second', async () => {
    const id = await add()
    const [from, until] = ago(9, 2)
    const occurrences = [{ startsAt: new Date(from), endsAt: new Date(until) }]
    const began = new Date(nowMs - 300 * 24 * hourMs)
    await planMaintenance(database, { workspaceId, now: began, occurrences, monitorTags: ['PRODUCTION'] })
    assert.deepEqual(await hoursOf(id), [24 - 7, 0])
    const dated = (column: string, hours: number) =>
      database.pool.query(
        `update maintenance_tagged set ${column} = $1
        where ${column} > now() - interval '1 minute' and ${column} < 'infinity'`,
        [new Date(nowMs - hours * hourMs)],
      )
    await tag(['other'])
    await dated('until', 8.25)
    await tag(['Production'])
    await dated('since', 5.5)
    assert.deepEqual(await hoursOf(id), [24 - 0.75 - 3.5, 0])
    assert.deepEqual(await hoursOf(await add({ monitor_ids: [blog.id] })), [24 - 7, 0])
  })

  it('leaves out maintenance that began before the window', async () => {
    await plan(ago(31 * 24, 29 * 24), [shop.id])
    assert.equal(sumWithin(await measured(await add()), [0, nowMs]).measuredMs, 29 * 24 * hourMs)
  })

  it('knows nothing of maintenance of other workspaces', async () => {
    const other = await api.addWorkspace()
    await planMaintenance(database, {
      workspaceId: other.workspaceId,
      now: new Date(nowMs - 24 * hourMs),
      occurrences: [{ startsAt: new Date(nowMs - 2 * hourMs), endsAt: now }],
    })
    assert.deepEqual(await hoursOf(await add()), [24, 0])
  })

  it('leaves out gaps, and what was an outage within them', async () => {
    await givePast(database, shop.id, { sinceMs, nowMs, outages: [ago(5, 3)], gaps: [ago(10, 9), ago(4, 2)] })
    assert.deepEqual(await hoursOf(await add()), [21, 1])
  })

  it('leaves out the time since the last word of a monitor that is silent', async () => {
    await givePast(database, shop.id, { sinceMs, nowMs: nowMs - 2 * hourMs })
    await database.pool.query('update monitors set interval_seconds = 900 where id = $1', [shop.id])
    assert.deepEqual(await hoursOf(await add()), [22.25, 0])
  })

  it('counts nothing of a monitor before its first check, while it is paused, and until the check after that', async () => {
    const { id: monitorId } = await createMonitor(api, { name: 'New' })
    const id = await add({ monitor_ids: [monitorId] })
    const later = { workspaceId, sloIds: [id], now: new Date(nowMs + 24 * hourMs) }
    const sum = async () => sumWithin((await readMeasured(database, later)).get(id) ?? [], [0, later.now.getTime()])
    assert.equal((await sum()).measuredMs, 0)
    await givePast(database, monitorId, { sinceMs: nowMs - hourMs, nowMs: later.now.getTime() })
    assert.equal((await sum()).measuredMs, 25 * hourMs)
    await api.post(`/monitors/${monitorId}/pause`)
    const paused = (await sum()).measuredMs
    assert.ok(paused < 2 * hourMs, String(paused))
    await api.post(`/monitors/${monitorId}/resume`)
    assert.equal((await sum()).measuredMs, paused)
  })
})
