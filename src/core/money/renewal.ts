import { pricing } from './pricing.ts'
import { dayMs } from '#core/language/utc-day.ts'

/** How long before its end a period is renewed: renewals run every hour. */
export const renewalAheadMs = 3_600_000

/**
 * Days before the end of a period on which its workspace is told that credit does not cover the next
 * (docs/decisions/plans-and-periods.md, "When a paid month ends").
 */
export const noticeDays = [7, 3, 1, 0] as const
export type NoticeDay = (typeof noticeDays)[number]

export type Renewable = { locations: number; paidUntil: Date }

/** Cents for another period of a monitor with so many locations. */
export function renewalCents(locations: number): number {
  return locations * pricing.pricePerLocationCents
}

/** For the ledger and for challenges, hence in ASCII. */
export function renewalDescription(locations: number): string {
  return `Renewal of ${locations} location${locations === 1 ? '' : 's'} for ${pricing.renewalDays} days`
}

/** Divides periods, in the order given, into what credit pays for and what it does not cover. */
export function planRenewals<T extends Renewable>(
  creditCents: number,
  due: readonly T[],
): { covered: T[]; uncovered: T[] } {
  let left = creditCents
  const covered: T[] = []
  const uncovered: T[] = []
  for (const monitor of due) {
    const price = renewalCents(monitor.locations)
    if (price > left) uncovered.push(monitor)
    else {
      covered.push(monitor)
      left -= price
    }
  }
  return { covered, uncovered }
}

/**
 * The occasion that has come last for a period, null before the first. Days are those of UTC, so that one message tells
 * of everything that ends on one day.
 */
export function noticeOf(paidUntil: Date, at: Date): NoticeDay | null {
  const days = dayNumber(paidUntil) - dayNumber(at)
  return noticeDays.findLast((day) => days <= day) ?? null
}

/** The last moment at which a period can end that has had this occasion. */
export function noticedUntil(day: NoticeDay, at: Date): Date {
  return new Date((dayNumber(at) + day + 1) * dayMs - 1)
}

/** The last moment at which a period can have ended whose grace is over by now. */
export function graceOverUntil(at: Date): Date {
  return new Date(at.getTime() - pricing.graceDays * dayMs)
}

function dayNumber(at: Date): number {
  return Math.floor(at.getTime() / dayMs)
}
