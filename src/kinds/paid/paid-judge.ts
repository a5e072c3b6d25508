import type { Verdict } from '#core/results/result.ts'
import type { HttpAnswer, HttpOutcome } from '#net/http/http-request.ts'
import type { Check } from '#kinds/kind.ts'
import { readMppOffers } from './mpp-offers.ts'
import type { PaidOptions } from './paid-options.ts'
import type { OffersRead, SaleOffer, SaleProtocol } from './sale-offer.ts'
import { judgePayment, showOffer } from './purchase-trial.ts'
import { readX402Offers } from './x402-offers.ts'

type Pinned = 'network' | 'asset' | 'payee' | 'highest_price'
type Assertion = Pinned | 'status' | 'offer' | 'max_latency_ms' | 'purchase'
type Found = Pick<Verdict, 'status' | 'error' | 'details'>

/**
 * Down where nothing can be bought as pinned, since a buyer would pay another party, in another token, or not at all.
 * Degraded where the pinned sale is there at another price, free of charge included, or came late.
 */
export function judgePaid(outcome: HttpOutcome, check: Check<PaidOptions>): Verdict {
  const { purchase, purchaseProblem } = check
  if (purchase?.type === 'pay') return judgePayment(outcome)
  const verdict = judgeOffered(outcome, check)
  if (purchase?.type === 'look') return showOffer(verdict, outcome)
  // A sale that is offered as it should be, and does not take place, is none.
  if (verdict.status !== 'up' || purchaseProblem === undefined) return verdict
  const { status, error, details } = problem(purchaseProblem.status, 'purchase', purchaseProblem.error)
  return { ...verdict, status, error, details: { ...verdict.details, ...details } }
}

function judgeOffered(outcome: HttpOutcome, check: Check<PaidOptions>): Verdict {
  const { phases, latencyMs } = outcome
  if (!outcome.ok) {
    const { failure, status } = outcome
    return { status: 'down', statusCode: status, latencyMs: null, error: failure.message, phases, details: {} }
  }
  const { answer } = outcome
  const found = judgeAnswer(answer, check.options)
  const late = found.status === 'up' ? latencyProblem(latencyMs, check.options) : null
  return { statusCode: answer.status, latencyMs, phases, ...(late ?? found) }
}

function judgeAnswer(answer: HttpAnswer, options: PaidOptions): Found {
  const { status } = answer
  if (status === 402) return judgeOffers(answer, options)
  if (status >= 200 && status <= 299)
    return problem('degraded', 'status', `The answer came without payment: HTTP status ${status}, expected 402`)
  return problem('down', 'status', `HTTP status ${status}, expected 402`)
}

const protocolNames: Readonly<Record<SaleProtocol, string>> = { x402: 'x402', mpp: 'MPP' }

function judgeOffers({ headers }: HttpAnswer, options: PaidOptions): Found {
  const read: Readonly<Record<SaleProtocol, OffersRead>> = {
    x402: readX402Offers(headers['payment-required']),
    mpp: readMppOffers(headers['www-authenticate']),
  }
  const asked = options.protocol === 'any' ? (['x402', 'mpp'] as const) : [options.protocol]
  const offers: SaleOffer[] = []
  for (const protocol of asked) {
    const reading = read[protocol]
    if (reading.type === 'malformed')
      return problem('down', 'offer', `The ${protocolNames[protocol]} offer cannot be read: ${reading.fault}`)
    if (reading.type === 'offers') offers.push(...reading.offers)
  }
  if (asked.every((protocol) => read[protocol].type === 'none')) {
    const names = asked.map((protocol) => protocolNames[protocol]).join(' or ')
    return problem('down', 'offer', `HTTP status 402 without an offer of ${names}`)
  }
  return judgeSale(offers, options)
}

/** The offer that agrees with most of the pins is judged; of several the cheapest, of equal ones the first. */
function judgeSale(offers: readonly SaleOffer[], options: PaidOptions): Found {
  const [first, ...others] = offers.map((offer) => ({ offer, agreed: countAgreed(offer, options) }))
  if (first === undefined)
    return problem('down', 'offer', 'No offer can be paid by an authorization of a token (ERC-3009)')
  const { offer, agreed } = others.reduce(nearer, first)
  const { protocol, network, asset, payee, price } = offer
  const shown = { protocol, network, asset, payee, price: String(price) }
  const differing = pins[agreed]
  if (differing === undefined) return { status: 'up', error: null, details: { protocol, price: shown.price } }
  const status = differing === 'highest_price' ? 'degraded' : 'down'
  const found = problem(status, differing, differenceText(shown, differing, options))
  return { ...found, details: { ...found.details, offered: shown } }
}

/** In this order: a token's address means nothing on another chain, and a price nothing in another token. */
const pins = ['network', 'asset', 'payee', 'highest_price'] as const satisfies Pinned[]

/** How many of the pins agree before one differs. */
function countAgreed(offer: SaleOffer, options: PaidOptions): number {
  const agrees: Readonly<Record<Pinned, boolean>> = {
    network: offer.network === options.network,
    asset: offer.asset === options.asset.toLowerCase(),
    payee: offer.payee === options.payee.toLowerCase(),
    highest_price: offer.price <= BigInt(options.highest_price),
  }
  const differing = pins.findIndex((pin) => !agrees[pin])
  return differing === -1 ? pins.length : differing
}

type Compared = { offer: SaleOffer; agreed: number }

function nearer(left: Compared, right: Compared): Compared {
  const isCheaper = right.agreed === left.agreed && right.offer.price < left.offer.price
  return right.agreed > left.agreed || isCheaper ? right : left
}

type ShownOffer = Readonly<Record<Exclude<Pinned, 'highest_price'> | 'price', string>>

function differenceText(offer: ShownOffer, differing: Pinned, options: PaidOptions): string {
  if (differing === 'highest_price') return `The price is ${offer.price}, above the highest of ${options.highest_price}`
  return `The ${differing} of the offer is ${offer[differing]}, expected ${options[differing]}`
}

function latencyProblem(latencyMs: number, { max_latency_ms: limit }: PaidOptions): Found | null {
  if (limit === undefined || latencyMs <= limit) return null
  return problem('degraded', 'max_latency_ms', `The offer took longer than ${limit} ms`)
}

function problem(status: 'degraded' | 'down', assertion: Assertion, error: string): Found {
  return { status, error, details: { failed_assertion: assertion } }
}
