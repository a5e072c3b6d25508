import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import { z } from 'zod'
import { type HostPort, parseHostPort } from '#core/language/host-port.ts'
import type { Verdict } from '#core/results/result.ts'
import type { PingOutcome } from '#net/ping/ping.ts'
import { type Check, defineKind, type ForbiddenAddress } from './kind.ts'

const usualPackets = 3
const usualMaxLossPercent = 99

const options = z
  .strictObject({
    packets: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe(`Echo requests a check sends. Default ${usualPackets}.`)
      .meta({ default: usualPackets }),
    max_loss_percent: z
      .int()
      .min(0)
      .max(99)
      .optional()
      .describe(
        `Down when a larger share of them, in percent, is lost. Default ${usualMaxLossPercent}: down when all are.`,
      )
      .meta({ default: usualMaxLossPercent }),
    max_latency_ms: z
      .int()
      .min(100)
      .max(60_000)
      .optional()
      .describe('Degraded when the answers take more milliseconds than this on average.'),
  })
  .describe('A host that answers ICMP echo requests.')
type PingOptions = z.infer<typeof options>

/** A host that answers ICMP echo requests; there are no ports, so its target has none. */
export const ping = defineKind<PingOptions, PingOutcome>({
  name: 'ping',
  options,
  secretOptions: [],
  targetProblem: pingTargetProblem,
  observe: ({ url, timeoutMs, options: { packets } }, net, signal) => {
    const target = parsePingTarget(url)
    if (target === null) throw new TypeError(`"${url}" is no target of kind ping`)
    return net.ping({ host: target.host, packets: packets ?? usualPackets, timeoutMs }, signal)
  },
  judge: judgePing,
})

function pingTargetProblem(url: string, isForbidden: ForbiddenAddress): string | null {
  const target = parsePingTarget(url)
  if (target === null) return 'Must be a host, such as example.com, 192.0.2.1 or 2606:4700::1.'
  if (target.port !== null) return 'Must not name a port; ping has none. Use tcp or udp to check one.'
  if (isForbidden(target.host)) return forbiddenTarget(target.host)
  return null
}

/** Without a port, IPv6 needs no brackets. */
function parsePingTarget(url: string): HostPort | null {
  return parseHostPort(url) ?? parseHostPort(`[${url}]`)
}

export function judgePing(outcome: PingOutcome, check: Pick<Check<PingOptions>, 'options'>): Verdict {
  const { phases } = outcome
  if (!outcome.ok) {
    const details = outcome.sent === 0 ? {} : { sent: outcome.sent, received: 0, loss_percent: 100 }
    return { status: 'down', statusCode: null, latencyMs: null, error: outcome.failure.message, phases, details }
  }
  const { sent, rttsMs } = outcome
  const received = rttsMs.length
  const lossPercent = (100 * (sent - received)) / sent
  const meanMs = rttsMs.reduce((sum, rttMs) => sum + rttMs, 0) / received
  const { max_loss_percent: maxLoss = usualMaxLossPercent, max_latency_ms: maxLatencyMs } = check.options
  const isLossy = lossPercent > maxLoss
  const isSlow = maxLatencyMs !== undefined && meanMs > maxLatencyMs
  return {
    status: isLossy ? 'down' : isSlow ? 'degraded' : 'up',
    statusCode: null,
    latencyMs: Math.round(meanMs),
    error: isLossy
      ? `${sent - received} of ${sent} echo requests were lost (${Math.round(lossPercent)} %), more than ${maxLoss} %`
      : isSlow
        ? `The echo replies took longer than ${maxLatencyMs} ms on average`
        : null,
    phases,
    details: {
      sent,
      received,
      loss_percent: rounded(lossPercent),
      min_ms: rounded(Math.min(...rttsMs)),
      avg_ms: rounded(meanMs),
      max_ms: rounded(Math.max(...rttsMs)),
    },
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
