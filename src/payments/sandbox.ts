import { z } from 'zod'
import type {
  Attempt,
  ChargeRequest,
  Credential,
  Order,
  PaymentMethod,
  Settlement,
  TrialPayload,
  Verified,
} from './method.ts'

/** The tokens of the sandbox; each works any number of times. */
const sandboxTokens = ['spt_test_ok', 'spt_test_declined', 'spt_test_timeout'] as const
const trial: readonly TrialPayload[] = [
  { payload: { spt: 'spt_test_ok' }, outcome: 'It is paid.' },
  { payload: { spt: 'spt_test_declined' }, outcome: 'The card is declined.' },
  {
    payload: { spt: 'spt_test_timeout' },
    outcome: 'The processor is silent: 503, and a repeat of the request is paid.',
  },
]
const sandboxProfile = 'profile_test'

/** As a real card is charged: no less than 0.50 USD (Stripe: Minimum and maximum charge amounts). */
const leastCents = 50

/**
 * A card that charges nothing, for trials and tests; on the wire it looks like `card`. The token `spt_test_timeout`
 * stands for a processor that charges and does not answer; asked again, it says that it charged.
 */
export function createSandboxMethod(wireName: string): PaymentMethod {
  return {
    name: 'card',
    wireName,
    trial,
    offer,
    // oxlint-disable-next-line require-await -- the interface is asynchronous
    verify: async (credential, order) => verify(credential, order),
    settle,
  }
}

function offer({ amountCents: due, externalId }: Order): { amountCents: number; request: ChargeRequest } {
  const amountCents = Math.max(leastCents, due)
  const methodDetails = { networkId: sandboxProfile, paymentMethodTypes: ['card'] }
  return { amountCents, request: { amount: String(amountCents), currency: 'usd', externalId, methodDetails } }
}

const requestSchema = z.object({ amount: z.string().regex(/^[1-9]\d{0,8}$/) })
const payloadSchema = z.object({ spt: z.enum(sandboxTokens), externalId: z.string().optional() })

function verify({ challenge, payload }: Credential, order: Order): Verified {
  const request = requestSchema.safeParse(challenge.request)
  const paid = payloadSchema.safeParse(payload)
  if (!request.success || !paid.success)
    return {
      ok: false,
      problem: 'invalid-payload',
      message: `The sandbox takes an \`spt\` of ${sandboxTokens.join(', ')}.`,
    }
  if ((paid.data.externalId ?? order.externalId) !== order.externalId)
    return {
      ok: false,
      problem: 'verification-failed',
      message: 'The `externalId` of the payload is not that of the challenge.',
    }
  const { spt } = paid.data
  return { ok: true, amountCents: Number(request.data.amount), proofHash: null, payload: { spt } }
}

async function settle(
  { id, payload, notes }: Attempt,
  keep: (notes: { asked: true }) => Promise<void>,
): Promise<Settlement> {
  const settled: Settlement = { type: 'settled', reference: `test_${id}`, livemode: false }
  const { spt } = payloadSchema.parse(payload)
  switch (spt) {
    case 'spt_test_ok':
      return settled
    case 'spt_test_declined':
      return { type: 'declined', reason: 'The card was declined.' }
    case 'spt_test_timeout':
      if (z.object({ asked: z.literal(true) }).safeParse(notes).success) return settled
      await keep({ asked: true })
      return { type: 'unknown', reason: 'the sandbox did not answer in time' }
  }
}
