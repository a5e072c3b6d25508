import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import { text } from '#core/language/text.ts'
import type { TcpOutcome } from '#net/tcp/tcp.ts'
import { portTarget, portTargetProblem } from './host-target.ts'
import { type Check, defineKind } from './kind.ts'
import { readable } from './readable.ts'

const maxBannerBytes = 64 * 1024

const options = z
  .strictObject({
    expected_text: text({ min: 1, max: 256 })
      .optional()
      .describe(
        'Text that the server must send by itself once the connection is made, as UTF-8; upper and lower case differ.',
      ),
  })
  .describe('A TCP port that accepts connections, and says something if that is expected.')
type TcpOptions = z.infer<typeof options>

/**
 * A port that accepts connections and, where a text is expected, says it. No port is usual, so the target names one.
 */
export const tcp = defineKind<TcpOptions, TcpOutcome>({
  name: 'tcp',
  options,
  secretOptions: [],
  targetProblem: portTargetProblem,
  observe: (check, net, signal) => {
    const { host, port } = portTarget(check.url)
    const expectedText = check.options.expected_text ?? null
    return net.tcp({ host, port, expectedText, maxBytes: maxBannerBytes, timeoutMs: check.timeoutMs }, signal)
  },
  judge,
})

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
