// The turns of one layer, in the local time of its schedule (core/language/local-clock.ts).
import { msOfDay } from '#core/language/time-of-day.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { OnCallLayer } from './on-call-schedule.ts'

/** Local times: milliseconds since 1970 as though the zone were UTC. Includes `starts`, excludes `ends`. */
type Stretch = { starts: number; ends: number }
type Turn = Stretch & { contactId: string }

const unitMs = { hours: 3_600_000, days: dayMs, weeks: 7 * dayMs }

/** Whether the layer has somebody at a local time. */
export function isOnDuty(layer: OnCallLayer, local: number): boolean {
  if (layer.participants.length === 0 || local < beginningOf(layer).counts) return false
  return allowedOf(layer, local, local).some(({ starts, ends }) => starts <= local && local < ends)
}

/** Whose turn it is at a local time, whether the layer has somebody then or not. */
export function participantAt(layer: OnCallLayer, local: number): string | null {
  const { first, lasts } = beginningOf(layer)
  return participantOf(layer, Math.floor((local - first) / lasts))
}

/** The parts of turns in which the layer has somebody, from the one at `from` to the one at `until`, uncut. */
export function turnsOf(layer: OnCallLayer, from: number, until: number): Turn[] {
  const { first, counts, lasts } = beginningOf(layer)
  if (layer.participants.length === 0 || until < counts) return []
  const start = Math.max(from, counts)
  const allowed = allowedOf(layer, start, until)
  const turns: Turn[] = []
  let next = 0
  for (let number = Math.floor((start - first) / lasts); first + number * lasts <= until; number += 1) {
    const contactId = participantOf(layer, number)
    const turn = { starts: Math.max(first + number * lasts, counts), ends: first + (number + 1) * lasts }
    for (let window = allowed[next]; window !== undefined && window.starts < turn.ends; window = allowed[next]) {
      const [starts, ends] = [Math.max(window.starts, turn.starts), Math.min(window.ends, turn.ends)]
      if (starts < ends && contactId !== null) turns.push({ starts, ends, contactId })
      if (window.ends > turn.ends) break
      next += 1
    }
  }
  return turns
}

/** `first`: when the first turn begins; `counts`: when the layer does, which may be within that turn. */
function beginningOf(layer: OnCallLayer): { first: number; counts: number; lasts: number } {
  const day = Date.parse(`${layer.start_date}T00:00:00Z`)
  const counts = day + msOfDay(layer.hand_over)
  const { unit, every } = layer.rotation
  const isOff = unit === 'weeks' && layer.weekday !== null
  // The hand-over before it, so that the first one after it falls on the weekday.
  const first = isOff ? counts - ((weekdayOf(day) - (layer.weekday ?? 0) + 7) % 7) * dayMs : counts
  return { first, counts, lasts: every * unitMs[unit] }
}

function participantOf({ participants }: OnCallLayer, turn: number): string | null {
  return participants[turn % participants.length] ?? null
}

/** When the layer may have somebody, around these local times, in order and without overlap. */
function allowedOf({ restrictions }: OnCallLayer, from: number, until: number): Stretch[] {
  if (restrictions.length === 0) return [{ starts: -Infinity, ends: Infinity }]
  const windows = restrictions.map(({ weekdays, starts, ends }) => {
    const [begin, end] = [msOfDay(starts), msOfDay(ends)]
    return { weekdays: new Set(weekdays), begin, end: end > begin ? end : end + dayMs }
  })
  const found: Stretch[] = []
  // One that began yesterday may last until today.
  for (let day = Math.floor(from / dayMs) * dayMs - dayMs; day <= until; day += dayMs)
    for (const { weekdays, begin, end } of windows)
      if (weekdays.has(weekdayOf(day))) found.push({ starts: day + begin, ends: day + end })
  return joined(found.toSorted((one, other) => one.starts - other.starts))
}

function joined(sorted: readonly Stretch[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { starts, ends } of sorted) {
    const last = stretches.at(-1)
    if (last !== undefined && starts <= last.ends) last.ends = Math.max(last.ends, ends)
    else stretches.push({ starts, ends })
  }
  return stretches
}

/** 1 is Monday. */
function weekdayOf(day: number): number {
  return ((new Date(day).getUTCDay() + 6) % 7) + 1
}
