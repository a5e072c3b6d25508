/** Numbers of checks by slot of latency, slots ascending, as the table `latency_days` stores them. */
export type LatencyHistogram = { readonly slots: readonly number[]; readonly counts: readonly number[] }

/** p50, p95 and p99 in whole milliseconds; null without checks. */
export type Percentiles = { p50_ms: number | null; p95_ms: number | null; p99_ms: number | null }

/** The largest value of an `integer` column, so that every stored latency has a slot. */
const maxLatencyMs = 2 ** 31 - 1

/**
 * The lowest latency of every slot from slot 1 on; slot 0 holds everything below. SQL finds the same slot by
 * `width_bucket(latency_ms, latencyBounds)`, so neither side needs a logarithm. A slot is so wide that its middle is at
 * most 2 % away from every latency in it: one slot a millisecond up to 48 ms, about 440 wider ones above. Stored
 * histograms depend on these bounds: changing them makes every stored day wrong.
 */
export const latencyBounds: readonly number[] = boundsUpTo(maxLatencyMs)

/** Counts the bounds that are not above the latency, as PostgreSQL's `width_bucket` does. */
export function slotOf(latencyMs: number): number {
  let [low, high] = [0, latencyBounds.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((latencyBounds[middle] ?? Infinity) <= latencyMs) low = middle + 1
    else high = middle
  }
  return low
}

/** The latency that stands for all latencies of a slot, in milliseconds. */
export function middleOf(slot: number): number {
  return slot < 1 ? 0 : answerFrom(latencyBounds[slot - 1] ?? maxLatencyMs)
}

export function mergeHistograms(all: readonly LatencyHistogram[]): LatencyHistogram {
  const [one] = all
  if (one !== undefined && all.length === 1) return one
  const total = new Map<number, number>()
  for (const { slots, counts } of all)
    for (const [index, slot] of slots.entries()) total.set(slot, (total.get(slot) ?? 0) + (counts[index] ?? 0))
  const ordered = [...total].toSorted(([a], [b]) => a - b)
  return { slots: ordered.map(([slot]) => slot), counts: ordered.map(([, count]) => count) }
}

/** By nearest rank: the latency that at least so many percent of the checks did not exceed, at most 2 % off. */
export function percentilesOf(histogram: LatencyHistogram): Percentiles {
  return { p50_ms: percentile(histogram, 50), p95_ms: percentile(histogram, 95), p99_ms: percentile(histogram, 99) }
}

function percentile({ slots, counts }: LatencyHistogram, percent: number): number | null {
  const checks = counts.reduce((sum, count) => sum + count, 0)
  const rank = Math.ceil((checks * percent) / 100)
  let passed = 0
  for (const [index, slot] of slots.entries()) {
    passed += counts[index] ?? 0
    if (passed >= rank && passed > 0) return middleOf(slot)
  }
  return null
}

function boundsUpTo(max: number): number[] {
  const bounds: number[] = []
  for (let lowest = 1; lowest <= max; lowest = lastFrom(lowest) + 1) bounds.push(lowest)
  return bounds
}

/** The highest latency that may stand for a slot: at most 2 % above the slot's lowest one. */
function answerFrom(lowest: number): number {
  return lowest + Math.floor(lowest / 50)
}

/** The highest latency for which that answer may stand: the answer is at most 2 % below it. */
function lastFrom(lowest: number): number {
  return Math.floor((answerFrom(lowest) * 50) / 49)
}
