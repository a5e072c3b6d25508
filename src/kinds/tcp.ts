import { z } from 'zod'
import { parseHostPort } from '#core/host-port.ts'
import type { Verdict } from '#core/result.ts'
import { text } from '#core/text.ts'
import type { TcpOutcome } from '#net/net.ts'
import { type Check, defineKind, type ForbiddenAddress } from './kind.ts'

const maxBannerBytes = 64 * 1024

const options = z.strictObject({
  /** Text that the server sends by itself after the connection is made. */
  expected_text: text({ min: 1, max: 256 }).optional(),
})
type TcpOptions = z.infer<typeof options>

/** A port that accepts connections, and says something if that is expected. Specification L89, decisions.md B2a. */
export const tcp = defineKind<TcpOptions, TcpOutcome>({
  name: 'tcp',
  options,
  secretOptions: [],
  targetProblem: tcpTargetProblem,
  observe: (check, net, signal) => {
    const target = parseHostPort(check.url)
    if (target === null || target.port === null) throw new TypeError(`"${check.url}" is no target of kind tcp`)
    const expectedText = check.options.expected_text ?? null
    const { host, port } = target
    return net.tcp({ host, port, expectedText, maxBytes: maxBannerBytes, timeoutMs: check.timeoutMs }, signal)
  },
  judge,
})

function tcpTargetProblem(url: string, isForbidden: ForbiddenAddress): string | null {
  const target = parseHostPort(url)
  if (target === null) return 'Must be host:port, such as db.example.com:5432 or [2606:4700::1]:5432.'
  if (target.port === null) return 'Must name a port, such as db.example.com:5432.'
  if (isForbidden(target.host)) return `Leads to ${target.host}, a private or reserved address, which is not checked.`
  return null
}

function judge(outcome: TcpOutcome, check: Check<TcpOptions>): Verdict {
  const { phases, latencyMs } = outcome
  const base = { statusCode: null, phases, details: {} }
  if (!outcome.ok) return { ...base, status: 'down', latencyMs: null, error: outcome.failure.message }
  const { expected_text: expected } = check.options
  if (expected === undefined || outcome.hasExpectedText) return { ...base, status: 'up', latencyMs, error: null }
  if (outcome.received === '')
    return { ...base, status: 'down', latencyMs, error: 'The server sent nothing, so the expected text was not found' }
  const banner = readable(outcome.received)
  return {
    ...base,
    status: 'down',
    latencyMs,
    error: `Text "${expected}" not found in what the server sent`,
    details: { banner },
  }
}

/** The beginning of what a server said, safe to store and to show. */
function readable(received: string): string {
  return received
    .slice(0, 200)
    .replaceAll(/[^\P{C}\n]/gu, '?')
    .trim()
}
