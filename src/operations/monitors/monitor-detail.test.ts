import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noLatencies } from '#core/results/latency-day.ts'
import { monitorDetailSchema } from '#core/monitors/monitor-detail.ts'
import { addDays } from '#core/language/utc-day.ts'
import { type TestApi, testApi } from '../../../test/support/api.ts'
import {
  addDays as addStoredDays,
  addIncident,
  addProblem,
  addResults,
  addRunningIncident,
  createMonitor,
} from '../../../test/support/monitors.ts'
import { monitorOperations } from './monitors.ts'

const now = new Date('2026-11-21T12:07:00.000Z')
const today = '2026-11-21'

/** Today's minutes from midnight on. */
function at(index: number): Date {
  return new Date(Date.parse('2026-11-21T00:00:00Z') + index * 60_000)
}

async function detailOf(api: TestApi, id: string) {
  const answer = await api.get(`/monitors/${id}`)
  assert.equal(answer.status, 200)
  return monitorDetailSchema.parse(answer.body)
}

describe('a monitor in detail', async () => {
  const api = await testApi({ operations: monitorOperations, now: () => now })

  it('has every member before its first check', async () => {
    const monitor = await createMonitor(api)
    const { days, ...detail } = await detailOf(api, monitor.id)
    assert.deepEqual(detail, {
      data: monitor,
      uptime: { day: null, week: null, month: null, average_latency_ms: null, watched_since: null },
      results: [],
      all_time: { unit: 'day', since: null, periods: [] },
      incident_totals: { all: { count: 0, minutes: 0 }, recent: { count: 0, minutes: 0 } },
      usual_response: null,
      incidents: [],
    })
    assert.deepEqual([days.length, days[0]?.date, days[89]?.date], [90, addDays(today, -89), today])
    assert.ok(days.every(({ checks, uptime, problems }) => checks === 0 && uptime === null && problems.length === 0))
  })

  it('counts the last day by quarter-hours and merged checks by their number', async () => {
    const { id } = await createMonitor(api)
    await addResults(api.database, id, [
      { at: '2026-11-20T11:59:59.999Z', status: 'down', latencyMs: null },
      { at: '2026-11-20T12:00:00Z', latencyMs: 100 },
      { at: '2026-11-21T12:06:00Z', status: 'down', latencyMs: null },
      { at: '2026-11-21T12:06:30Z', status: 'degraded', latencyMs: 4000 },
      { at: '2026-11-21T12:07:00Z', latencyMs: 300 },
    ])
    await api.database.pool.query(
      `update results set repeats = 3, latency_sum_ms = 300, latency_count = 3 where round_at = '2026-11-20T12:00:00Z' and monitor_key = (select key from monitors where id = $1)`,
      [id],
    )
    const { uptime, results, days, all_time } = await detailOf(api, id)
    assert.deepEqual(uptime, {
      day: 83.333,
      week: 60,
      month: 60,
      average_latency_ms: 920,
      watched_since: '2026-11-20T00:00:00.000Z',
    })
    assert.deepEqual(results.map(({ checked_at }) => checked_at).slice(0, 2), [
      '2026-11-21T12:07:00.000Z',
      '2026-11-21T12:06:30.000Z',
    ])
    assert.deepEqual(days[89], {
      date: today,
      checks: 3,
      up: 1,
      down: 1,
      restricted: 1,
      latency_ms: 2150,
      uptime: 66.667,
      ...noLatencies,
      p50_ms: 297,
      p95_ms: 4038,
      p99_ms: 4038,
      problems: [],
    })
    assert.deepEqual(all_time, {
      unit: 'day',
      since: '2026-11-20',
      periods: [
        { from: '2026-11-20', to: '2026-11-20', checks: 2, up: 1, down: 1, latency_ms: 100 },
        { from: today, to: today, checks: 3, up: 1, down: 1, latency_ms: 2150 },
      ],
    })
  })

  it('is watched since it was made, once it was checked', async () => {
    const { id } = await createMonitor(api)
    const { rows } = await api.database.pool.query<{ created: Date }>(
      'update monitors set created_at = $2 where id = $1 returning created_at as created',
      [id, at(700)],
    )
    assert.equal((await detailOf(api, id)).uptime.watched_since, null)
    await addResults(api.database, id, [{ at: at(701) }])
    assert.equal((await detailOf(api, id)).uptime.watched_since, rows[0]?.created.toISOString())
  })

  it('parts a day from the next at midnight, to the microsecond', async () => {
    const { id } = await createMonitor(api)
    await addResults(api.database, id, [
      { at: '2026-11-20T23:59:59.999Z', microseconds: 999, latencyMs: 10 },
      { at: '2026-11-21T00:00:00.000Z', latencyMs: 30 },
      { at: '2026-11-21T00:00:00.000Z', microseconds: 1, latencyMs: 31, location: 'boston' },
    ])
    await addProblem(api.database, id, { startedAt: '2026-11-20T23:59:59.999Z', endedAt: '2026-11-21T00:00:00.001Z' })
    const { days, all_time } = await detailOf(api, id)
    const told = days.slice(-2).map(({ checks, latency_ms, p50_ms, problems }) => {
      return { checks, latency_ms, p50_ms, problems: problems.length }
    })
    assert.deepEqual(told, [
      { checks: 1, latency_ms: 10, p50_ms: 10, problems: 1 },
      { checks: 2, latency_ms: 31, p50_ms: 30, problems: 1 },
    ])
    assert.deepEqual(
      all_time.periods.map(({ from, checks }) => [from, checks]),
      [
        ['2026-11-20', 1],
        [today, 2],
      ],
    )
  })

  it('has nothing of a monitor that was deleted and made anew, whose incidents stay', async () => {
    const made = await createMonitor(api, { name: 'Again' })
    await addResults(api.database, made.id, [{ at: at(0) }])
    await addStoredDays(api.database, made.id, [{ date: addDays(today, -40), up: 10 }])
    await addIncident(api.database, made, { startedAt: '2026-11-20T00:00:00Z', resolvedAt: '2026-11-20T01:00:00Z' })
    const before = await detailOf(api, made.id)
    assert.deepEqual([before.incident_totals.all.count, before.all_time.since], [1, addDays(today, -40)])
    assert.equal((await api.request('DELETE', `/monitors/${made.id}`)).status, 204)
    const again = await createMonitor(api, { name: 'Again' })
    assert.notEqual(again.id, made.id)
    const { results, days, all_time, incident_totals, incidents } = await detailOf(api, again.id)
    assert.deepEqual([results, incidents, all_time.since, incident_totals.all.count], [[], [], null, 0])
    assert.ok(days.every(({ checks, problems }) => checks === 0 && problems.length === 0))
    assert.equal((await api.get(`/monitors/${made.id}`)).status, 404)
    const kept = await api.database.pool.query('select from incidents where monitor_id = $1', [made.id])
    assert.equal(kept.rowCount, 1)
  })

  it('has gaps where it was paused', async () => {
    const { id } = await createMonitor(api)
    await addStoredDays(api.database, id, [
      { date: addDays(today, -200), up: 10 },
      { date: addDays(today, -199), up: 10, down: 10 },
      { date: addDays(today, -3), up: 5 },
    ])
    const { uptime, days, all_time } = await detailOf(api, id)
    assert.deepEqual(uptime, {
      day: null,
      week: 100,
      month: 100,
      average_latency_ms: null,
      watched_since: `${addDays(today, -200)}T00:00:00.000Z`,
    })
    assert.deepEqual(
      days.filter(({ checks }) => checks > 0).map(({ date }) => date),
      [addDays(today, -3)],
    )
    assert.ok(days.every(({ checks, uptime: percent, p99_ms }) => (checks > 0 || percent === null) && p99_ms === null))
    assert.equal(all_time.unit, 'week')
    const empty = all_time.periods.filter(({ checks }) => checks === 0)
    assert.equal(empty.length, all_time.periods.length - 2)
    assert.ok(empty.every(({ up, down, latency_ms }) => up === 0 && down === 0 && latency_ms === null))
  })

  it('shows a year of history as weeks', async () => {
    const { id } = await createMonitor(api)
    const days = Array.from({ length: 365 }, (_, index) => ({ date: addDays(today, index - 364), up: 1440 }))
    await addStoredDays(api.database, id, days)
    const { all_time } = await detailOf(api, id)
    assert.deepEqual([all_time.unit, all_time.since, all_time.periods.length], ['week', addDays(today, -364), 53])
    assert.equal(
      all_time.periods.reduce((sum, { checks }) => sum + checks, 0),
      365 * 1440,
    )
  })

  it('lists a failure on every day it touches', async () => {
    const { id } = await createMonitor(api)
    await addProblem(api.database, id, {
      startedAt: '2026-11-18T22:00:00Z',
      endedAt: '2026-11-19T01:00:00Z',
      status: 'degraded',
      error: 'slow',
      locations: ['boston'],
    })
    await addProblem(api.database, id, { startedAt: '2026-11-20T22:00:00Z', endedAt: null })
    const { days } = await detailOf(api, id)
    assert.deepEqual(
      days.filter(({ problems }) => problems.length > 0).map(({ date }) => date),
      ['2026-11-18', '2026-11-19', '2026-11-20', today],
    )
    assert.deepEqual(days.find(({ date }) => date === '2026-11-19')?.problems, [
      {
        started_at: '2026-11-18T22:00:00.000Z',
        ended_at: '2026-11-19T01:00:00.000Z',
        status: 'degraded',
        error: 'slow',
        location_codes: ['boston'],
        incident_id: null,
      },
    ])
  })

  it('totals its incidents, and of the last 90 days only their part', async () => {
    const { id, name } = await createMonitor(api)
    const other = await createMonitor(api)
    const monitor = { id, name }
    await addIncident(api.database, monitor, { startedAt: '2026-01-01T00:00:00Z', resolvedAt: '2026-01-01T00:10:00Z' })
    await addIncident(api.database, monitor, { startedAt: '2026-08-23T23:00:00Z', resolvedAt: '2026-08-24T00:30:00Z' })
    await addIncident(api.database, monitor, { startedAt: '2026-11-20T00:00:00Z', resolvedAt: '2026-11-20T00:00:40Z' })
    await addIncident(api.database, other, { startedAt: '2026-11-20T00:00:00Z', resolvedAt: '2026-11-20T05:00:00Z' })
    await addRunningIncident(api.database, { ...other, id, name }, new Date('2026-11-21T12:02:00Z'))
    const { incident_totals, incidents } = await detailOf(api, id)
    assert.deepEqual(incident_totals, { all: { count: 4, minutes: 106 }, recent: { count: 3, minutes: 36 } })
    assert.deepEqual(
      incidents.map(({ started_at }) => started_at.slice(0, 10)),
      [today, '2026-11-20', '2026-08-23', '2026-01-01'],
    )
  })

  it('counts an incident as recent that touches the last 90 days', async () => {
    const { id, name } = await createMonitor(api)
    const first = '2026-08-24T00:00:00Z'
    await addIncident(api.database, { id, name }, { startedAt: '2026-08-23T23:50:00Z', resolvedAt: first })
    await addIncident(api.database, { id, name }, { startedAt: first, resolvedAt: first })
    await addIncident(api.database, { id, name }, { startedAt: first, resolvedAt: '2026-08-24T00:01:30Z' })
    const { incident_totals } = await detailOf(api, id)
    assert.deepEqual(incident_totals, { all: { count: 3, minutes: 12 }, recent: { count: 2, minutes: 2 } })
  })

  it('shows the newest 100 results and incidents', async () => {
    const monitor = await createMonitor(api)
    await addResults(
      api.database,
      monitor.id,
      Array.from({ length: 101 }, (_, index) => ({ at: at(index) })),
    )
    for (let index = 0; index <= 100; index += 1)
      await addIncident(api.database, monitor, {
        startedAt: at(index).toISOString(),
        resolvedAt: at(index).toISOString(),
      })
    const { results, incidents } = await detailOf(api, monitor.id)
    assert.deepEqual([results.length, incidents.length], [100, 100])
    assert.deepEqual([results[99]?.checked_at, incidents[99]?.started_at], [at(1).toISOString(), at(1).toISOString()])
  })
})

describe('the failures of the daily bars', async () => {
  const api = await testApi({ operations: monitorOperations, plan: 'free', now: () => now })

  it('are kept 30 days on the free plan, 90 for a paid monitor', async () => {
    const { id } = await createMonitor(api)
    await addProblem(api.database, id, {
      startedAt: `${addDays(today, -30)}T10:00:00Z`,
      endedAt: `${addDays(today, -29)}T10:00:00Z`,
    })
    await addProblem(api.database, id, {
      startedAt: `${addDays(today, -60)}T10:00:00Z`,
      endedAt: `${addDays(today, -60)}T11:00:00Z`,
    })
    const dates = async () =>
      (await detailOf(api, id)).days.filter(({ problems }) => problems.length > 0).map(({ date }) => date)
    assert.deepEqual(await dates(), [addDays(today, -29)])
    await api.database.query
      .updateTable('monitors')
      .set({ billing: 'paid', billing_period: 'monthly' })
      .where('id', '=', id)
      .execute()
    assert.deepEqual(await dates(), [addDays(today, -60), addDays(today, -30), addDays(today, -29)])
  })
})
