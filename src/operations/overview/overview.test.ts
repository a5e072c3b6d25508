import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { incidentSchema, incidentStorySchema } from '#core/incidents/incident.ts'
import { valuesOf } from '#core/language/tables.ts'
import { listedFields } from '#core/monitors/monitor-fields.ts'
import { type Overview, type OverviewCells, type OverviewRow, overviewSchema } from '#core/overview.ts'
import { addDays as addToDay, dayOf } from '#core/language/utc-day.ts'
import { addMember } from '#store/people/members.ts'
import { addContact, addDownAlert } from '../../../test/support/alerts.ts'
import { cellsOf } from '../../../test/support/overview.ts'
import {
  addDays,
  addIncident,
  addResults,
  addRunningIncident,
  createMonitor,
  refusalOf,
} from '../../../test/support/monitors.ts'
import { peopleApi } from '../../../test/support/people.ts'

const now = new Date()
const today = dayOf(now)
const minuteMs = 60_000

function ago(minutes: number): Date {
  return new Date(now.getTime() - minutes * minuteMs)
}

describe('the overview', async () => {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId } = api
  const { browser, personId } = await people.newcomer('viewer@example.com')
  await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'viewer', at: now }))
  const get = (path: string) => browser.api('GET', path, { workspace: workspaceId })

  async function read(): Promise<Overview> {
    return overviewSchema.parse((await get('/overview')).body)
  }
  async function rowOf(id: string): Promise<OverviewRow> {
    return (await read()).monitors.find(([rowId]) => rowId === id) ?? assert.fail('not listed')
  }
  async function cells(id: string): Promise<OverviewCells> {
    return cellsOf(await rowOf(id))
  }

  it('is empty where there is nothing', async () => {
    const { at, horizon, ...rest } = await read()
    assert.match(horizon, /^\d+$/)
    assert.ok(Math.abs(at - Date.now()) < 60_000)
    assert.deepEqual(rest, { today, monitors: [], groups: [], incidents: [], quiet_since: null })
  })

  it('shows a new monitor as pending, without a past', async () => {
    const monitor = await createMonitor(api, { name: 'New', url: 'https://new.example/path' })
    const listed = valuesOf(monitor, listedFields)
    assert.deepEqual(listed.slice(0, 4), [monitor.id, 'New', 'http', 'https://new.example/path'])
    const { unknownFrom } = await cells(monitor.id)
    assert.ok(unknownFrom !== null && unknownFrom > now.getTime(), 'its first check is due')
    assert.deepEqual(await rowOf(monitor.id), [
      ...listed,
      'pending',
      false,
      null,
      unknownFrom,
      null,
      'n90',
      null,
      null,
      '',
    ])
  })

  it('has 90 days to today in bars and uptime, and nothing older', async () => {
    const { id } = await createMonitor(api)
    const back = (days: number): string => addToDay(today, -days)
    await addDays(database, id, [
      { date: back(90), down: 5 },
      { date: back(89), up: 1 },
      { date: back(45), up: 3, down: 1 },
      { date: back(44), up: 4 },
      { date: today, up: 1 },
    ])
    const { bars, uptime } = await cells(id)
    assert.deepEqual([bars, uptime], ['u1n43d2500u1n43u1', 90])
  })

  it('says since when a monitor is watched, from the moment when it was made', async () => {
    const before = Date.now()
    const { id } = await createMonitor(api)
    await addResults(database, id, [{ at: now }])
    const { watchedSince } = await cells(id)
    assert.ok(watchedSince !== null && watchedSince >= before - 1000 && watchedSince <= Date.now() + 1000)
    const { id: older } = await createMonitor(api)
    await addDays(database, older, [{ date: addToDay(today, -3), up: 1 }])
    assert.equal((await cells(older)).watchedSince, Date.parse(`${addToDay(today, -3)}T00:00:00Z`))
  })

  it('shows what was degraded where nothing failed', async () => {
    const { id } = await createMonitor(api)
    await addResults(database, id, [
      { at: ago(0), status: 'degraded', latencyMs: 900 },
      { at: ago(0), microseconds: 1 },
    ])
    const { bars, uptime } = await cells(id)
    assert.deepEqual([bars, uptime], ['n89g5000', 100])
  })

  it('has the response times of the last 30 rounds, oldest first, and the last of them', async () => {
    const { id } = await createMonitor(api)
    const checks = Array.from({ length: 31 }, (_, index) => ({ at: ago(index), latencyMs: 63 - index }))
    await addResults(database, id, [...checks, { at: ago(-0.5), status: 'down', latencyMs: 12, error: 'refused' }])
    const { latencyMs, spark } = await cells(id)
    assert.equal(latencyMs, 63)
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    assert.equal(spark, `63:${letters.slice(-29)}.`)
  })

  it('has the response times of degraded checks among them', async () => {
    const { id } = await createMonitor(api)
    await addResults(database, id, [
      { at: ago(1), latencyMs: 100 },
      { at: ago(0), status: 'degraded', latencyMs: 6300 },
    ])
    const { latencyMs, spark } = await cells(id)
    assert.deepEqual([latencyMs, spark], [6300, '6300:B_'])
  })

  it('says from when on nobody can tell how a monitor is, and nothing of one that no location checks', async () => {
    const { id } = await createMonitor(api, { interval_seconds: 60, timeout_ms: 5_000 })
    const at = new Date(now.getTime() - 10_000)
    await database.pool.query(
      `with old as (update monitors set created_at = $2 where id = $1 returning key)
      update monitor_state set current_status = 'up', round_at = $2, last_checked_at = $2
      from old where monitor_key = old.key`,
      [id, at],
    )
    assert.equal((await cells(id)).unknownFrom, at.getTime() + 60_000 + 5_000 + 15_000)
    const called = await createMonitor(api, { kind: 'heartbeat', url: undefined, heartbeat_grace_seconds: 60 })
    assert.equal((await cells(called.id)).unknownFrom, null)
  })

  it('takes the mean of the locations of a round', async () => {
    const { id } = await createMonitor(api, { locations: ['amsterdam', 'boston', 'chennai'] })
    await addResults(database, id, [
      { at: ago(1), location: 'amsterdam', latencyMs: 100 },
      { at: ago(1), location: 'boston', status: 'degraded', latencyMs: 200 },
      { at: ago(1), location: 'chennai', status: 'down', latencyMs: 5000, error: 'slow' },
      { at: ago(2), location: 'amsterdam', status: 'down', latencyMs: null, error: 'refused' },
    ])
    const { latencyMs, spark } = await cells(id)
    assert.deepEqual([latencyMs, spark], [150, '150:._'])
  })

  it('says of a paused monitor that it is, and when payment is overdue', async () => {
    const { id } = await createMonitor(api)
    await api.post(`/monitors/${id}/pause`)
    await database.pool.query(`update monitors set billing_state = 'overdue' where id = $1`, [id])
    const { state, isOverdue } = await cells(id)
    assert.deepEqual([state, isOverdue], ['paused', true])
  })

  it('names the members of groups', async () => {
    const { id: member } = await createMonitor(api)
    const options = { member_ids: [member], group_policy: 'all' }
    const { id } = await createMonitor(api, { kind: 'group', url: undefined, check_options: options })
    assert.deepEqual((await read()).groups, [[id, [member]]])
  })

  it('has the incidents that run, newest first, and since when there was none', async () => {
    const [one, other] = [await createMonitor(api, { name: 'One' }), await createMonitor(api, { name: 'Other' })]
    const earlier = await addRunningIncident(database, one, ago(20))
    const later = await addRunningIncident(database, other, ago(10))
    await addIncident(database, one, { startedAt: ago(60).toISOString(), resolvedAt: ago(50).toISOString() })
    const { incidents, quiet_since: quietSince } = await read()
    assert.deepEqual(
      incidents.map(({ id, status }) => [id, status]),
      [
        [later, 'open'],
        [earlier, 'open'],
      ],
    )
    assert.equal(quietSince, ago(50).toISOString())
    const { state, checkedAt } = await cells(one.id)
    assert.deepEqual([state, checkedAt], ['down', ago(20).getTime()])
  })

  it('shows nothing of other workspaces', async () => {
    const elsewhere = await api.addWorkspace()
    const { id } = await createMonitor(api, {}, elsewhere.token)
    assert.ok(!(await read()).monitors.some(([rowId]) => rowId === id))
    assert.equal((await browser.api('GET', '/overview', { workspace: elsewhere.workspaceId })).status, 401)
    assert.equal((await api.get('/overview')).status, 401)
  })
})

