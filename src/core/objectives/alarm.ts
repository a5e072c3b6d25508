// When an objective is told: its budget burns too fast, or is used up (docs/objectives.md).
import {
  budgetMs,
  burnRate,
  dayMs,
  type Measured,
  measuredFrom,
  sumWithin,
  type Target,
  windowOf,
} from './attainment.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Of a window of 30 days, by "Alerting on SLOs" in Google's Site Reliability Workbook: both windows have to burn faster
 * than `rate`. The short one ends the alarm soon after the trouble is over.
 */
const tiers = [
  { rate: 14.4, longMs: hourMs, shortMs: 5 * minuteMs },
  { rate: 6, longMs: 6 * hourMs, shortMs: 30 * minuteMs },
  { rate: 1, longMs: 3 * dayMs, shortMs: 6 * hourMs },
] as const
const usualDays = 30

export type Tier = { rate: number; longMs: number; shortMs: number }

/**
 * A rate means the same part of the budget in any window if the windows of the tier grow and shrink with it. None gets
 * shorter than it is for 30 days at the fastest rate: checks a minute apart cannot tell what two minutes burn.
 */
export function tiersOf(windowDays: number): Tier[] {
  const scale = windowDays / usualDays
  return tiers.map(({ rate, longMs, shortMs }) => ({
    rate,
    longMs: Math.max(hourMs, longMs * scale),
    shortMs: Math.max(5 * minuteMs, shortMs * scale),
  }))
}

export type AlarmReason = 'burning' | 'used_up'

/** `rate` is the burn rate over `overMs`. */
export type Alarm = { reason: AlarmReason; rate: number; overMs: number }

/** Nothing was measured lately, so nothing is known to have begun or ended. */
export type Sight = { alarm: Alarm | null } | 'unknown'

/** A budget is judged once so much of the window is measured: one minute would use up that of the first hours. */
const judgedShare = 0.1

export function sightOf(target: Target, monitors: readonly Measured[], nowMs: number): Sight {
  const { objective, windowDays } = target
  const window = windowOf(target, nowMs)
  const from = measuredFrom(monitors, window)
  const scaled = tiersOf(windowDays)
  const lately = Math.min(...scaled.map(({ shortMs }) => shortMs))
  const rateOver = (ms: number): number => burnRate(sumWithin(monitors, [nowMs - ms, nowMs]), objective) ?? 0
  if (from === null || sumWithin(monitors, [nowMs - lately, nowMs]).measuredMs === 0) return 'unknown'
  const burning = scaled.find(
    ({ rate, longMs, shortMs }) => from <= nowMs - longMs && rateOver(longMs) > rate && rateOver(shortMs) > rate,
  )
  const over = burning?.longMs ?? Math.min(dayMs, windowDays * dayMs)
  const sum = sumWithin(monitors, window)
  const isUsedUp = sum.downMs > budgetMs(sum, objective) && nowMs - from >= judgedShare * windowDays * dayMs
  if (!isUsedUp && burning === undefined) return { alarm: null }
  return { alarm: { reason: isUsedUp ? 'used_up' : 'burning', rate: rateOver(over), overMs: over } }
}

/** What is told, and what is then told of: null where that is over. */
export type AlarmChange = { type: 'slo.burning'; alarm: Alarm } | { type: 'slo.recovered' }

/** Null where nothing changes. A budget that is used up stays so until nothing burns and there is budget again. */
export function alarmChange(told: AlarmReason | null, sight: Sight): AlarmChange | null {
  if (sight === 'unknown') return null
  const { alarm } = sight
  if (alarm === null) return told === null ? null : { type: 'slo.recovered' }
  const isNews = told === null || (told === 'burning' && alarm.reason === 'used_up')
  return isNews ? { type: 'slo.burning', alarm } : null
}
