import type { Verdict } from '#core/results/result.ts'
import type { TalkOutcome } from '#net/tcp/talk.ts'

export type Finding = { status: 'down' | 'degraded'; error: string }

/**
 * The verdict about a server that was talked with: what ended the talk, else the first of the findings, else whether it was in time.
 * `details` are shown in any case.
 */
export function judgeTalk(
  outcome: TalkOutcome,
  {
    details,
    findings,
    maxLatencyMs,
  }: { details: object; findings: readonly Finding[]; maxLatencyMs: number | undefined },
): Verdict {
  const { phases, latencyMs, tls } = outcome
  const told = { ...details, ...(tls === null ? {} : { tls_protocol: tls.protocol }) }
  const base = { statusCode: null, phases, details: told }
  if (!outcome.ok) return { ...base, status: 'down', latencyMs: null, error: outcome.failure.message }
  const worst = findings.find(({ status }) => status === 'down') ?? findings[0]
  if (worst !== undefined) return { ...base, ...worst, latencyMs }
  if (maxLatencyMs !== undefined && latencyMs > maxLatencyMs)
    return { ...base, status: 'degraded', latencyMs, error: `The answer took longer than ${maxLatencyMs} ms` }
  return { ...base, status: 'up', latencyMs, error: null }
}
