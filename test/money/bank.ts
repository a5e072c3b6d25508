// A processor that remembers whom it charged, whatever becomes of the service that asked.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Attempt, PaymentMethod, Settlement } from '../../src/payments/method.ts'

/**
 * `silent` charges and does not say so before it is asked again; `late` charges when it is asked again; `declined`
 * never does.
 */
export const behaviours = ['good', 'silent', 'late', 'declined'] as const
export type Behaviour = (typeof behaviours)[number]

export type Charge = { attemptId: string; challengeId: string; externalId: string; amountCents: number; token: string }

export type Bank = {
  methods: PaymentMethod[]
  /** A token that a payer grants, good for one payment. */
  grant: (behaviour: Behaviour) => string
  charges: () => readonly Charge[]
  reset: () => void
}

const payloadSchema = z.object({ spt: z.string() })

/** A card from 50 cents and a chain from one. `moment` is called where the asking process may die. */
export function createBank(moment: () => void): Bank {
  const charged = new Map<string, Charge>()
  const asked = new Set<string>()
  let granted = 0

  async function settle(attempt: Attempt): Promise<Settlement> {
    moment()
    await new Promise((resolve) => setImmediate(resolve))
    const settlement = charge(attempt)
    moment()
    return settlement
  }

  function charge({ id, challengeId, externalId, amountCents, payload }: Attempt): Settlement {
    const { spt: token } = payloadSchema.parse(payload)
    const behaviour = token.split('_')[1]
    const isFirst = !asked.has(id)
    asked.add(id)
    if (behaviour === 'declined') return { type: 'declined', reason: 'The card was declined.' }
    if (behaviour === 'late' && isFirst) return { type: 'unknown', reason: 'it was not reached' }
    charged.set(id, { attemptId: id, challengeId, externalId, amountCents, token })
    if (behaviour === 'silent' && isFirst) return { type: 'unknown', reason: 'it did not answer' }
    return { type: 'settled', reference: `bank_${id}`, livemode: false }
  }

  return {
    methods: [methodOf('card', 50, settle), methodOf('chain', 1, settle)],
    grant: (behaviour) => {
      granted += 1
      return `spt_${behaviour}_${granted}`
    },
    charges: () => [...charged.values()],
    reset: () => {
      charged.clear()
      asked.clear()
    },
  }
}

/** What an offer of x402 says beside them. */
const chainTerms = {
  currency: `0x${'a'.repeat(40)}`,
  recipient: `0x${'b'.repeat(40)}`,
  methodDetails: { chainId: 31_337, domain: { name: 'Test Dollar', version: '1' } },
}

function methodOf(
  name: PaymentMethod['name'],
  leastCents: number,
  settle: (attempt: Attempt) => Promise<Settlement>,
): PaymentMethod {
  return {
    name,
    wireName: name,
    offer: ({ amountCents: due, externalId }) => {
      const amountCents = Math.max(leastCents, due)
      const request = { amount: String(amountCents), currency: 'usd', externalId }
      return { amountCents, request: name === 'chain' ? { ...request, ...chainTerms } : request }
    },
    // oxlint-disable-next-line require-await -- the interface is asynchronous
    verify: async ({ challenge, payload }) => {
      const { spt } = payloadSchema.parse(payload)
      const proofHash = createHash('sha256').update(spt).digest()
      return { ok: true, amountCents: Number(challenge.request['amount']), proofHash, payload: { spt } }
    },
    settle,
  }
}
