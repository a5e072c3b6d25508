import { t } from '@lingui/core/macro'
import type { MonitorDetail } from '../../api/monitors.ts'
import { watchedInstead } from '../../parts/watched.ts'

type Figure = { term: string; percent: number | null }

/** Uptime over the usual times, as far as they have passed since the monitor is watched, and over all that has passed. */
export function uptimeFigures({ uptime, days }: Pick<MonitorDetail, 'uptime' | 'days'>, now: number): Figure[] {
  const whole = uptimeOf(days)
  const figures = [
    { term: t`Uptime, 24 hours`, days: 1, percent: uptime.day },
    { term: t`7 days`, days: 7, percent: uptime.week },
    { term: t`30 days`, days: 30, percent: uptime.month },
    { term: t`90 days`, days: 90, percent: whole },
  ]
  const watched = watchedInsteadOf({ uptime }, { days: 90, now })
  if (watched === null) return figures
  const passed = figures.filter((figure) => watchedInsteadOf({ uptime }, { days: figure.days, now }) === null)
  return [...passed, { term: t`Uptime, ${watched}`, percent: whole }]
}

/** What is said instead of a time that has not passed yet; null where it has. */
export function watchedInsteadOf(
  detail: Pick<MonitorDetail, 'uptime'>,
  asked: { days: number; now: number },
): string | null {
  return watchedInstead(watchedSinceOf(detail), asked)
}

/** In milliseconds since 1970; null where nothing is known of it yet. */
export function watchedSinceOf({ uptime: { watched_since: since } }: Pick<MonitorDetail, 'uptime'>): number | null {
  return since === null ? null : Date.parse(since)
}

/** 100 × (checks − down) / checks, as the service counts it. */
function uptimeOf(days: MonitorDetail['days']): number | null {
  const checks = days.reduce((sum, day) => sum + day.checks, 0)
  const down = days.reduce((sum, day) => sum + day.down, 0)
  return checks === 0 ? null : (100 * (checks - down)) / checks
}
