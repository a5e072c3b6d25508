import type { Payments } from './index.ts'
import type { PaymentMethod } from './method.ts'

/** An offer in the API's document. The challenge of a 402 decides (draft-payment-discovery-00). */
export type AdvertisedOffer = {
  intent: 'charge'
  method: string
  /** In the smallest unit; null where it depends on what is due. */
  amount: string | null
  currency?: string
  description: string
}

/**
 * One offer for each method. Where payments are off, the offer by card, since that is the usual one once they are on.
 */
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

/** An order that every method takes. */
const exampleCents = 100_000

/** Stripe charges no card less than 0.50 USD (Stripe: Minimum and maximum charge amounts). */
function cardOffer(method: string): AdvertisedOffer {
  const description = 'At least 50 cents; what is not spent at once stays as credit.'
  return { intent: 'charge', method, amount: '50', currency: 'usd', description }
}
