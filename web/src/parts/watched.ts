import { plural, t } from '@lingui/core/macro'
import type { BarDay } from './bars.tsx'

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
      // Short, for it stands in a column.
      return t`watched for seconds`
  }
}

/** The same for a time of which figures are told; null where it has passed, or nothing is known yet. */
export function watchedInstead(sinceMs: number | null, { days, now }: { days: number; now: number }): string | null {
  if (sinceMs === null || now - sinceMs >= days * dayMs) return null
  return watchedText(now - sinceMs)
}

/**
 * The same beside the bars of 90 days, of which today is the last: what has been watched since the first of them, or
 * longer, has been for 89 days and a part of today.
 */
export function watchedInsteadOfBars(sinceMs: number | null, now: number): string | null {
  return watchedInstead(sinceMs, { days: 89, now })
}

/** Days before a monitor was watched are no days without checks. `sinceMs` is null where nothing is known of it yet. */
export function sinceWatched(days: readonly BarDay[], sinceMs: number | null): BarDay[] {
  const first = sinceMs === null ? null : new Date(sinceMs).toISOString().slice(0, 10)
  const isBefore = ({ date, state }: BarDay): boolean => state === 'none' && (first === null || date < first)
  return days.map((day) => (isBefore(day) ? { ...day, state: 'before' } : day))
}

/** From this many steps on, what was measured is spread over a chart. */
const fewSteps = 2

/**
 * The range of time that a chart shows: from when a monitor is watched, if that is later than its first step, but some
 * steps in any case. All in the seconds of `times`, which are the beginnings of steps.
 */
export function rangeSince(
  times: readonly number[],
  { sinceMs, stepSeconds }: { sinceMs: number | null; stepSeconds: number },
): readonly [from: number, to: number] {
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const begin = sinceMs === null ? first : first + Math.floor((sinceMs / 1000 - first) / stepSeconds) * stepSeconds
  return [Math.max(first, Math.min(begin, last - fewSteps * stepSeconds)), last]
}
