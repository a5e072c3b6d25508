import type { MonitorDetail } from '#core/monitor-detail.ts'
import { barDays, dailyBars, firstProblemDay } from '#core/uptime-bars.ts'
import { allTime } from '#core/uptime-history.ts'
import { startOfLastDay, summarizeUptime } from '#core/uptime.ts'
import { addDays, dayOf, startOf } from '#core/utc-day.ts'
import { listMonitorIncidents, totalIncidents } from '#store/incidents.ts'
import type { FoundMonitor } from '#store/monitors.ts'
import { readPlan } from '#store/plan-slots.ts'
import { listResults } from '#store/results.ts'
import { countSince, listProblems, readDays } from '#store/uptime.ts'
import { planOf } from './monitor-surroundings.ts'
import type { Context } from './operation.ts'

const recentCount = 100

/** The monitor with all that is known of it (specification, MonitorDetail). */
export async function readDetail(context: Context, { record, key, billing }: FoundMonitor): Promise<MonitorDetail> {
  const { caller, services, now } = context
  const { database } = services
  const { workspaceId } = caller
  const today = dayOf(now)
  const plan = planOf(services, await readPlan(database, workspaceId))
  const problemsSince = firstProblemDay(now, billing === 'paid' ? barDays : plan.problemDays)
  const recentSince = startOf(addDays(today, 1 - barDays))
  const [days, lastDay, problems, totals, incidents, results] = await Promise.all([
    readDays(database, { monitorKey: key, from: '-infinity', to: today }),
    countSince(database, { monitorKey: key, since: startOfLastDay(now) }),
    listProblems(database, { monitorKey: key, since: startOf(problemsSince) }),
    totalIncidents(database, { workspaceId, monitorId: record.id, recentSince, now }),
    listMonitorIncidents(database, { workspaceId, monitorId: record.id, limit: recentCount }),
    listResults(database, { monitorId: record.id, monitorKey: key, limit: recentCount }),
  ])
  return {
    data: record,
    uptime: summarizeUptime(days, { lastDay, now }),
    results,
    days: dailyBars(days, problems, { now, problemsSince }),
    all_time: allTime(days, today),
    incident_totals: totals,
    incidents,
  }
}
