import type { AccountRecord } from '#core/account.ts'
import type { Plan } from './plan.ts'
import type { ProjectEntry } from './project.ts'

/** What a plan would cost, VAT included. `creditCents` is what the workspace has. */
export type PlanPrice = {
  /** How many of the monitors have no free slot. */
  monitors: number
  /** For 30 days, and then again. */
  monthlyCents: number
  /** Once, for life. */
  lifetimeCents: number
  creditCents: number
  /** Whether the service takes payments; otherwise credit alone pays. */
  isPayable: boolean
}

type Account = Pick<AccountRecord, 'plan_monitors' | 'pricing' | 'credit_cents'>

/**
 * Of the monitors that are to be created; null where all have a free slot. Slots go to those that are made first. What
 * more locations of a paid monitor cost is not in it.
 */
export function priceOf({ changes }: Pick<Plan, 'changes'>, account: Account): PlanPrice | null {
  const created = changes.flatMap(({ type, entry }) =>
    type === 'create' && entry.section === 'monitors' ? [entry] : [],
  )
  const paid = [...pricesOf(created, account)].filter(([, cents]) => cents > 0)
  if (paid.length === 0) return null
  const sum = (isForLife: boolean): number =>
    paid.filter(([entry]) => isLifetime(entry) === isForLife).reduce((total, [, cents]) => total + cents, 0)
  return {
    monitors: paid.length,
    monthlyCents: sum(false),
    lifetimeCents: sum(true),
    creditCents: account.credit_cents,
    isPayable: account.pricing.payments_enabled,
  }
}

/** What each of these new monitors costs at once, in cents, when they are made in this order. */
export function pricesOf(
  created: readonly ProjectEntry[],
  { plan_monitors: slots, pricing }: Pick<Account, 'plan_monitors' | 'pricing'>,
): Map<ProjectEntry, number> {
  const { price_per_location_cents: monthly, lifetime_price_per_location_cents: lifetime } = pricing
  const free = Math.max(0, slots.free)
  return new Map(
    created.map((entry, at) => [entry, at < free ? 0 : locationsOf(entry) * (isLifetime(entry) ? lifetime : monthly)]),
  )
}

function isLifetime({ fields }: ProjectEntry): boolean {
  return fields['billing_period'] === 'lifetime'
}

function locationsOf({ fields: { locations } }: ProjectEntry): number {
  return Array.isArray(locations) ? locations.length : 1
}
