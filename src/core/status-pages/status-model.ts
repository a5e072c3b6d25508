import type { MaintenanceStep } from '#core/maintenance-news.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { type StatusBar, uptimeBars } from './status-bars.ts'
import type { StoredImage } from './page-image.ts'
import type { PostState, StatusPageRecord } from './status-page.ts'
import { type PageState, type PageStanding, standingOf } from './status-standing.ts'
import type { DayCounts } from '#core/results/uptime.ts'

/** The stored settings of a page that its readers may know: no workspace, no target, no error. */
export type StatusHead = Pick<
  StatusPageRecord,
  'id' | 'slug' | 'title' | 'description' | 'homepage' | 'domain' | 'theme' | 'accent' | 'layout' | 'history'
> & { responseCharts: boolean; createdAt: Date; logo: StoredImage | null; favicon: StoredImage | null }

/** A monitor of a page, as the store reads it. */
export type ReportedMonitor = {
  id: string
  /** The name that the page shows. */
  name: string
  section: number
  charts: MonitorRecord['charts']
  state: PageState
  /** The first day with checks. */
  since: string | null
  /** As core/results/uptime.ts has it. */
  watchedSince: Date | null
  /** Days of the last 90 that had checks, oldest first. */
  days: DayCounts[]
  /** The periods of the whole history, where the page shows it; else empty. */
  periods: DayCounts[]
  /**
   * Quarter-hours of the last day, counted from `startOfLastDay`, with their averages in milliseconds; oldest first.
   */
  responses: (readonly [quarter: number, averageMs: number])[]
}

export type ShownPost = { id: string; state: PostState; body: string; postedAt: Date; editedAt: Date | null }

/** `posts` has the newest first. */
export type ReportedIncident = {
  id: string
  monitorId: string
  startedAt: Date
  resolvedAt: Date | null
  /** A person made it, and the monitor need not have been down. */
  byHand?: boolean
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

/** One occurrence of a maintenance window, current or to come. */
export type PlannedMaintenance = {
  id: string
  title: string
  description: string
  startsAt: Date
  endsAt: Date
  /** When the window was planned. */
  createdAt: Date
  /** Names as the page shows them. */
  monitors: string[]
}

/** The news of an announced maintenance; the times are those that hold since. */
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
  /** Newest first: incidents that run, and incidents that ended in the last 14 days. */
  running: ReportedIncident[]
  ended: ReportedIncident[]
  /** Newest first: announcements on top of the page, and those that ended and were posted in the last 14 days. */
  announcements: Announcement[]
  endedAnnouncements: Announcement[]
  maintenance: PlannedMaintenance[]
  /** News of the last 14 days, newest first. */
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
  /** When its running incident began. */
  downSince: Date | null
  watchedSince: Date | null
  /** Null where the page shows only response times of the monitor. */
  bars: StatusBar[] | null
  /** Null where response times are not shown, or were not measured. */
  response: ResponseChart | null
  /** Whether response times of the monitor are public. */
  showsResponse: boolean
  days: DayCounts[]
}

export type ShownIncident = Omit<ReportedIncident, 'monitorId'> & { monitorName: string }

/** Everything that a page shows at one moment. */
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
  /** The newest day that is signed, and the hash of its head (docs/design/signed-history.md); null before there is one. */
  signedUntil: SignedUntil | null
}

export type SignedUntil = { day: string; hash: string }

/** How far ahead a page announces maintenance. */
export const announcedDays = 7
/** Days of past incidents that the page itself shows; older ones are in its history. */
export const pastDays = 14
const quarters = 97

export function statusModel(
  head: StatusHead,
  report: StatusReport,
  { now, signedUntil = null }: { now: Date; signedUntil?: SignedUntil | null },
): StatusModel {
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
    signedUntil,
  }
}

/**
 * Names incidents as the page names their monitors, and drops incidents of other monitors, which readers may not see.
 */
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
  const { id, name, state, watchedSince, charts, days } = monitor
  const showsResponse = head.responseCharts && charts !== 'uptime'
  return {
    id,
    name,
    state,
    downSince: state === 'down' ? downSince : null,
    watchedSince,
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
