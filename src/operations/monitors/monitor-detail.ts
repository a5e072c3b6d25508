import type { MonitorDetail } from '#core/monitors/monitor-detail.ts'
import { barDays, dailyBars, firstBarDay, firstProblemDay } from '#core/results/uptime-bars.ts'
import { allTime } from '#core/results/uptime-history.ts'
import { startOfLastDay, summarizeUptime, watchedSince } from '#core/results/uptime.ts'
import { type UsualResponse, usualOf, usualResponse, usualSpan } from '#core/results/usual.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import { type KnownMonitor, findKnownMonitor } from '#store/monitors/monitor-records.ts'
import { type Reports, readReports, reportedCount } from '#store/monitors/monitor-reports.ts'
import type { ReportBounds } from '#store/monitors/report-bounds.ts'
import { readHours } from '#store/results/latency-hours.ts'
import { listResults } from '#store/results/results.ts'
import { monitorNotFound, planOf } from './monitor-surroundings.ts'
import { shownTo } from './shown-monitor.ts'
import type { Context } from '#operations/pipeline/operation.ts'

/** The monitor with its uptime, response times, incidents and newest results. */
export async function readDetail(context: Context, monitorId: string): Promise<MonitorDetail> {
  const { caller, services, now } = context
  const { workspaceId } = caller
  const today = dayOf(now)
  const finding = findKnown(context, monitorId)
  const times = { from: firstBarDay(now), today, lastDaySince: startOfLastDay(now), now, until: tomorrow(now) }
  const reading = readReports(services.database, { workspaceId, monitorId, ...times }, finding)
  const usual = finding.then((known) => readUsualResponse(context, known))
  const [{ record, past }, reports, usualNow] = await Promise.all([finding, reading, usual])
  const { plan, billing, since, imported } = past
  const kept = billing === 'paid' ? barDays : planOf(services, plan).problemDays
  return {
    data: shownTo(caller, record),
    uptime: summarizeUptime(reports.days, { lastDay: reports.lastDay, watched: watchedSince(past), now }),
    results: await newestResults(context, { reports, past, monitorId }),
    days: dailyBars(reports, { now, problemsSince: firstProblemDay(now, kept) }),
    all_time: allTime(reports.periods, { since, today }),
    ...(imported === null ? {} : { imported }),
    incident_totals: reports.totals,
    usual_response: usualNow,
    incidents: reports.incidents,
  }
}

/** Read only for monitors that tell when they are slow. */
async function readUsualResponse({ services, now }: Context, { record, past }: KnownMonitor): Promise<UsualResponse> {
  const { alert_slow_factor: factor } = record
  if (factor === null) return null
  const key = Number(past.monitorKey)
  const known = await readHours(services.database, { monitorKeys: [key], ...usualSpan(now) })
  return usualResponse(usualOf(known.get(key)), factor)
}

async function findKnown({ services, caller, now }: Context, monitorId: string): Promise<KnownMonitor> {
  const request = { workspaceId: caller.workspaceId, monitorId, today: dayOf(now), now }
  return (await findKnownMonitor(services.database, services.secrets, request)) ?? monitorNotFound()
}

type Known = { reports: Reports; past: ReportBounds; monitorId: string }

/** Most monitors have a hundred results among the recent ones; of the others the older ones are looked for. */
async function newestResults(
  { services, now }: Context,
  { reports, past: { monitorKey, kind }, monitorId }: Known,
): Promise<Reports['results']> {
  if (reports.results.length === reportedCount || !reports.mayHaveOlder) return reports.results
  return listResults(services.database, { monitorId, monitorKey, kind, limit: reportedCount, now })
}

/** Later than any result, whatever the clocks of the engine and of the API make of the moment. */
function tomorrow(now: Date): Date {
  return new Date(now.getTime() + dayMs)
}
