import type { MaintenanceStep } from '#core/maintenance-news.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { type StatusBar, uptimeBars } from './status-bars.ts'
import type { PostState, StatusPageRecord } from './status-page.ts'
import { type PageState, type PageStanding, standingOf } from './status-standing.ts'
import type { DayCounts } from '#core/results/uptime.ts'

/** What is stored of a page, as its readers may know it: no workspace, no target, no error. */
export type StatusHead = Pick<
  StatusPageRecord,
  'id' | 'slug' | 'title' | 'description' | 'homepage' | 'domain' | 'theme' | 'history'
> & { responseCharts: boolean; createdAt: Date }

/** A monitor that stands on a page, as it was read. */
export type ReportedMonitor = {
  id: string
  /** As the page shows it. */
  name: string
  section: number
  charts: MonitorRecord['charts']
  state: PageState
  /** The first day with checks. */
  since: string | null
  /** Of the last 90 days, those that had checks, oldest first. */
  days: DayCounts[]
  /** Of the whole history in its periods, where the page shows that; else empty. */
  periods: DayCounts[]
  /** Of the last day: quarter-hours since `startOfLastDay`, and the average in milliseconds; oldest first. */
  responses: (readonly [quarter: number, averageMs: number])[]
}

export type ShownPost = { id: string; state: PostState; body: string; postedAt: Date; editedAt: Date | null }

/** Posts are the newest first. */
export type ReportedIncident = {
  id: string
  monitorId: string
  startedAt: Date
  resolvedAt: Date | null
  posts: ShownPost[]
}

export type Announcement = {
  id: string
  title: string
  body: string
  postedAt: Date
  endsAt: Date | null
  editedAt: Date | null
}

/** Work that was planned, now or to come. */
export type PlannedMaintenance = {
  id: string
  title: string
  description: string
  startsAt: Date
  endsAt: Date
  /** When it was planned. */
  createdAt: Date
  /** Names as the page shows them. */
  monitors: string[]
}

/** What came of a maintenance that was announced; the times are those that hold since. */
export type MaintenanceNews = {
  id: string
  type: MaintenanceStep['type']
  windowId: string
  title: string
  startsAt: Date
  endsAt: Date
  at: Date
}

export type StatusReport = {
  sections: string[]
  monitors: ReportedMonitor[]
  /** Newest first: those that run, and those that ended in the last 14 days. */
  running: ReportedIncident[]
  ended: ReportedIncident[]
  /** Newest first: those on top, and those that ended and were posted in the last 14 days. */
  announcements: Announcement[]
  endedAnnouncements: Announcement[]
  maintenance: PlannedMaintenance[]
  /** Of the last 14 days, the newest first. */
  maintenanceNews: MaintenanceNews[]
}

export type ResponseChart = {
  /** 97 quarter-hours, the last one now; null where nothing was measured. */
  averagesMs: (number | null)[]
  averageMs: number
  fastestMs: number
  slowestMs: number
}

export type ShownMonitor = {
  id: string
  name: string
  state: PageState
  /** Of its running incident. */
  downSince: Date | null
  since: string | null
  /** Null where only response times are shown. */
  bars: StatusBar[] | null
  /** Null where they are not shown, or there are none. */
  response: ResponseChart | null
  /** Whether response times of it are public. */
  showsResponse: boolean
  days: DayCounts[]
}

export type ShownIncident = Omit<ReportedIncident, 'monitorId'> & { monitorName: string }

/** Everything a page says, at one moment. */
export type StatusModel = StatusHead & {
  at: Date
  standing: PageStanding
  sections: { name: string; monitors: ShownMonitor[] }[]
  running: ShownIncident[]
  ended: ShownIncident[]
  announcements: Announcement[]
  endedAnnouncements: Announcement[]
  maintenance: PlannedMaintenance[]
  maintenanceNews: MaintenanceNews[]
}

/** How far ahead a page announces maintenance. */
export const announcedDays = 7
/** Days of past incidents that the page itself shows; older ones are in its history. */
export const pastDays = 14
const quarters = 97

export function statusModel(head: StatusHead, report: StatusReport, now: Date): StatusModel {
  const downSince = new Map(report.running.map(({ monitorId, startedAt }) => [monitorId, startedAt]))
  const shown = report.monitors.map((monitor) => ({
    section: monitor.section,
    monitor: showMonitor(monitor, { head, now, downSince: downSince.get(monitor.id) ?? null }),
  }))
  const bySection = Map.groupBy(shown, ({ section }) => section)
  const sections = report.sections.map((name, index) => ({
    name,
    monitors: (bySection.get(index) ?? []).map(({ monitor }) => monitor),
  }))
  const named = (incidents: readonly ReportedIncident[]): ShownIncident[] => nameIncidents(incidents, report.monitors)
  return {
    ...head,
    at: now,
    standing: standingOf(shown.map(({ monitor }) => monitor.state)),
    sections: sections.filter(({ monitors }) => monitors.length > 0),
    running: named(report.running),
    ended: named(report.ended),
    announcements: report.announcements,
    endedAnnouncements: report.endedAnnouncements,
    maintenance: report.maintenance,
    maintenanceNews: report.maintenanceNews,
  }
}

/** Incidents with the names that the page has for their monitors: others are nobody's business. */
export function nameIncidents(
  incidents: readonly ReportedIncident[],
  monitors: readonly Pick<ReportedMonitor, 'id' | 'name'>[],
): ShownIncident[] {
  const names = new Map(monitors.map(({ id, name }) => [id, name]))
  return incidents.flatMap(({ monitorId, ...incident }) => {
    const monitorName = names.get(monitorId)
    return monitorName === undefined ? [] : [{ ...incident, monitorName }]
  })
}

type Surroundings = { head: StatusHead; now: Date; downSince: Date | null }

function showMonitor(monitor: ReportedMonitor, { head, now, downSince }: Surroundings): ShownMonitor {
  const { id, name, state, since, charts, days } = monitor
  const showsResponse = head.responseCharts && charts !== 'uptime'
  return {
    id,
    name,
    state,
    downSince: state === 'down' ? downSince : null,
    since,
    bars: charts === 'response' ? null : uptimeBars(monitor, { history: head.history, now }),
    response: showsResponse ? responseChart(monitor.responses) : null,
    showsResponse,
    days,
  }
}

function responseChart(responses: ReportedMonitor['responses']): ResponseChart | null {
  const averagesMs: (number | null)[] = Array.from({ length: quarters }, () => null)
  for (const [quarter, averageMs] of responses) if (quarter >= 0 && quarter < quarters) averagesMs[quarter] = averageMs
  const measured = averagesMs.filter((ms) => ms !== null)
  if (measured.length === 0) return null
  return {
    averagesMs,
    averageMs: Math.round(measured.reduce((sum, ms) => sum + ms, 0) / measured.length),
    fastestMs: Math.min(...measured),
    slowestMs: Math.max(...measured),
  }
}
