import type { Phases } from '#core/results/result.ts'

/** Phases while they are measured, in fractions of milliseconds; null until they have begun. */
export type PhaseTimes = Phases

export function noTimes(): PhaseTimes {
  return { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null, transferMs: null }
}

/** Adds to the phase, because a chain of exchanges goes through it several times. */
export function addTime(times: PhaseTimes, phase: keyof PhaseTimes, ms: number): void {
  times[phase] = (times[phase] ?? 0) + ms
}

export function wholeMs(times: PhaseTimes): Phases {
  return {
    dnsMs: whole(times.dnsMs),
    connectMs: whole(times.connectMs),
    tlsMs: whole(times.tlsMs),
    ttfbMs: whole(times.ttfbMs),
    transferMs: whole(times.transferMs),
  }
}

function whole(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms)
}
