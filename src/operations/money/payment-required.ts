import { randomBytes } from 'node:crypto'
import { type AppError, fail } from '#core/language/error.ts'
import type { PaymentRequiredRecord, QuoteRecord } from '#core/money/payment-required.ts'
import { pricing } from '#core/money/pricing.ts'
import { decimal } from '#core/money/quote.ts'
import { preferred } from '#payments/accept-payment.ts'
import type { Payments } from '#payments/index.ts'
import type { Challenge, ChargeRequest, Order } from '#payments/method.ts'
import { chargeIntent, formatChallenges, plainChallenge } from '#payments/mpp.ts'
import { formatOffer, x402Name, x402RequestOf } from '#payments/x402.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { type PaymentProblem, externalIdOf, problemTitles } from './payment-credential.ts'
import type { Sale } from './sale.ts'
import type { ShortOfCredit } from './take-credit.ts'

const problemRoot = 'https://paymentauth.org/problems/'
const nonceBytes = 12

export type Asked = { problem: PaymentProblem; short: ShortOfCredit; at: Date }

/** Asks for what a sale is short of. Refuses with `payments_disabled` where nothing can be paid. */
export function askToPay(payments: Payments | null, sale: Sale, { problem, short, at }: Asked): Reply {
  if (payments === null) throw switchedOff(short)
  sale.noteNothing()
  const order = orderOf(externalIdOf(sale.wish), short)
  const isForAccount = sale.wish.workspaceId !== null
  const { preference, x402 } = sale.payment
  const resource = x402?.resource ?? null
  return paymentRequired(payments, problem, { order, quote: short.quote, preference, isForAccount, resource, at })
}

/** Without a price, which nobody could pay: people read this in forms of a console that knows no money. */
export function switchedOff({ quote }: ShortOfCredit): AppError {
  const isTopUp = quote.billing_period === null
  return fail(
    'payments_disabled',
    isTopUp ? 'This installation does not take payments.' : 'All slots of the plan are in use.',
  )
}

export function orderOf(externalId: string, { quote, description }: ShortOfCredit): Order {
  return { amountCents: quote.amount_due_cents, externalId, description }
}

type Demand = {
  order: Order
  quote: QuoteRecord
  preference: string | null
  isForAccount: boolean
  /** The address that x402 is offered for; null where it is not offered. */
  resource: string | null
  at: Date
}

/**
 * 402 with a fresh challenge for every method that takes the amount and that the payer would use
 * (draft-httpauth-payment-00, RFC 9457). `preference` is the header `Accept-Payment`.
 */
function paymentRequired(payments: Payments, problem: PaymentProblem, demand: Demand): Reply {
  const { order, quote, preference } = demand
  const all = payments.methods.flatMap(({ wireName, offer: offerOf }) => {
    const offer = offerOf(order)
    return offer === null ? [] : [{ ...offer, method: wireName, intent: chargeIntent }]
  })
  const offers = preferred(all, preference)
  if (offers.length === 0)
    throw fail('payments_disabled', `No payment method accepts ${decimal(order.amountCents)} dollars.`)
  const challenges = offers.map((offer) => challengeFor(payments, offer, demand))
  // A method by its second name is paid with the same.
  const trial = payments.methods.find((method) => method.trial !== undefined)?.trial ?? []
  const terms = [termsOf(order, offers), ...(trial.length === 0 ? [] : [inSandbox])].join(' ')
  const body: PaymentRequiredRecord = {
    type: problemRoot + problem.type,
    title: problemTitles[problem.type],
    status: 402,
    detail: problem.message,
    error: 'payment_required',
    message: problem.message,
    amount_due: decimal(order.amountCents),
    currency: pricing.currency,
    quote,
    help: `${terms} ${howToPay}`,
    ...(trial.length === 0
      ? {}
      : {
          sandbox: {
            message: inSandbox,
            payloads: trial.map(({ payload, outcome }) => ({ payload: { ...payload }, outcome })),
          },
        }),
  }
  return {
    status: 402,
    body,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'WWW-Authenticate': formatChallenges(challenges, order.description),
      ...x402Offer(payments, problem, { ...demand, requests: offers.map(({ request }) => request) }),
    },
    challenges: challenges.map((challenge) => plainChallenge(challenge, order.description)),
    terms,
  }
}

function challengeFor(
  { mpp }: Payments,
  { method, request }: { method: string; request: ChargeRequest },
  { isForAccount, at }: Pick<Demand, 'isForAccount' | 'at'>,
): Challenge {
  const nonce = randomBytes(nonceBytes).toString('base64url')
  return mpp.createChallenge({ method, request, nonce, at, isForAccount })
}

/** x402 adds a header and changes no other part of the answer. Empty where it can pay by none of the methods. */
function x402Offer(
  payments: Payments,
  problem: PaymentProblem,
  { resource, order, requests, ...demand }: Demand & { requests: readonly ChargeRequest[] },
): Record<string, string> {
  const request = requests.map(x402RequestOf).find((each) => each !== null)
  if (resource === null || request === undefined) return {}
  const error = problem.type === 'payment-required' ? 'PAYMENT-SIGNATURE header is required' : problem.message
  const challenge = challengeFor(payments, { method: x402Name, request }, demand)
  return { 'PAYMENT-REQUIRED': formatOffer(challenge, { resource, description: order.description, error }) }
}

/** Cards have a least amount (0.50 USD), so a method may charge more than is due; the rest stays as credit. */
function termsOf(
  { amountCents, description }: Order,
  offers: readonly { method: string; amountCents: number }[],
): string {
  const due = decimal(amountCents)
  const charges = offers.map(({ method, amountCents: charged }) => {
    const rest = charged > amountCents ? `, of which $${decimal(charged - amountCents)} stay as credit` : ''
    return `${method} charges $${decimal(charged)}${rest}`
  })
  return `$${due} are due for: ${description}. ${sentence(charges.join('; '))}.`
}

const inSandbox = 'This is a sandbox: nothing is charged. Pay with the payload {"spt": "spt_test_ok"}.'

const howToPay =
  'Answer one challenge of WWW-Authenticate and repeat the same request with the credential in `Authorization: ' +
  'Payment`; an API token then goes in X-API-Key. Nothing is charged twice, however often that is repeated.'

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
