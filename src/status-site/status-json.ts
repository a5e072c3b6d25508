import { barsUptime } from '#core/status-pages/status-bars.ts'
import type { Announcement, ShownIncident, ShownMonitor, StatusModel } from '#core/status-pages/status-model.ts'
import { standingText } from '#core/status-pages/status-words.ts'
import type { StatusPlace } from './status-frame.ts'

/** The page for programs: nothing that the page itself does not say. Members are only ever added. */
export function renderStatusJson(model: StatusModel, { url, i18n }: StatusPlace): string {
  const { title, standing, at, history } = model
  return `${JSON.stringify({
    page: { title, url, updated_at: at.toISOString() },
    status: { indicator: standing.tone, description: standingText(i18n, standing) },
    history,
    signed_until: model.signedUntil,
    sections: model.sections.map(({ name, monitors }) => ({ name, monitors: monitors.map(toMonitor) })),
    incidents: [...model.running, ...model.ended].map(toIncident),
    announcements: model.announcements.map(toAnnouncement),
    maintenance: model.maintenance.map(({ id, title: name, description, startsAt, endsAt, monitors }) => ({
      id,
      title: name,
      description,
      starts_at: startsAt.toISOString(),
      ends_at: endsAt.toISOString(),
      monitors,
    })),
  })}\n`
}

function toMonitor({ id, name, state, downSince, watchedSince, bars, response }: ShownMonitor): object {
  return {
    id,
    name,
    state,
    down_since: downSince?.toISOString() ?? null,
    watched_since: watchedSince?.toISOString() ?? null,
    uptime: bars === null ? null : barsUptime(bars),
    bars: bars?.map(({ from, to, checks, failed, degraded }) => ({ from, to, checks, failed, degraded })) ?? null,
    response_ms: response?.averageMs ?? null,
  }
}

function toIncident({ id, monitorName, startedAt, resolvedAt, posts }: ShownIncident): object {
  return {
    id,
    monitor_name: monitorName,
    started_at: startedAt.toISOString(),
    resolved_at: resolvedAt?.toISOString() ?? null,
    posts: posts.map(({ id: postId, state, body, postedAt }) => ({
      id: postId,
      state,
      body,
      posted_at: postedAt.toISOString(),
    })),
  }
}

function toAnnouncement({ id, title, body, postedAt, endsAt }: Announcement): object {
  return { id, title, body, posted_at: postedAt.toISOString(), ends_at: endsAt?.toISOString() ?? null }
}
