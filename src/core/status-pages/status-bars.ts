import type { StatusPageRecord } from './status-page.ts'
import { firstBarDay } from '#core/results/uptime-bars.ts'
import { allTime } from '#core/results/uptime-history.ts'
import { type DayCounts, addCounts, fillDays } from '#core/results/uptime.ts'
import { addDays, dayOf } from '#core/language/utc-day.ts'

/**
 * `near`: fewer than one check in a hundred failed. `partial`: fewer than one in twenty failed. `degraded`: none
 * failed, but some were degraded.
 */
export type BarTone = 'none' | 'up' | 'degraded' | 'near' | 'partial' | 'down'

/** A UTC day, a week or a month; `from` and `to` are both included. */
export type StatusBar = { from: string; to: string; tone: BarTone; checks: number; failed: number; degraded: number }

const nearShare = 0.01
const partialShare = 0.05

type Source = { since: string | null; days: readonly DayCounts[]; periods: readonly DayCounts[] }

/** 90 days, or the whole history in about as many bars, oldest first. Without checks, the whole history has no bars. */
export function uptimeBars(
  { since, days, periods }: Source,
  { history, now }: { history: StatusPageRecord['history']; now: Date },
): StatusBar[] {
  const today = dayOf(now)
  if (history === 'whole')
    return allTime(periods, { since, today }).periods.map(({ from, to, checks, up, down }) =>
      toBar({ from, to, checks, failed: down, degraded: checks - up - down }),
    )
  return fillDays(days, { from: firstBarDay(now), to: today }).map(({ date, checks, down, restricted }) =>
    toBar({ from: date, to: date, checks, failed: down, degraded: restricted }),
  )
}

/**
 * Joins neighbouring bars that look the same and need no text of their own, because nothing failed or nothing is known.
 */
export function runsOfBars(bars: readonly StatusBar[]): StatusBar[][] {
  const runs: StatusBar[][] = []
  for (const bar of bars) {
    const run = runs.at(-1)
    const isQuiet = bar.tone === 'none' || bar.tone === 'up'
    if (run !== undefined && isQuiet && run[0]?.tone === bar.tone) run.push(bar)
    else runs.push([bar])
  }
  return runs
}

/** Uptime of all bars together in percent; null without checks. */
export function barsUptime(bars: readonly StatusBar[]): number | null {
  const sum = { checks: 0, failed: 0 }
  for (const { checks, failed } of bars) {
    sum.checks += checks
    sum.failed += failed
  }
  return availability(sum)
}

/** Uptime of the last `count` UTC days in percent, today included; null without checks. */
export function daysUptime(days: readonly DayCounts[], { count, now }: { count: number; now: Date }): number | null {
  const { checks, down } = addCounts(lastDays(days, count, now))
  return availability({ checks, failed: down })
}

/** Mean response time of the last `count` UTC days in whole milliseconds; null where nothing was measured. */
export function daysLatency(days: readonly DayCounts[], { count, now }: { count: number; now: Date }): number | null {
  const { latencySumMs, latencyCount } = addCounts(lastDays(days, count, now))
  return latencyCount === 0 ? null : Math.round(latencySumMs / latencyCount)
}

/** In percent, cut after the second decimal, so that 100 means that nothing failed. Null without checks. */
export function availability({ checks, failed }: { checks: number; failed: number }): number | null {
  if (checks === 0) return null
  if (failed === 0) return 100
  return Math.min(9_999, Math.floor((10_000 * (checks - failed)) / checks)) / 100
}

function lastDays(days: readonly DayCounts[], count: number, now: Date): DayCounts[] {
  const first = addDays(dayOf(now), 1 - count)
  return days.filter(({ date }) => date >= first)
}

function toBar(bar: Omit<StatusBar, 'tone'>): StatusBar {
  return { ...bar, tone: toneOf(bar) }
}

function toneOf({ checks, failed, degraded }: Omit<StatusBar, 'tone'>): BarTone {
  if (checks === 0) return 'none'
  if (failed === 0) return degraded > 0 ? 'degraded' : 'up'
  const share = failed / checks
  if (share < nearShare) return 'near'
  return share < partialShare ? 'partial' : 'down'
}
