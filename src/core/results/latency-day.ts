import { z } from 'zod'
import { type LatencyHistogram, mergeHistograms, percentilesOf } from './latency-histogram.ts'

/** Response times of the checks of a UTC day that were not down, or of a part of it. */
export type LatencyDay = {
  date: string
  histogram: LatencyHistogram
  /**
   * Exact sums in milliseconds, and the numbers of checks in them, for dns, connect, tls, ttfb and transfer in this
   * order.
   */
  phaseSumsMs: readonly number[]
  phaseCounts: readonly number[]
}

const mean = z.int().nullable()
const percentile = z.int().nullable()

/** Members that a day of a monitor's detail has beside those of an uptime day. */
export const latencyMembersSchema = z.strictObject({
  p50_ms: percentile.describe(
    'Median response time of the checks that were not down, at most 2 % off; null without any.',
  ),
  p95_ms: percentile.describe('95 % of these checks took no longer, at most 2 % off.'),
  p99_ms: percentile.describe('99 % of these checks took no longer, at most 2 % off.'),
  phases: z
    .strictObject({ dns_ms: mean, connect_ms: mean, tls_ms: mean, ttfb_ms: mean, transfer_ms: mean })
    .describe('Means over the checks that were not down and had the phase; null where none had.'),
})
export type LatencyMembers = z.infer<typeof latencyMembersSchema>

/** A day may come in parts: its merged results, and the single results beside them. */
export function describeLatencies(parts: readonly LatencyDay[]): Map<string, LatencyMembers> {
  const byDate = Map.groupBy(parts, ({ date }) => date)
  return new Map([...byDate].map(([date, ofDay]) => [date, describe(ofDay)]))
}

export const noLatencies: LatencyMembers = describe([])

function describe(parts: readonly LatencyDay[]): LatencyMembers {
  const histogram = mergeHistograms(parts.map((part) => part.histogram))
  const meanOf = (phase: number): number | null => {
    const count = sum(parts.map(({ phaseCounts }) => phaseCounts[phase] ?? 0))
    return count === 0 ? null : Math.round(sum(parts.map(({ phaseSumsMs }) => phaseSumsMs[phase] ?? 0)) / count)
  }
  return {
    ...percentilesOf(histogram),
    phases: { dns_ms: meanOf(0), connect_ms: meanOf(1), tls_ms: meanOf(2), ttfb_ms: meanOf(3), transfer_ms: meanOf(4) },
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
