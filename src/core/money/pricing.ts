/** Prices include VAT and are whole cents of a US dollar (docs/money.md). */
export const pricing = {
  currency: 'usd',
  pricePerLocationCents: 1,
  lifetimePricePerLocationCents: 10,
  renewalDays: 30,
  /** From the end of a paid period to the pause (docs/decisions/plans-and-periods.md, "When a paid month ends"). */
  graceDays: 7,
  minimumTopUpCents: 50,
  isVatIncluded: true,
  /** In one workspace. */
  maxPaidMonitors: 1000,
} as const

/**
 * For how long a repeat of a request that made something is answered with what it made (docs/decisions/payments.md, "A
 * repeat of the same request").
 */
export const replayMs = 24 * 3_600_000
