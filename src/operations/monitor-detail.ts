import type { MonitorDetail } from '#core/monitor-detail.ts'
import type { MonitorRecord } from '#core/monitor.ts'
import { barDays, dailyBars, firstBarDay, firstProblemDay } from '#core/uptime-bars.ts'
import { type AllTime, allTime, periodUnit } from '#core/uptime-history.ts'
import { startOfLastDay, summarizeUptime } from '#core/uptime.ts'
import { dayMs, dayOf, startOf } from '#core/utc-day.ts'
import { listMonitorIncidents, totalIncidents } from '#store/incidents.ts'
import { readLatencies } from '#store/latencies.ts'
import type { Past } from '#store/pasts.ts'
import { listResults } from '#store/results.ts'
import { countSince, listProblems, readDays, readPeriods } from '#store/uptime.ts'
import { findMonitorPast, findTarget, planOf } from './monitor-surroundings.ts'
import type { Context } from './operation.ts'

const recentCount = 100

export type DetailTarget = { record: MonitorRecord; past: Past }

export async function findDetailTarget(context: Context, path: Record<string, string>): Promise<DetailTarget> {
  const [record, past] = await Promise.all([findTarget(context, path), findMonitorPast(context, path)])
  return { record, past }
}

/** The monitor with all that is known of it (specification, MonitorDetail). */
export async function readDetail(context: Context, { record, past }: DetailTarget): Promise<MonitorDetail> {
  const { caller, services, now } = context
  const { database } = services
  const { monitorKey } = past
  const from = firstBarDay(now)
  const recentSince = startOf(from)
  const ofMonitor = { workspaceId: caller.workspaceId, monitorId: record.id, monitorKey }
  const [days, allTimePeriods, lastDay, latencies, problems, totals, incidents, results] = await Promise.all([
    readDays(database, { monitorKey, from, to: dayOf(now) }),
    readAllTime(context, past),
    countSince(database, { monitorKey, since: startOfLastDay(now), until: tomorrow(now) }),
    readLatencies(database, {
      monitorKey,
      from,
      singlesSince: later(past.mergedUntil, recentSince),
      until: tomorrow(now),
    }),
    listProblems(database, { monitorKey, since: recentSince }),
    totalIncidents(database, { ...ofMonitor, recentSince, now }),
    listMonitorIncidents(database, { ...ofMonitor, limit: recentCount }),
    listResults(database, { ...ofMonitor, limit: recentCount, now }),
  ])
  const kept = past.billing === 'paid' ? barDays : planOf(services, past.plan).problemDays
  return {
    data: record,
    uptime: summarizeUptime(days, { lastDay, now }),
    results,
    days: dailyBars({ days, latencies, problems }, { now, problemsSince: firstProblemDay(now, kept) }),
    all_time: allTimePeriods,
    incident_totals: totals,
    incidents,
  }
}

async function readAllTime({ services, now }: Context, { monitorKey, since }: Past): Promise<AllTime> {
  const today = dayOf(now)
  if (since === null) return allTime([], { since, today })
  const unit = periodUnit(since, today)
  return allTime(await readPeriods(services.database, { monitorKey, unit, to: today }), { since, today })
}

/** Later than any result, whatever the clocks of the engine and of the API make of the moment. */
function tomorrow(now: Date): Date {
  return new Date(now.getTime() + dayMs)
}

function later(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other
}
