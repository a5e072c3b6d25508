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
import { readReports } from './monitor-reports.ts'
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
})

function isOfLastDay({ round }: { round: number }): boolean {
  return round / 1000 >= startOfLastDay(now).getTime()
}

type Around = { before: readonly Step[]; merge: () => Promise<void> }

/** Reads the reports so that these steps have ended when merging begins, and the others begin when it has ended. */
function reportsAround({ planned }: Database, history: TestHistory, { before, merge }: Around): Promise<unknown> {
  const awaited = new Set(before)
  const merged = Promise.withResolvers<void>()
  const inTurn = async <T>(step: Step, read: () => Promise<T>): Promise<T> => {
    if (!before.includes(step)) await merged.promise
    const found = await read()
    if (awaited.delete(step) && awaited.size === 0) merge().then(merged.resolve, merged.reject)
    return found
  }
  const { workspaceId, id: monitorId } = history
  const named = { workspaceId, monitorId, today: dayOf(now) }
  const times = { from: firstBarDay(now), lastDaySince: startOfLastDay(now), now, until: now }
  const finding = inTurn('known', async () => ({
    past: (await findReportBounds({ planned }, named)) ?? assert.fail('no such monitor'),
  }))
  const query: unknown = Reflect.get(planned, 'query')
  assert.ok(typeof query === 'function')
  const waiting = new Proxy(planned, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name, target)
      return ({ name: statement, ...rest }: { name: string }) => {
        const run = (): unknown => Reflect.apply(query, target, [{ name: statement, ...rest }])
        return inTurn(statement.startsWith('read_past') ? 'past' : 'recent', async () => run())
      }
    },
  })
  return readReports({ planned: waiting }, { ...named, ...times }, finding)
}
