import { z } from 'zod'
import { atomsOf, type Hex, nonceOf, signAuthorization } from './chain-authorization.ts'
import type { Offer } from '#core/money/challenge-header.ts'

/**
 * What a payer has: a shared payment token of a card, or an account on a chain with one token. The payer states the
 * token's decimals, because a service that lied about them would be paid another amount than it says.
 */
export type Purse =
  | { type: 'card'; token: string }
  | { type: 'chain'; key: Hex; chainId: number; token: Hex; decimals: number }

const cardSchema = z.object({
  amount: z.string().regex(/^\d{1,12}$/),
  currency: z.literal('usd'),
  methodDetails: z.object({ networkId: z.string() }),
})
const address = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value))
const chainSchema = z.object({
  amount: z.string().regex(/^\d{1,60}$/),
  currency: address,
  recipient: address,
  methodDetails: z.object({
    chainId: z.int(),
    decimals: z.int(),
    credentialTypes: z.array(z.string()).refine((types) => types.includes('authorization')),
    domain: z.object({ name: z.string(), version: z.string() }),
  }),
})

/** In cents, rounded up; null for an offer that this purse cannot pay. */
export function costOf({ request }: Offer, purse: Purse): number | null {
  if (purse.type === 'card') {
    const card = cardSchema.safeParse(request)
    return card.success ? Number(card.data.amount) : null
  }
  const chain = chainSchema.safeParse(request)
  if (!chain.success || chain.data.methodDetails.chainId !== purse.chainId) return null
  if (chain.data.currency.toLowerCase() !== purse.token.toLowerCase()) return null
  const cent = atomsOf(1, purse)
  return Number((BigInt(chain.data.amount) + cent - 1n) / cent)
}

export function describeOffer({ challenge, request }: Offer): string {
  const card = cardSchema.safeParse(request)
  if (card.success)
    return `${dollars(Number(card.data.amount))} by card: a shared payment token for ${card.data.methodDetails.networkId}`
  const chain = chainSchema.safeParse(request)
  if (!chain.success) return `${challenge.method}, which is not known here`
  const { amount, currency, recipient, methodDetails } = chain.data
  const { chainId, decimals, domain } = methodDetails
  return `${amount} units of ${domain.name} to ${recipient}: the token ${chainId}:${currency}:${decimals}`
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

/** The value of `Authorization` that pays an offer which `costOf` has a price for. */
export async function pay({ challenge, request }: Offer, purse: Purse): Promise<string> {
  if (purse.type === 'card') return credential({ challenge, payload: { spt: purse.token } })
  const { amount: value, recipient: to, methodDetails } = chainSchema.parse(request)
  const { key, chainId, token, decimals } = purse
  const validBefore = String(Math.floor(Date.parse(challenge.expires) / 1000))
  const wish = { to, value, validAfter: '0', validBefore, nonce: await nonceOf(challenge) }
  const signing = { key, chainId, token: { address: token, decimals, ...methodDetails.domain } }
  const payload = await signAuthorization(wish, signing)
  return credential({ challenge, payload, source: `did:pkh:eip155:${chainId}:${payload.from}` })
}

function credential(content: { challenge: Offer['challenge']; payload: unknown; source?: string }): string {
  return `Payment ${Buffer.from(JSON.stringify(content)).toString('base64url')}`
}
