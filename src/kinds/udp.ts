import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import { text } from '#core/language/text.ts'
import type { UdpOutcome } from '#net/dial/udp.ts'
import { portTarget, portTargetProblem } from './host-target.ts'
import { type Check, defineKind } from './kind.ts'
import { readable } from './readable.ts'

const maxPayloadBytes = 512
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/

const options = z
  .strictObject({
    payload_base64: z
      .string()
      .regex(base64, 'Must be base64.')
      .refine((value) => hasFittingSize(value), `Must hold 1 to ${maxPayloadBytes} bytes.`)
      .meta({ contentEncoding: 'base64', minLength: 2, maxLength: 4 * Math.ceil(maxPayloadBytes / 3) })
      .describe(`The datagram to send, 1 to ${maxPayloadBytes} bytes once decoded.`),
    expected_text: text({ min: 1, max: 256 })
      .optional()
      .describe('Text that a datagram sent back must contain, as UTF-8. Without it any answer will do.'),
  })
  .describe('A service that answers a datagram sent to its UDP port.')
type UdpOptions = z.infer<typeof options>

/** A UDP service: it has no connection, so only an answer to a datagram proves that it is there. */
export const udp = defineKind<UdpOptions, UdpOutcome>({
  name: 'udp',
  options,
  secretOptions: [],
  targetProblem: portTargetProblem,
  observe: ({ url, timeoutMs, options: { payload_base64: base, expected_text: expected } }, net, signal) => {
    const { host, port } = portTarget(url)
    const payload = Buffer.from(base, 'base64')
    const wanted = expected === undefined ? null : Buffer.from(expected)
    const isReply = (received: Uint8Array): boolean => wanted === null || Buffer.from(received).includes(wanted)
    return net.udp({ host, port, payload: () => payload, isReply, timeoutMs }, signal)
  },
  judge: judgeUdp,
})

function judgeUdp(outcome: UdpOutcome, check: Pick<Check<UdpOptions>, 'options'>): Verdict {
  const { phases, latencyMs } = outcome
  const base = { statusCode: null, phases }
  if (outcome.ok)
    return { ...base, status: 'up', latencyMs, error: null, details: { response_bytes: outcome.reply.length } }
  const down = { ...base, status: 'down', latencyMs: null } as const
  const { failure, other } = outcome
  const { expected_text: expected } = check.options
  if (other === null || expected === undefined) return { ...down, error: failure.message, details: {} }
  return {
    ...down,
    error: `Text "${expected}" not found in what the server sent back`,
    details: { response_bytes: other.length, response: readable(Buffer.from(other).toString('utf8')) },
  }
}

function hasFittingSize(base: string): boolean {
  const { length } = Buffer.from(base, 'base64')
  return length >= 1 && length <= maxPayloadBytes
}
