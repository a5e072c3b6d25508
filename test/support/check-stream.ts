// Checks as monitors make them, from a seed: outages, flapping, errors that change, latencies that are missing.
import type { ResultRow } from './merged-rows.ts'

export type Stream = { intervalMs: number; locations: number; seed: number }

export type Stretch = {
  from: number
  to: number
  /** The most checks of one location; the rest of the stretch is a gap. */
  maxChecks?: number
}

/** The checks of a stretch of time (milliseconds since 1970), in round order; the same for the same stream. */
export function checksOf(
  { intervalMs, locations, seed }: Stream,
  { from, to, maxChecks = Infinity }: Stretch,
): ResultRow[] {
  const checks: ResultRow[] = []
  const first = Math.ceil(from / intervalMs)
  for (let tick = first; tick * intervalMs < to && tick < first + maxChecks; tick += 1)
    for (let location = 1; location <= locations; location += 1) {
      // Not every location answers in every round.
      if (hash(seed, tick, location) % 50 === 0) continue
      checks.push(checkAt({ tick, location, seed }, tick * intervalMs * 1000 + (seed % 1_000_000)))
    }
  return checks
}

type Place = { tick: number; location: number; seed: number }

function checkAt({ tick, location, seed }: Place, round: number): ResultRow {
  const dice = (face: number): number => hash(seed + face, tick, location)
  const status = statusAt(hash(seed, Math.floor(tick / 40), 0) % 10, dice(1) % 100)
  const latencyMs = dice(2) % 20 === 0 ? null : Math.floor(10 ** ((dice(3) % 4000) / 1000))
  return {
    location,
    round,
    status,
    statusCode: status === 'u' ? 200 + (dice(4) % 30 === 0 ? 4 : 0) : ([500, 503, null][dice(5) % 3] ?? null),
    error: status === 'u' ? null : (['refused', 'timed out', 'it\'s "odd"'][dice(6) % 3] ?? null),
    latencyMs: status === 'd' && dice(7) % 2 === 0 ? null : latencyMs,
    // The outcome of a check decides which phases it has, as with real checks.
    phasesMs: [8, 9, 10, 11, 12].map((face) => (status === 'd' && face > 9 ? null : dice(face) % 300)),
    details: dice(13) % 15 === 0 ? { redirects: dice(14) % 5 } : null,
    repeats: 1,
    lastRound: null,
    inMaintenance: false,
    latencyMaxMs: null,
    latencySumMs: null,
    latencyCount: null,
  }
}

/** Some stretches are all up, some all down, some flap. */
function statusAt(weather: number, dice: number): string {
  if (weather < 6) return dice === 0 ? 'd' : 'u'
  if (weather < 8) return 'd'
  return dice < 40 ? 'u' : dice < 80 ? 'd' : 'g'
}

/** FNV-1a. */
function hash(...values: number[]): number {
  let state = 0x811c9dc5
  for (const value of values)
    for (let shift = 0; shift < 32; shift += 8) state = Math.imul(state ^ ((value >>> shift) & 0xff), 0x01000193)
  return state >>> 0
}
