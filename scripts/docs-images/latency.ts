// Response times as they are in the world, and the same in every run: by day and by night, near and far, with a tail.

/** From 0 to less than 1, by its seeds alone (splitmix64's finish, in 32 bits). */
function chance(...seeds: number[]): number {
  let state = 0x9e3779b9
  for (const seed of seeds) {
    state = Math.imul(state ^ (seed | 0), 0x85ebca6b)
    state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
    state ^= state >>> 16
  }
  return (state >>> 0) / 2 ** 32
}

/** Farther locations take longer by as many milliseconds, and by so large a part. */
const distances: readonly { ms: number; factor: number }[] = [
  { ms: 0, factor: 1 },
  { ms: 46, factor: 1.15 },
  { ms: 121, factor: 1.25 },
]
const dayMs = 86_400_000
const busiestHour = 19

export type Place = { key: number; baseMs: number; location: number }

/** The time of a check that began at this time, in whole milliseconds. */
export function latencyAt({ key, baseMs, location }: Place, at: number): number {
  const { ms, factor } = distances[location] ?? { ms: 0, factor: 1 }
  const hour = (at % dayMs) / 3_600_000
  const busy = 1 + 0.22 * Math.cos(((hour - busiestHour) / 12) * Math.PI)
  const drift = 1 + 0.12 * wave(key, at / (9 * dayMs)) + 0.05 * wave(key + 1, at / (dayMs / 3))
  const luck = chance(key, location, Math.floor(at / 60_000))
  // One in forty is slow, by up to four times.
  const tail = luck > 0.975 ? 1.5 + (luck - 0.975) * 100 : 1 + 0.18 * (luck - 0.45)
  return Math.max(1, Math.round((baseMs * factor * tail + ms) * busy * drift))
}

/** Between -1 and 1, smooth, with a turn about every 1 of `x`. */
function wave(seed: number, x: number): number {
  const from = Math.floor(x)
  const part = (1 - Math.cos((x - from) * Math.PI)) / 2
  const [one, other] = [chance(seed, from), chance(seed, from + 1)]
  return 2 * (one + (other - one) * part) - 1
}

/** The phases of a web request (name, connection, TLS, waiting, transfer) as parts of the whole. */
const shares = [0.05, 0.14, 0.2, 0.54]

/** The phases of a request that took so long; their sum is it. */
export function phasesOf(latencyMs: number): [number, number, number, number, number] {
  const [dns = 0, connect = 0, tls = 0, ttfb = 0] = shares.map((share) => Math.round(share * latencyMs))
  return [dns, connect, tls, ttfb, Math.max(0, latencyMs - dns - connect - tls - ttfb)]
}
