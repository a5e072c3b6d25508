import type { Phases } from '#core/results/result.ts'
import { timeoutFailure } from '#net/dial/connect-failure.ts'
import { interleave } from '#net/dial/dial.ts'
import { createIcmpAccess, type FindEchoes } from './icmp-access.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { addTime, noTimes, wholeMs } from '#net/dial/phase-times.ts'
import { racePings } from './ping-race.ts'
import { locate, type Parts, tellFailure } from '#net/dial/reach.ts'

export type PingRequest = {
  host: string
  /** Number of echo requests in the series; all are sent, so that loss is known. */
  packets: number
  /** `signal` ends the series; this is the time it leaves, half of which the sending may take. */
  timeoutMs: number
}

export type PingOutcome = { latencyMs: number; phases: Phases } & (
  | {
      ok: true
      address: string
      sent: number
      /** Round-trip times in the order of the answers, in fractions of milliseconds; at least one. */
      rttsMs: readonly number[]
    }
  | {
      ok: false
      failure: NetFailure
      sent: number
    }
)

const usualSpacingMs = 200

/** Opens the sockets with the first ping; they serve all later ones. */
export function createPinger(
  parts: Pick<Parts, 'guard' | 'resolver' | 'traffic'>,
  findEchoes: FindEchoes = createIcmpAccess(),
): (request: PingRequest, signal: AbortSignal) => Promise<PingOutcome> {
  return async ({ host, packets, timeoutMs }, signal) => {
    const times = noTimes()
    const startedAt = performance.now()
    const timed = (): Pick<PingOutcome, 'latencyMs' | 'phases'> => ({
      latencyMs: Math.round(performance.now() - startedAt),
      phases: wholeMs(times),
    })
    const located = await locate(parts, { host, port: null, isFresh: true, timeoutMs }, { signal, times })
    if (!located.ok) return { ...timed(), ok: false, failure: located.failure, sent: 0 }
    const spacingMs = Math.min(usualSpacingMs, timeoutMs / 2 / packets)
    const series = { addresses: interleave(located.addresses), packets, spacingMs, host }
    const heard = await racePings(findEchoes, series, signal)
    if (!heard.ok) {
      if (heard.failure !== 'aborted') tellFailure(parts.traffic, heard.failure, located.addresses)
      const failure = heard.failure === 'aborted' ? silence(host, timeoutMs, heard.sent) : heard.failure
      return { ...timed(), ok: false, failure, sent: heard.sent }
    }
    parts.traffic.heard(heard.address)
    addTime(times, 'ttfbMs', heard.rttsMs[0] ?? 0)
    return { ...timed(), ...heard }
  }
}

function silence(host: string, timeoutMs: number, sent: number): NetFailure {
  const failure = timeoutFailure('request', timeoutMs, host)
  return { ...failure, message: `Timed out after ${timeoutMs} ms: no echo reply from ${host} (${sent} sent)` }
}
