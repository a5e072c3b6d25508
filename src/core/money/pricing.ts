/** Prices include VAT and are whole cents of a US dollar (specification, What the service does 9). */
export const pricing = {
  currency: 'usd',
  pricePerLocationCents: 1,
  lifetimePricePerLocationCents: 10,
  renewalDays: 30,
  /** From the end of a paid period to the pause (decisions.md B9). */
  graceDays: 7,
  minimumTopUpCents: 50,
  isVatIncluded: true,
  /** Of a workspace (specification, Limits). */
  maxPaidMonitors: 1000,
} as const

/**
 * For how long a repeat of a request that made something is answered with what it made (specification, rules for
 * create, 5; decisions.md C27).
 */
export const replayMs = 24 * 3_600_000
