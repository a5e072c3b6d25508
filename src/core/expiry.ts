export type ExpirySubject = 'certificate' | 'domain'

/** A certificate or registration, of whose end people are alerted beforehand. */
export type Ending =
  | { subject: 'certificate'; notBefore: Date; expiresAt: Date }
  | { subject: 'domain'; expiresAt: Date }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const earliestMs = Date.UTC(1000, 0, 1)
const latestMs = Date.UTC(9999, 11, 31)

const domainDays: readonly number[] = [30, 14, 7, 3, 1]
const certificateDays: readonly number[] = [7, 3, 1]
const maxWindowDays = 14

/**
 * The time in a certificate or in a registry's answer, in milliseconds since 1970, moved into the years that ISO 8601
 * writes with four digits. Null when the text is no time.
 */
export function timeOfEnd(text: string): number | null {
  const timeMs = Date.parse(text)
  return Number.isNaN(timeMs) ? null : Math.min(Math.max(timeMs, earliestMs), latestMs)
}

/** The time of the first alert. Null for a certificate that begins after its end. */
export function firstOccasion(ending: Ending): Date | null {
  return occasionsOf(ending)[0] ?? null
}

/**
 * The newest occasion that has come, null while none has; alerts for earlier ones are not sent afterwards. A
 * certificate that has ended fails the check itself, so no alert of it is due. A domain that has ended still works for
 * weeks, so an alert that was not sent yet is sent even then.
 */
export function dueOccasion(ending: Ending, now: Date): Date | null {
  if (ending.subject === 'certificate' && now >= ending.expiresAt) return null
  return occasionsOf(ending).findLast((occasion) => occasion <= now) ?? null
}

/** The next occasion after `now`; null when none is left. */
export function nextOccasion(ending: Ending, now: Date): Date | null {
  return occasionsOf(ending).find((occasion) => occasion > now) ?? null
}

/**
 * Days to an end as every text and every `days_left` has them: rounded before it, since an alert that is due seven days
 * before leaves a moment later; after it the whole days that have passed, below zero.
 */
export function daysLeft(expiresAt: Date, now: Date): number {
  const days = (expiresAt.getTime() - now.getTime()) / dayMs
  const counted = days > 0 ? Math.round(days) : Math.ceil(days)
  return counted === 0 ? 0 : counted
}

/** `in 3 days`, of days that are left before an end. */
export function inDays(days: number): string {
  return days === 0 ? 'in less than a day' : `in ${daysText(days)}`
}

/** `1 day`, `3 days` */
export function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

/**
 * When to look up again a domain that was just read: in a day, or when the next alert is due, so that no alert is about
 * an end that a renewal has moved. `expiresAt` is null where the registry publishes none.
 */
export function nextLookUp(expiresAt: Date | null, now: Date): Date {
  const tomorrow = new Date(now.getTime() + dayMs)
  const occasion = expiresAt === null ? null : nextOccasion({ subject: 'domain', expiresAt }, now)
  return occasion !== null && occasion < tomorrow ? occasion : tomorrow
}

/** The wait doubles with each failure in a row: an hour, two, four, up to a day. */
export function retryLookUp(failures: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(dayMs, hourMs * 2 ** Math.max(0, failures - 1)))
}

/**
 * In the order of time. Domains alert 30, 14, 7, 3 and 1 days before their end; certificates from the day on which
 * automatic renewal should have happened (docs/decisions/alerts-and-contacts.md).
 */
function occasionsOf(ending: Ending): Date[] {
  const endMs = ending.expiresAt.getTime()
  return daysBefore(ending).map((days) => new Date(Math.round(endMs - days * dayMs)))
}

function daysBefore(ending: Ending): readonly number[] {
  if (ending.subject === 'domain') return domainDays
  const lifetimeDays = (ending.expiresAt.getTime() - ending.notBefore.getTime()) / dayMs
  if (lifetimeDays <= 0) return []
  const windowDays = Math.min(maxWindowDays, lifetimeDays / 6)
  return [windowDays, ...certificateDays.filter((days) => days < windowDays)]
}
