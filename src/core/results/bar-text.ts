/** The outcome of a day's checks. `share` is how many of 10,000 were down or, where none was down, degraded. */
export type DayShare =
  | { state: 'none' }
  | { state: 'up' }
  | { state: 'down'; share: number }
  | { state: 'degraded'; share: number }

const letters = { none: 'n', up: 'u', down: 'd', degraded: 'g' } as const

/**
 * Daily bars as a text, oldest first: `n10` are ten days without checks, `u34` are 34 days without a failure, `d13` is
 * a day on which 13 of 10,000 checks failed, `g200` is a day on which 200 of 10,000 were degraded and none failed.
 */
export function writeBars(days: readonly DayShare[]): string {
  const words: string[] = []
  for (let index = 0, day = days[0]; day !== undefined; day = days[index]) {
    const length = day.state === 'none' || day.state === 'up' ? runOf(days, index) : 1
    words.push(`${letters[day.state]}${'share' in day ? day.share : length}`)
    index += length
  }
  return words.join('')
}

/** Failed checks take precedence over degraded ones. */
export function dayShare({ checks, down, restricted }: { checks: number; down: number; restricted: number }): DayShare {
  if (checks === 0) return { state: 'none' }
  if (down > 0) return { state: 'down', share: shareOf(down, checks) }
  return restricted > 0 ? { state: 'degraded', share: shareOf(restricted, checks) } : { state: 'up' }
}

/** At least 1 of 10,000, so that a failure never looks like none. */
function shareOf(part: number, all: number): number {
  return Math.max(1, Math.round((10_000 * part) / all))
}

function runOf(days: readonly DayShare[], from: number): number {
  const state = days[from]?.state
  let length = 1
  while (days[from + length]?.state === state) length += 1
  return length
}

/** The alphabet of RFC 4648 5: a character is a value from 0 to 63. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const steps = digits.length - 1

/**
 * Response times as a text, oldest first: the longest in milliseconds, a colon, and for each time a character that says
 * how many 63rds of the longest it is, or "." for a round without one. Empty without rounds.
 */
export function writeSpark(latenciesMs: readonly (number | null)[]): string {
  const longest = Math.max(0, ...latenciesMs.map((ms) => ms ?? 0))
  const points = latenciesMs.map((ms) => (ms === null ? '.' : digits.charAt(levelOf(ms, longest))))
  return points.length === 0 ? '' : `${longest}:${points.join('')}`
}

function levelOf(ms: number, longest: number): number {
  return longest === 0 ? 0 : Math.round((steps * ms) / longest)
}