describe('incidents in the console', async () => {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId } = api
  const { browser, personId } = await people.newcomer('viewer@example.com')
  await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'viewer', at: now }))
  const get = (path: string) => browser.api('GET', path, { workspace: workspaceId })
  const monitor = await createMonitor(api)
  const pageSchema = z.object({ data: z.array(incidentSchema), next_cursor: z.string().nullable() })
  const storyOf = async (id: string) =>
    z.object({ data: incidentStorySchema }).parse((await get(`/incidents/${id}/story`)).body).data

  it('come page by page, each once, also those that began together', async () => {
    const startedAt = new Date(now.getTime() - 3_600_000).toISOString()
    for (let count = 0; count < 5; count += 1)
      await addIncident(database, monitor, { startedAt, resolvedAt: now.toISOString() })
    const running = await addRunningIncident(database, monitor, now)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const after: string = cursor === null ? '' : `&cursor=${cursor}`
      const page = pageSchema.parse((await get(`/incident-pages?limit=2${after}`)).body)
      assert.ok(page.data.length <= 2)
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor !== null)
    assert.deepEqual([seen.length, new Set(seen).size, seen[0]], [6, 6, running])
    const counts: number[] = []
    for (const status of ['open', 'acknowledged', 'resolved'])
      counts.push(pageSchema.parse((await get(`/incident-pages?status=${status}`)).body).data.length)
    assert.deepEqual(counts, [1, 0, 5])
  })

  it('are refused for what is no filter, and none are shown of elsewhere', async () => {
    assert.deepEqual(refusalOf(await get('/incident-pages?status=closed')), [400, 'validation_failed', 'status'])
    assert.deepEqual(refusalOf(await get('/incident-pages?cursor=1')), [400, 'validation_failed', 'cursor'])
    assert.deepEqual(refusalOf(await get('/incident-pages?limit=201')), [400, 'validation_failed', 'limit'])
    const elsewhere = await api.addWorkspace()
    const foreign = await createMonitor(api, {}, elsewhere.token)
    const id = await addRunningIncident(database, foreign, now)
    assert.equal((await get(`/incidents/${id}/story`)).status, 404)
    const { next_cursor: cursor } = pageSchema.parse((await get('/incident-pages?limit=1')).body)
    const [place = '', signature = ''] = (cursor ?? '').split('.')
    const moved = Buffer.from(JSON.stringify([now.toISOString(), id])).toString('base64url')
    for (const wrong of [`${moved}.${signature}`, `${place}.`, place, `${cursor}&status=open`])
      assert.deepEqual(refusalOf(await get(`/incident-pages?cursor=${wrong}`)), [400, 'validation_failed', 'cursor'])
  })

  it('say where they were seen, and what became of each alert', async () => {
    const other = await createMonitor(api, { name: 'Other', url: 'https://other.example' })
    const id = await addRunningIncident(database, other, now)
    const bare = await storyOf(id)
    assert.deepEqual(bare.monitor, { name: 'Other', kind: 'http', url: 'https://other.example', interval_seconds: 300 })
    assert.deepEqual([bare.location_codes, bare.deliveries, bare.events.length], [['amsterdam'], [], 1])

    await addContact(database, { workspaceId, name: 'Ops' })
    const alone = await createMonitor(api, { name: 'Alone' })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId: alone.id })
    const [delivery, ...others] = (await storyOf(incidentId)).deliveries
    assert.deepEqual(
      [delivery?.contact_name, delivery?.contact_kind, delivery?.type, others.length],
      ['Ops', 'webhook', 'monitor.down', 0],
    )
    await database.pool.query(
      `update deliveries set state = 'failed', attempt = 4, error = 'The server answered 500.', ended_at = now()
      where incident_id = $1`,
      [incidentId],
    )
    const [failed] = (await storyOf(incidentId)).deliveries
    assert.deepEqual(
      [failed?.state, failed?.attempts, failed?.error, failed?.next_attempt_at],
      ['failed', 4, 'The server answered 500.', null],
    )
    assert.ok(failed?.ended_at !== null)
  })

  it('outlive their monitor', async () => {
    const gone = await createMonitor(api)
    const id = await addRunningIncident(database, gone, now)
    assert.equal((await api.request('DELETE', `/monitors/${gone.id}`)).status, 204)
    const { monitor: found, location_codes: locations, status } = await storyOf(id)
    assert.deepEqual([found, locations, status], [null, [], 'resolved'])
  })
})
