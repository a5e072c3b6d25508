import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstBarDay } from '#core/results/uptime-bars.ts'
import { startOfLastDay } from '#core/results/uptime.ts'
import { dayOf } from '#core/language/utc-day.ts'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import { addChecks, addHistoryMonitor, drain, reportsOf, type TestHistory } from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import type { Database } from '#store/database/database.ts'
import { type Reports, readReports } from './monitor-reports.ts'
import { findReportBounds } from './report-bounds.ts'

const hour = 3_600_000
const now = new Date('2031-03-12T01:10:00Z')
const ago = (hours: number): Date => new Date(now.getTime() - hours * hour)

/** The reads of a report. The test ends each one before a merge, or begins it afterwards. */
type Step = 'known' | 'recent' | 'past'

/** How far a monitor was merged, in hours ago, before and after; which steps come before it is merged further. */
const cases: { from: number | null; to: number; before: Step[] }[] = [
  { from: null, to: 0, before: ['known'] },
  { from: null, to: 0, before: ['recent'] },
  { from: null, to: 30, before: ['recent'] },
  { from: 30, to: 20, before: ['known'] },
  { from: 30, to: 20, before: ['recent'] },
  { from: 30, to: 0, before: ['known', 'past'] },
  { from: 20, to: 0, before: ['known'] },
  { from: 20, to: 0, before: ['recent'] },
  { from: 20, to: 0, before: ['known', 'recent'] },
  { from: 20, to: 0, before: ['known', 'past'] },
]

/** When a monitor was made, and how far it was merged, in hours ago; which days' tables are read. */
const reads: { made: number; merged: number | null; tables: string[] }[] = [
  { made: 10, merged: null, tables: ['2031-03-11_2031-03-12'] },
  { made: 40, merged: null, tables: ['2031-03-11_2031-03-12', '2031-03-10_2031-03-12'] },
  { made: 56, merged: 30, tables: ['2031-03-11_2031-03-12', '2031-03-10_2031-03-12'] },
  { made: 56, merged: 20, tables: ['2031-03-11_2031-03-12'] },
  { made: 9 * 24, merged: null, tables: ['2031-03-11_2031-03-12', 'all'] },
]

describe("a monitor's reports", async () => {
  const api = await testApi()
  const { database } = api

  for (const { from, to, before } of cases)
    it(`merged to ${to} instead of ${from} h ago after ${before.join(' and ')}, count each check once`, async () => {
      const history = await addHistoryMonitor(database, (await createMonitor(api)).id)
      const stream = { intervalMs: 60_000, locations: 1, seed: to }
      await addChecks(database, history, checksOf(stream, { from: ago(56).getTime(), to: now.getTime() }))
      if (from !== null) await drain(database, ago(from))
      const expected = await reportsOf(database, history, now)
      assert.equal(expected.lastDay.checks, history.checks.filter(isOfLastDay).length)
      assert.deepEqual(
        await reportsAround(database, history, { before, merge: () => drain(database, ago(to)) }),
        expected,
      )
      assert.deepEqual(await reportsOf(database, history, now), expected)
    })

  for (const { made, merged, tables } of reads)
    it(`read ${tables.join(' and ')}, made ${made} h and merged to ${merged} h ago`, async () => {
      const history = await addHistoryMonitor(database, (await createMonitor(api)).id)
      await database.pool.query('update monitors set created_at = $2 where id = $1', [history.id, ago(made)])
      const stream = { intervalMs: 600_000, locations: 1, seed: made }
      await addChecks(database, history, checksOf(stream, { from: ago(made).getTime(), to: now.getTime() }))
      if (merged !== null) await drain(database, ago(merged))
      const names: string[] = []
      const { mayHaveOlder } = await reportsWith(database.planned, history, (name, run) => {
        names.push(name)
        return run()
      })
      assert.equal(mayHaveOlder, made > 23)
      const recent = names.filter((name) => name.startsWith('read_recent_reports'))
      assert.deepEqual(
        recent.map((name) => name.slice('read_recent_reports_'.length) || 'all'),
        tables,
      )
    })
})

function isOfLastDay({ round }: { round: number }): boolean {
  return round / 1000 >= startOfLastDay(now).getTime()
}

/** Reads the reports so that these steps have ended when merging begins, and the others begin when it has ended. */
function reportsAround({ planned }: Database, history: TestHistory, { before, merge }: Around): Promise<unknown> {
  const awaited = new Set(before)
  const merged = Promise.withResolvers<void>()
  return reportsWith(planned, history, async (name, run) => {
    const step = stepOf(name)
    if (!before.includes(step)) await merged.promise
    const found = await run()
    if (awaited.delete(step) && awaited.size === 0) merge().then(merged.resolve, merged.reject)
    return found
  })
}

function stepOf(statement: string): Step {
  if (statement === 'find_past') return 'known'
  return statement.startsWith('read_past') ? 'past' : 'recent'
}

type Planned = Database['planned']
type Around = { before: readonly Step[]; merge: () => Promise<void> }
/** Is told of each statement, and runs it. */
type Through = (name: string, run: () => Promise<unknown>) => Promise<unknown>

async function reportsWith(planned: Planned, history: TestHistory, through: Through): Promise<Reports> {
  const { workspaceId, id: monitorId } = history
  const named = { workspaceId, monitorId, today: dayOf(now) }
  const times = { from: firstBarDay(now), lastDaySince: startOfLastDay(now), now, until: now }
  const query: unknown = Reflect.get(planned, 'query')
  assert.ok(typeof query === 'function')
  const told = new Proxy(planned, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name, target)
      return (statement: { name: string }) =>
        through(statement.name, async (): Promise<unknown> => Reflect.apply(query, target, [statement]))
    },
  })
  const finding = findReportBounds({ planned: told }, named)
  const past = finding.then((found) => ({ past: found ?? assert.fail('no such monitor') }))
  return readReports({ planned: told }, { ...named, ...times }, past)
}
