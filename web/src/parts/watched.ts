import { plural, t } from '@lingui/core/macro'

const dayMs = 86_400_000
const units = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long a monitor has been watched, rounded down. */
export function watchedText(ms: number): string {
  const [unit, lengthMs] = units.find(([, length]) => ms >= length) ?? (['none', dayMs] as const)
  const count = Math.floor(ms / lengthMs)
  switch (unit) {
    case 'day':
      return plural(count, { one: 'watched for # day', other: 'watched for # days' })
    case 'hour':
      return plural(count, { one: 'watched for # hour', other: 'watched for # hours' })
    case 'minute':
      return plural(count, { one: 'watched for # minute', other: 'watched for # minutes' })
    case 'none':
      return t`watched for less than a minute`
  }
}

/** The same for a time of which figures are told; null where it has passed, or nothing is known yet. */
export function watchedInstead(sinceMs: number | null, { days, now }: { days: number; now: number }): string | null {
  if (sinceMs === null || now - sinceMs >= days * dayMs) return null
  return watchedText(now - sinceMs)
}
