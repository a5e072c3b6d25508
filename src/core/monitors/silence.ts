import { roundGraceMs } from '#core/results/round.ts'
import { storeMs } from './unknown-since.ts'

/** What lies between two checks is known by both of them, also where one check in between told nothing. */
const leastSilenceMs = 120_000

/** Milliseconds. */
type Rhythm = { intervalMs: number; timeoutMs: number }

/**
 * When a monitor that locations check was silent between two rounds that told something: from the first round on that
 * told nothing. Null where it was not silent for long. Milliseconds since 1970.
 */
export function silenceBetween(
  { intervalMs }: Pick<Rhythm, 'intervalMs'>,
  { knownMs, nextMs }: { knownMs: number; nextMs: number },
): [fromMs: number, untilMs: number] | null {
  return nextMs - knownMs > Math.max(2 * intervalMs, leastSilenceMs) ? [knownMs + intervalMs, nextMs] : null
}

/** Since when it is silent now. */
export function silenceSince(
  { intervalMs, timeoutMs }: Rhythm,
  { knownMs, nowMs }: { knownMs: number; nowMs: number },
): number | null {
  // A round is told some time after its name.
  const nextMs = nowMs - timeoutMs - roundGraceMs - storeMs
  return silenceBetween({ intervalMs }, { knownMs, nextMs }) === null ? null : knownMs + intervalMs
}
