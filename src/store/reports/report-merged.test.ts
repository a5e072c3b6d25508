import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReportContent } from '#core/reports/report-content.ts'
import { readPeriod } from '#core/reports/report-period.ts'
import { uptimePercent } from '#core/results/uptime.ts'
import { testApi } from '../../../test/support/api.ts'
import { checksOf } from '../../../test/support/check-stream.ts'
import { type TestHistory, addChecks, addHistoryMonitor, drain } from '../../../test/support/history.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { readReportContent } from './report-content.ts'

const hour = 3_600_000
/** The Tuesday after a week whose ends lie within the days that have checks. */
const now = new Date('2026-11-24T12:00:00Z')

describe('the uptime of a report', async () => {
  const api = await testApi()
  const { database, workspaceId } = api
  const read = (timeZone: string): Promise<ReportContent> => {
    const period = readPeriod('2026-W47', { type: 'weekly', timeZone }) ?? assert.fail()
    const settings = { weekday: 1, hour: 8, monitorIds: null, tags: [], objective: 99.9, recipientIds: [] }
    const report = {
      id: '00000000-0000-4000-8000-00000000abcd',
      workspaceId,
      name: 'Report',
      type: 'weekly' as const,
      timeZone,
      ...settings,
      dueAt: null,
      sentPeriod: null,
      sentAt: null,
      createdAt: now,
    }
    return readReportContent(database, { report, period, now })
  }
  const history = await addHistoryMonitor(database, (await createMonitor(api)).id)
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati']

  it('counts each check once in every zone, before and after its results are merged', async () => {
    for (const [from, to] of [
      ['2026-11-15T06:00:00Z', '2026-11-16T12:00:00Z'],
      ['2026-11-21T20:00:00Z', '2026-11-24T10:00:00Z'],
    ] as const) {
      const span = { from: Date.parse(from), to: Date.parse(to) }
      await addChecks(database, history, checksOf({ intervalMs: 60_000, locations: 2, seed: span.from }, span))
    }
    for (const isMerged of [false, true]) {
      if (isMerged) await drain(database, new Date(now.getTime() + 48 * hour))
      for (const zone of zones) {
        const { monitors, period, notes } = await read(zone)
        assert.equal(monitors[0]?.uptime, countedUptime(history, period), `${zone}, merged: ${isMerged}`)
        assert.doesNotMatch(notes.join(' '), /nearest UTC days/)
      }
    }
  })
})

/** Of the checks as they came, without any sum in between. */
function countedUptime(
  { checks }: TestHistory,
  { starts_at: from, ends_at: until }: ReportContent['period'],
): number | null {
  const [begin, end] = [Date.parse(from) * 1000, Date.parse(until) * 1000]
  const counted = checks.filter(({ round, inMaintenance }) => round >= begin && round < end && !inMaintenance)
  assert.ok(counted.length > 1000)
  return uptimePercent({ checks: counted.length, down: counted.filter(({ status }) => status === 'd').length })
}
