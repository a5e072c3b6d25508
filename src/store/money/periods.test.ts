import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { uptimeBars } from '#core/status-pages/status-bars.ts'
import { allTime } from '#core/results/uptime-history.ts'
import type { DayCounts } from '#core/results/uptime.ts'
import { addDays, dayOf, startOf } from '#core/language/utc-day.ts'
import { testApi } from '../../../test/support/api.ts'
import { reportsOf } from '../../../test/support/history.ts'
import { addDays as addUptime, createMonitor } from '../../../test/support/monitors.ts'
import { addPage } from '../../../test/support/status.ts'
import { testDay } from '../../../test/support/uptime.ts'
import { beginGathering, gatherNextMonth } from '#store/results/day-gathering.ts'
import { findReportBounds } from '#store/monitors/report-bounds.ts'
import { readStatusReport } from '#store/status-pages/page-reports.ts'

const today = '2026-11-21'
const names = ['A', 'B', 'C']

/** Days before today on which a monitor was checked, and what its checks came to. */
const history = fc.uniqueArray(
  fc.record({ age: fc.nat(1300), up: fc.nat(3), down: fc.nat(2), restricted: fc.nat(2) }),
  { selector: ({ age }) => age, maxLength: 50 },
)

describe('a whole history in periods, on status pages and of one monitor', async () => {
  const api = await testApi()
  const { database, workspaceId } = api
  const { pool } = database
  const ids: string[] = []
  for (const name of names) ids.push((await createMonitor(api, { name })).id)
  await pool.query('update monitors set created_at = $1', [startOf(addDays(today, -1300))])
  const page = await addPage(database, { workspaceId, slug: 'whole', history: 'whole', monitorIds: ids })

  async function barsAt(now: Date) {
    const { monitors } = await readStatusReport(database, { head: page, workspaceId, now })
    return monitors.map((monitor) => uptimeBars(monitor, { history: 'whole', now }))
  }

  /** The all-time figure as the API computes it. */
  async function allTimeAt(monitorId: string, now: Date) {
    const named = { workspaceId, id: monitorId }
    const past = (await findReportBounds(database, { workspaceId, monitorId, today: dayOf(now) })) ?? assert.fail()
    const { periods } = await reportsOf(database, named, now)
    return allTime(periods, { since: past.since, today: dayOf(now) })
  }

  /** Sums the months that have ended by then, as the job does, but for the monitors that are left out. */
  async function gather(at: Date, leftOut: readonly string[]): Promise<void> {
    await beginGathering(database, at)
    while ((await gatherNextMonth(database)) !== null);
    await pool.query(
      'delete from uptime_months using monitors m where m.key = monitor_key and m.id = any($1::uuid[])',
      [leftOut],
    )
  }

  it('are what their days add up to, however many of the months are summed already', { timeout: 120_000 }, async () => {
    const histories = fc.tuple(history, history, history)
    const gathering = fc.record({ age: fc.nat(1300), leftOut: fc.subarray(ids) })
    const property = fc.asyncProperty(histories, gathering, fc.nat(40), async (given, { age, leftOut }, later) => {
      await pool.query('delete from uptime_days; delete from uptime_months; delete from gathered_months')
      const all = given.map((days) => days.map(({ age: back, ...counts }) => testDay(addDays(today, -back), counts)))
      for (const [index, days] of all.entries()) await addUptime(database, ids[index] ?? '', days)
      await gather(startOf(addDays(today, -age)), leftOut)
      const now = new Date(startOf(addDays(today, later)).getTime() + 3_600_000)
      assert.deepEqual(
        await barsAt(now),
        all.map((days) => barsOfDays(days, now)),
      )
      for (const [index, days] of all.entries())
        assert.deepEqual(await allTimeAt(ids[index] ?? '', now), allTime(days, spanOf(days, now)))
    })
    await fc.assert(property, { numRuns: 40 })
  })

  it('lose nothing to a month that was gathered when it had been summed before', async () => {
    await pool.query('delete from uptime_days; delete from uptime_months; delete from gathered_months')
    const days = [testDay('2026-03-31', { up: 4 }), testDay('2026-04-01', { up: 5, down: 1 })]
    await addUptime(database, ids[0] ?? '', days)
    await addUptime(database, ids[0] ?? '', [testDay('2025-01-01', { up: 1 }), testDay('2024-01-01', { up: 1 })])
    const now = startOf(today)
    const before = await barsAt(now)
    await gather(now, [])
    await pool.query('update gathered_months set next_key = 0')
    await gather(now, [])
    assert.deepEqual(await barsAt(now), before)
    const sums = await pool.query('select month::text, checks, up, down from uptime_months order by month desc limit 2')
    assert.deepEqual(sums.rows, [
      { month: '2026-04-01', checks: 6, up: 5, down: 1 },
      { month: '2026-03-01', checks: 4, up: 4, down: 0 },
    ])
  })
})

/** Computed from the days alone. */
function barsOfDays(days: readonly DayCounts[], now: Date): ReturnType<typeof uptimeBars> {
  const { since } = spanOf(days, now)
  return uptimeBars({ since, days, periods: days }, { history: 'whole', now })
}

function spanOf(days: readonly DayCounts[], now: Date): { since: string | null; today: string } {
  return { since: days.map(({ date }) => date).toSorted()[0] ?? null, today: dayOf(now) }
}
