import { fail } from '#core/language/error.ts'
import type { QuoteRecord } from './payment-required.ts'
import { pricing } from './pricing.ts'

export type BillingPeriod = 'monthly' | 'lifetime'

/** What something costs, whatever the credit. */
export type Price = {
  billing: 'plan' | 'paid'
  /** Null where nothing is bought for a period: in a plan slot, and for credit. */
  billingPeriod: BillingPeriod | null
  locations: readonly string[]
  priceCents: number
}

/**
 * How a monitor that exists is paid for. `paidLocations` is the highest count that was paid in the period
 * (docs/decisions/plans-and-periods.md, "Locations of a paid monitor").
 */
export type Paid = { billing: 'plan' | 'paid'; billingPeriod: BillingPeriod | null; paidLocations: number }

/** A free slot of the plan is used before money, also for a monitor that is asked for by the period. */
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
    throw fail('not_renewable', 'This monitor uses a slot of the plan. There is nothing to renew.')
  if (billingPeriod !== 'monthly')
    throw fail('not_renewable', 'This monitor is paid for life. There is nothing to renew.')
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

/**
 * For a request that its Idempotency-Key shows to be done: repeating it costs nothing, and a quote that named the price
 * again would make a client pay twice.
 */
export function replayQuote(price: Omit<Price, 'billing' | 'priceCents'>, creditCents: number): QuoteRecord {
  return { ...quoteOf({ ...price, billing: 'paid', priceCents: 0 }, creditCents), billing: 'replay' }
}

/** Credit never pays for credit, so the whole amount is due, whatever the balance. */
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

/**
 * A renewal within the grace adds to the old end, so the days that were used are paid for; after it, nothing was
 * checked in between, so the period begins now.
 */
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
