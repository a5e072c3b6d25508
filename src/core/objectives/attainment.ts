// What of a window was measured, and what of it was downtime (docs/objectives.md).
import { intersectionOf, lengthWithin, type Span, type Spans, unionOf, without } from './spans.ts'
import type { MonitorPart, SloState } from './slo.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** What is known of a monitor; times in milliseconds since 1970. Spans are in any order unless said otherwise. */
export type Timeline = {
  monitorId: string
  name: string
  sinceMs: number
  /** Its incidents. */
  down: Spans
  /** When nobody could tell how it is. */
  unknown: Spans
  /** In order. */
  maintenance: Spans
}

/** Both are in order, and `down` is within `measured`. */
export type Measured = { monitorId: string; name: string; measured: Spans; down: Spans }

/** Maintenance and what is unknown count neither as up nor as down. */
export function measure({ monitorId, name, sinceMs, down, unknown, maintenance }: Timeline, window: Span): Measured {
  const [from, until] = window
  const planned = without(unionOf([[Math.max(from, sinceMs), until]]), maintenance)
  const measured = without(planned, unionOf(unknown))
  return { monitorId, name, measured, down: intersectionOf(unionOf(down), measured) }
}

type Sum = { measuredMs: number; downMs: number }

/** Summed over the monitors: a second of each weighs the same. */
export function sumWithin(monitors: readonly Measured[], window: Span): Sum {
  let measuredMs = 0
  let downMs = 0
  for (const { measured, down } of monitors) {
    measuredMs += lengthWithin(measured, window)
    downMs += lengthWithin(down, window)
  }
  return { measuredMs, downMs }
}

/** Percent and days. */
export type Target = { objective: number; windowDays: number }

/** Of the measured time: 0.001 of it with an objective of 99.9. The percent has three decimals, doubles have not. */
export function allowedShare(objective: number): number {
  return (100_000 - Math.round(objective * 1000)) / 100_000
}

/** How many times as fast as the budget allows; null where nothing is measured. */
export function burnRate({ measuredMs, downMs }: Sum, objective: number): number | null {
  return measuredMs === 0 ? null : downMs / measuredMs / allowedShare(objective)
}

export function windowOf({ windowDays }: Target, nowMs: number): Span {
  return [nowMs - windowDays * dayMs, nowMs]
}

/** When measuring began within the window; null where it did not. */
export function measuredFrom(monitors: readonly Measured[], window: Span): number | null {
  const begins = monitors.flatMap(({ measured }) =>
    measured
      .filter(([begin, end]) => end > window[0] && begin < window[1])
      .slice(0, 1)
      .map(([begin]) => begin),
  )
  return begins.length === 0
    ? null
    : Math.max(
        window[0],
        begins.reduce((one, other) => Math.min(one, other)),
      )
}

export function stateOf(target: Target, monitors: readonly Measured[], nowMs: number): SloState {
  const { objective } = target
  const window = windowOf(target, nowMs)
  const sum = sumWithin(monitors, window)
  const from = measuredFrom(monitors, window)
  const { measuredMs, downMs } = sum
  const rateOver = (ms: number): number | null => {
    const rate = burnRate(sumWithin(monitors, [nowMs - ms, nowMs]), objective)
    return rate === null ? null : Math.round(rate * 100) / 100
  }
  return {
    measured_from: from === null ? null : new Date(from).toISOString(),
    measured_seconds: measuredMs / 1000,
    down_seconds: downMs / 1000,
    attained: measuredMs === 0 ? null : attainedPercent(sum),
    is_met: measuredMs === 0 ? null : downMs <= budgetMs(sum, objective),
    budget:
      measuredMs === 0
        ? null
        : budgetOf(sum, { objective, nowMs, lastDay: sumWithin(monitors, [nowMs - dayMs, nowMs]) }),
    burn_rates: {
      '1h': rateOver(hourMs),
      '6h': rateOver(6 * hourMs),
      '24h': rateOver(dayMs),
      '3d': rateOver(3 * dayMs),
    },
  }
}

/** Never rounded up: 99.8999 % is not 99.9 %. Whole numbers, because a quotient of doubles may end just below. */
function attainedPercent({ measuredMs, downMs }: Sum): number {
  return Number((BigInt(measuredMs - downMs) * 1_000_000n) / BigInt(measuredMs)) / 10_000
}

export function budgetMs({ measuredMs }: Sum, objective: number): number {
  return measuredMs * allowedShare(objective)
}

type Now = { objective: number; nowMs: number; lastDay: Sum }

function budgetOf(sum: Sum, { objective, nowMs, lastDay }: Now): NonNullable<SloState['budget']> {
  const totalMs = budgetMs(sum, objective)
  const leftMs = totalMs - sum.downMs
  const isEnding = leftMs > 0 && (burnRate(lastDay, objective) ?? 0) > 1
  const endsMs = isEnding ? nowMs + (leftMs * dayMs) / lastDay.downMs : null
  return {
    total_seconds: Math.round(totalMs) / 1000,
    used_seconds: sum.downMs / 1000,
    left_seconds: Math.round(leftMs) / 1000,
    left_percent: Math.floor((leftMs / totalMs) * 10_000) / 100,
    ends_at: endsMs === null ? null : new Date(endsMs).toISOString(),
  }
}

/** What each monitor took of the budget, the most first. */
export function partsOf(target: Target, monitors: readonly Measured[], nowMs: number): MonitorPart[] {
  const window = windowOf(target, nowMs)
  const totalMs = budgetMs(sumWithin(monitors, window), target.objective)
  return monitors
    .map((monitor) => ({ monitor, ...sumWithin([monitor], window) }))
    .toSorted((one, other) => other.downMs - one.downMs)
    .map(({ monitor, measuredMs, downMs }) => ({
      monitor_id: monitor.monitorId,
      name: monitor.name,
      measured_seconds: measuredMs / 1000,
      down_seconds: downMs / 1000,
      budget_percent: totalMs === 0 ? 0 : Math.round((downMs / totalMs) * 10_000) / 100,
    }))
}
