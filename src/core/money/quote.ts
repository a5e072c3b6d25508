import { fail } from '#core/language/error.ts'
import type { QuoteRecord } from './payment-required.ts'
import { pricing } from './pricing.ts'

export type BillingPeriod = 'monthly' | 'lifetime'

/** What something costs before anybody's credit is looked at. */
export type Price = {
  billing: 'plan' | 'paid'
  /** Null where nothing is bought for a period: in a plan slot, and for credit. */
  billingPeriod: BillingPeriod | null
  locations: readonly string[]
  priceCents: number
}

/** How a monitor that exists is paid for. `paidLocations` is the highest count that was paid (decisions.md C12). */
export type Paid = { billing: 'plan' | 'paid'; billingPeriod: BillingPeriod | null; paidLocations: number }

/** A free slot of the plan is used before anything is paid (specification, rules for create, 1 and 2). */
export function priceOfCreate(wish: {
  hasFreeSlot: boolean
  locations: readonly string[]
  billingPeriod: BillingPeriod | null | undefined
}): Price {
  const { locations } = wish
  if (wish.hasFreeSlot) return { billing: 'plan', billingPeriod: null, locations, priceCents: 0 }
  const billingPeriod = wish.billingPeriod ?? 'monthly'
  return { billing: 'paid', billingPeriod, locations, priceCents: locations.length * pricePerLocation(billingPeriod) }
}

/** Only locations beyond those paid for cost something, and then the whole price: a cent cannot be split. */
export function priceOfChange({ billing, billingPeriod, paidLocations }: Paid, locations: readonly string[]): Price {
  const added = Math.max(0, locations.length - paidLocations)
  const priceCents = billing === 'plan' || billingPeriod === null ? 0 : added * pricePerLocation(billingPeriod)
  return { billing, billingPeriod, locations, priceCents }
}

/** Another 30 days for the locations as they are. Refuses what is not paid by the month with `not_renewable`. */
export function priceOfRenewal({ billing, billingPeriod }: Paid, locations: readonly string[]): Price {
  if (billing === 'plan')
    throw fail('not_renewable', 'This monitor uses a slot of the plan; there is nothing to renew.')
  if (billingPeriod !== 'monthly')
    throw fail('not_renewable', 'This monitor is paid for life; there is nothing to renew.')
  return { billing, billingPeriod, locations, priceCents: locations.length * pricing.pricePerLocationCents }
}

export function quoteOf({ billing, billingPeriod, locations, priceCents }: Price, creditCents: number): QuoteRecord {
  return {
    billing,
    billing_period: billingPeriod,
    locations: [...locations],
    price_cents: priceCents,
    credit_cents: creditCents,
    amount_due_cents: Math.max(0, priceCents - creditCents),
  }
}

/** Of a request whose Idempotency-Key stands for one that is done: it would cost nothing again (decisions.md A20). */
export function replayQuote(price: Omit<Price, 'billing' | 'priceCents'>, creditCents: number): QuoteRecord {
  return { ...quoteOf({ ...price, billing: 'paid', priceCents: 0 }, creditCents), billing: 'replay' }
}

/** Of credit itself: credit never pays for credit (decisions.md A20). */
export function quoteOfTopUp(amountCents: number, creditCents: number): QuoteRecord {
  const price = { billing: 'paid', billingPeriod: null, locations: [], priceCents: amountCents } as const
  return { ...quoteOf(price, creditCents), amount_due_cents: amountCents }
}

const dayMs = 86_400_000

/** When the first period of a monitor that is paid now ends; null for life. */
export function firstPaidUntil(billingPeriod: BillingPeriod | null, at: Date): Date | null {
  return billingPeriod === 'monthly' ? daysAfter(at, pricing.renewalDays) : null
}

/** When a monitor that is unpaid since `paidUntil` pauses. */
export function endOfGrace(paidUntil: Date): Date {
  return daysAfter(paidUntil, pricing.graceDays)
}

/** Renewal adds to the time that is left, and during the grace to the end that has passed; after it from now (B9). */
export function renewedUntil(paidUntil: Date, at: Date): Date {
  return daysAfter(at < endOfGrace(paidUntil) ? paidUntil : at, pricing.renewalDays)
}

/** Cents as an amount with two decimals, without floating-point numbers. */
export function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function pricePerLocation(period: BillingPeriod): number {
  return period === 'lifetime' ? pricing.lifetimePricePerLocationCents : pricing.pricePerLocationCents
}

function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * dayMs)
}
