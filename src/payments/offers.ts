import type { Payments } from './index.ts'
import type { PaymentMethod } from './method.ts'

/** What the API's document says of a way to pay; the 402 has the last word (draft-payment-discovery-00). */
export type AdvertisedOffer = {
  intent: 'charge'
  method: string
  /** In the smallest unit; null where it depends on what is due. */
  amount: string | null
  currency?: string
  description: string
}

/** One offer a method. Where payments are off, that of the specification, which is how a client will meet them. */
export function advertisedOffers(payments: Pick<Payments, 'methods'> | null): AdvertisedOffer[] {
  return payments === null ? [cardOffer('card')] : payments.methods.map(offerOf)
}

function offerOf(method: PaymentMethod): AdvertisedOffer {
  if (method.name === 'card') return cardOffer(method.wireName)
  const request = method.offer({ amountCents: exampleCents, externalId: '', description: '' })?.request ?? {}
  const { currency } = request
  return {
    intent: 'charge',
    method: method.wireName,
    amount: null,
    ...(typeof currency === 'string' ? { currency } : {}),
    description: 'What credit does not cover, in a stablecoin of the US dollar.',
  }
}

/** Enough for every method. */
const exampleCents = 100_000

/** Specification, Payment offer attached to paid operations. */
function cardOffer(method: string): AdvertisedOffer {
  const description = 'At least 50 cents; what is not spent at once stays as credit.'
  return { intent: 'charge', method, amount: '50', currency: 'usd', description }
}
