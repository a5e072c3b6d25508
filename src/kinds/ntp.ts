import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import type { UdpOutcome } from '#net/dial/udp.ts'
import { hostTarget, hostTargetProblem } from './host-target.ts'
import { type Check, defineKind } from './kind.ts'
import { isNtpReply, type NtpReply, ntpRequest, readNtpReply } from './ntp-packet.ts'

const usualPort = 123

const options = z
  .strictObject({
    max_offset_ms: z
      .int()
      .min(1)
      .max(60_000)
      .optional()
      .describe("Down when the server's clock differs from this location's by more than so many milliseconds."),
  })
  .describe('A time server: synchronised, and its clock right.')
type NtpOptions = z.infer<typeof options>

/** A time server that answers, is synchronised and, with `max_offset_ms`, is right. */
export const ntp = defineKind<NtpOptions, UdpOutcome>({
  name: 'ntp',
  options,
  secretOptions: [],
  targetProblem: hostTargetProblem,
  observe: (check, net, signal) => {
    const { host, port } = hostTarget(check.url, usualPort)
    return net.udp({ host, port, payload: newRequest, isReply: isNtpReply, timeoutMs: check.timeoutMs }, signal)
  },
  judge: judgeNtp,
})

function newRequest(): Uint8Array {
  return ntpRequest(crypto.getRandomValues(new Uint8Array(8)))
}

export function judgeNtp(outcome: UdpOutcome, check: Pick<Check<NtpOptions>, 'options' | 'url'>): Verdict {
  const { phases, latencyMs } = outcome
  const down = { statusCode: null, phases, status: 'down', latencyMs: null } as const
  if (!outcome.ok) {
    const isOther = outcome.other !== null && outcome.failure.code === 'timed_out'
    const error = isOther ? `${check.url} answered, but not as a time server does` : outcome.failure.message
    return { ...down, error, details: {} }
  }
  const reply = readNtpReply(outcome.reply, outcome.sentAtMs)
  const { offsetMs, delayMs } = compareClocks(reply, outcome)
  const error = serviceProblem(reply, check.url) ?? offsetProblem(offsetMs, check.options.max_offset_ms, check.url)
  const { stratum, leap, referenceId, rootDelayMs, rootDispersionMs } = reply
  const details = {
    offset_ms: rounded(offsetMs),
    stratum,
    delay_ms: rounded(delayMs),
    leap,
    reference_id: referenceId,
    root_delay_ms: rounded(rootDelayMs),
    root_dispersion_ms: rounded(rootDispersionMs),
  }
  return { ...down, status: error === null ? 'up' : 'down', latencyMs, error, details }
}

type Comparison = { offsetMs: number; delayMs: number }

/** RFC 5905 8. Our clock counts whole milliseconds, so that half of one is the best guess at what it cuts off. */
function compareClocks({ receivedAtMs, sentAtMs }: NtpReply, ours: { sentAtMs: number; rttMs: number }): Comparison {
  const askedAtMs = ours.sentAtMs + 0.5
  const offsetMs = (receivedAtMs - askedAtMs + sentAtMs - (askedAtMs + ours.rttMs)) / 2
  return { offsetMs, delayMs: Math.max(0, ours.rttMs - (sentAtMs - receivedAtMs)) }
}

const unsetStratum = 16
const unsetLeap = 3

function serviceProblem({ kissCode, stratum, leap }: NtpReply, url: string): string | null {
  if (kissCode !== null && kissCode !== '' && leap !== unsetLeap)
    return `${url} refuses to tell the time: ${kissWords.get(kissCode) ?? 'kiss code'} (${kissCode})`
  if (stratum === 0 || stratum >= unsetStratum || leap === unsetLeap)
    return `${url} answers, but its clock is not synchronised (stratum ${stratum})`
  return null
}

/** RFC 5905 7.4. */
const kissWords: ReadonlyMap<string, string> = new Map([
  ['RATE', 'it is asked too often'],
  ['DENY', 'access is denied'],
  ['RSTR', 'access is denied'],
])

function offsetProblem(offsetMs: number, limitMs: number | undefined, url: string): string | null {
  if (limitMs === undefined || Math.abs(offsetMs) <= limitMs) return null
  const direction = offsetMs > 0 ? 'fast' : 'slow'
  return `The clock of ${url} is ${Math.round(Math.abs(offsetMs))} ms ${direction}, more than ${limitMs} ms`
}

/** Thousandths of a millisecond say nothing, given clocks that count whole ones. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}
