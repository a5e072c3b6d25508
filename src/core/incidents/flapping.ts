// Monitors that keep going down and coming back: when they count as unstable, and what is told of it.
import { z } from 'zod'

const leastChanges = 3
const mostChanges = 20
const leastMinutes = 5
const mostMinutes = 1440
const minuteMs = 60_000

export const flappingSchema = z
  .strictObject({
    changes: z.int().min(leastChanges).max(mostChanges).describe('Beginnings and ends of outages.'),
    within_minutes: z.int().min(leastMinutes).max(mostMinutes),
  })
  .describe(
    'This many changes within this many minutes send one alert that the monitor is unstable. The next alert comes once it has stayed up or down as long. Default: every outage is alerted.',
  )
export type Flapping = z.infer<typeof flappingSchema>

/** Times of changes in milliseconds since 1970, ascending; and whether the monitor is unstable. */
export type ChangeCourse = { changes: readonly number[]; isUnstable: boolean }

/** `begins`: with this change the monitor is unstable. `goes_on`: it was before. */
export type ChangeSight = 'usual' | 'begins' | 'goes_on'

/** Counts a change of a monitor. Changes that are too old to count, or more than can count, are forgotten. */
export function foldChange(
  { changes, isUnstable }: ChangeCourse,
  atMs: number,
  rule: Flapping,
): { changes: number[]; sight: ChangeSight } {
  const counted = changes
    .filter((each) => each > atMs - rule.within_minutes * minuteMs)
    .concat(atMs)
    .toSorted((a, b) => a - b)
    .slice(-mostChanges)
  if (isUnstable) return { changes: counted, sight: 'goes_on' }
  return { changes: counted, sight: counted.length >= rule.changes ? 'begins' : 'usual' }
}

/** Of the event of a beginning. */
export function unstableText(changes: number, { within_minutes: minutes }: Flapping): string {
  return `Unstable: outages began or ended ${changes} times within ${minutes} minutes. No single outage is alerted until the state has stayed the same for ${minutes} minutes.`
}

/** Why an unstable monitor is none any more; `unwatched` where its rule is gone. */
export type StableReason = 'up' | 'down' | 'unwatched'

/** Of the event of an end. */
export function stableText(reason: StableReason, minutes: number | null): string {
  switch (reason) {
    case 'up':
      return `Stable again: up for ${minutes} minutes without an outage.`
    case 'down':
      return `Down for ${minutes} minutes without a change. Contacts are alerted about the outage.`
    case 'unwatched':
      return 'Every outage is alerted again, whether the monitor is stable or not.'
  }
}
