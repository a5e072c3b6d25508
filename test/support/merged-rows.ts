import { floorTo } from '#core/results/merge-spans.ts'

/** A row of one monitor's results. Times are microseconds since 1970. */
export type ResultRow = Outcome & {
  location: number
  round: number
  latencyMs: number | null
  /** In the order dns, connect, tls, ttfb, transfer. */
  phasesMs: readonly (number | null)[]
  details: Record<string, unknown> | null
  repeats: number
  /** Null for a single check, like the members below. */
  lastRound: number | null
  latencyMaxMs: number | null
  latencySumMs: number | null
  latencyCount: number | null
}

/** Results are merged only when all of these are equal: a change of `error` means that something happened. */
export type Outcome = {
  status: string
  statusCode: number | null
  error: string | null
  /** Whether maintenance keeps the check out of the uptime. */
  inMaintenance: boolean
}

/**
 * The rows of a monitor after merging: those before `until` become one for each bucket, location and outcome, named by
 * its first check. The store merges in SQL (store/results/merge-statements.ts); its outcome is compared with this
 * one.
 */
export function mergeRows(
  rows: readonly ResultRow[],
  { until, bucketUs }: { until: number; bucketUs: number },
): ResultRow[] {
  const groups = Map.groupBy(rows, (row) =>
    JSON.stringify([
      row.location,
      row.status,
      row.statusCode,
      row.error,
      row.inMaintenance,
      row.round < until ? floorTo(bucketUs, row.round) : `single ${row.round}`,
    ]),
  )
  return [...groups.values()]
    .map((group) => mergeGroup(group.toSorted((one, other) => one.round - other.round)))
    .toSorted((one, other) => one.round - other.round || one.location - other.location)
}

function mergeGroup(group: readonly ResultRow[]): ResultRow {
  const [first] = group
  const newest = group.at(-1)
  if (first === undefined || newest === undefined) throw new Error('A group has at least one row.')
  if (group.length === 1) return first
  const sumMs = sum(group.map(({ latencySumMs, latencyMs }) => latencySumMs ?? latencyMs ?? 0))
  const count = sum(group.map(latencyCountOf))
  const slowest = Math.max(...group.map(({ latencyMaxMs, latencyMs }) => latencyMaxMs ?? latencyMs ?? -Infinity))
  return {
    ...first,
    latencyMs: count === 0 ? null : Math.round(sumMs / count),
    phasesMs: first.phasesMs.map((_, phase) => phaseMean(group, phase)),
    details: newest.details,
    repeats: sum(group.map(({ repeats }) => repeats)),
    lastRound: newest.lastRound ?? newest.round,
    latencyMaxMs: slowest === -Infinity ? null : slowest,
    latencySumMs: sumMs,
    latencyCount: count,
  }
}

function latencyCountOf({ latencyCount, latencyMs }: ResultRow): number {
  return latencyCount ?? (latencyMs === null ? 0 : 1)
}

/** Weighs each row by its number of checks: a row has sums for the latency, but only means for the phases. */
function phaseMean(group: readonly ResultRow[], phase: number): number | null {
  let [total, count] = [0, 0]
  for (const { phasesMs, repeats } of group) {
    const ms = phasesMs[phase] ?? null
    if (ms === null) continue
    total += ms * repeats
    count += repeats
  }
  return count === 0 ? null : Math.round(total / count)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
