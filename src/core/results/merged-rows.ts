import { floorTo } from './merge-spans.ts'

/** A row of the results table, of one monitor. Times in microseconds since 1970. */
export type ResultRow = Outcome & {
  location: number
  round: number
  latencyMs: number | null
  /** dns, connect, tls, ttfb, transfer. */
  phasesMs: readonly (number | null)[]
  details: Record<string, unknown> | null
  repeats: number
  /** Of rows that stand for several checks; null in single ones. */
  lastRound: number | null
  latencyMaxMs: number | null
  latencySumMs: number | null
  latencyCount: number | null
}

/** What must be the same for results to become one: seeing `error` change is seeing something happen. */
export type Outcome = {
  status: string
  statusCode: number | null
  error: string | null
  /** Of a check that counts in no uptime. */
  inMaintenance: boolean
}

/**
 * What merging makes of a monitor's rows: those before `until` become one for each bucket, location and outcome, named
 * by its first check. The store does this in SQL (`store/merge-statements.ts`); this says what it has to come to.
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

/** Weighed by the checks a row stands for: of phases, unlike of the latency, no sums are kept with the row. */
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
