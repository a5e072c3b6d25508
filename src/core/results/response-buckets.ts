import { latencyBounds, middleOf } from './latency-histogram.ts'

/** How many response times of a day were no longer than each bound, and the sum of them all. */
export type ResponseBuckets = {
  /** Of every bound of `responseBoundsMs` and of what is above the last: those between it and the bound before it. */
  counts: readonly number[]
  sumMs: number
}

/** Upper bounds of the buckets in which programs are told response times; above the last is one more. */
export const responseBoundsMs: readonly number[] = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000]

/**
 * The slots of histograms with which the buckets behind each bound begin. A slot counts as the latency that stands for
 * it, so that a response time of merged checks and one of single checks are in the same bucket.
 */
export const bucketSlots: readonly number[] = responseBoundsMs.map(slotAbove)

/** The lowest latency of each of these slots: the same bounds for a latency as `bucketSlots` for a slot. */
export const bucketLatenciesMs: readonly number[] = bucketSlots.map((slot) => latencyBounds[slot - 1] ?? Infinity)

function slotAbove(boundMs: number): number {
  return latencyBounds.findIndex((_, slot) => middleOf(slot) > boundMs)
}
