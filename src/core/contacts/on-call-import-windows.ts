// Times of the week, as restrictions of several systems say them and as a layer has them.
import type { OnCallLayer } from './on-call-schedule.ts'
import type { WeekWindow } from './on-call-import.ts'

const dayMinutes = 1440
const weekMinutes = 7 * dayMinutes

type Stretch = { starts: number; ends: number }

/** One window in place of those that overlap or touch; null when they leave no minute of the week out. */
export function joinWindows(windows: readonly WeekWindow[]): WeekWindow[] | null {
  const stretches = joined(windows.flatMap(stretchesOf))
  const [first, last] = [stretches.at(0), stretches.at(-1)]
  if (first === undefined || last === undefined) return []
  if (first.ends - first.starts === weekMinutes) return null
  const found = stretches.map(({ starts, ends }) => ({ starts, lasts: ends - starts }))
  if (first === last || first.starts > 0 || last.ends < weekMinutes) return found
  // The one that ends with the week goes on in the one with which the week begins.
  return [...found.slice(1, -1), { starts: last.starts, lasts: last.ends - last.starts + first.ends }]
}

export function doOverlap(one: readonly WeekWindow[] | null, other: readonly WeekWindow[] | null): boolean {
  if (one === null || other === null) return true
  const [these, those] = [one.flatMap(stretchesOf), other.flatMap(stretchesOf)]
  return these.some((a) => those.some((b) => a.starts < b.ends && b.starts < a.ends))
}

/** Whether every minute of the inner windows is one of the outer windows. */
export function isCovered(inner: readonly WeekWindow[] | null, outer: readonly WeekWindow[] | null): boolean {
  if (outer === null) return true
  if (inner === null) return joinWindows(outer) === null
  const covering = joined(outer.flatMap(stretchesOf))
  return inner.flatMap(stretchesOf).every((a) => covering.some((b) => b.starts <= a.starts && a.ends <= b.ends))
}

/** The restrictions of a layer that say the same; a window of more than a day becomes several. */
export function restrictionsOf(windows: readonly WeekWindow[]): OnCallLayer['restrictions'] {
  const byTimes = new Map<string, OnCallLayer['restrictions'][number]>()
  for (const { starts, lasts } of windows)
    for (let begun = 0; begun < lasts; begun += dayMinutes) {
      const at = (starts + begun) % weekMinutes
      const times = { starts: timeOf(at), ends: timeOf(at + Math.min(dayMinutes, lasts - begun)) }
      const key = `${times.starts} ${times.ends}`
      const restriction = byTimes.get(key) ?? { weekdays: [], ...times }
      restriction.weekdays = withDay(restriction.weekdays, Math.floor(at / dayMinutes) + 1)
      byTimes.set(key, restriction)
    }
  return [...byTimes.values()]
}

function withDay(weekdays: readonly number[], day: number): number[] {
  return [...new Set([...weekdays, day])].toSorted((one, other) => one - other)
}

/** Within one week. */
function stretchesOf({ starts, lasts }: WeekWindow): Stretch[] {
  if (lasts >= weekMinutes) return [{ starts: 0, ends: weekMinutes }]
  const from = ((starts % weekMinutes) + weekMinutes) % weekMinutes
  const ends = from + lasts
  if (ends <= weekMinutes) return [{ starts: from, ends }]
  return [
    { starts: from, ends: weekMinutes },
    { starts: 0, ends: ends - weekMinutes },
  ]
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = []
  for (const { starts, ends } of stretches.toSorted((one, other) => one.starts - other.starts)) {
    const last = found.at(-1)
    if (last !== undefined && starts <= last.ends) last.ends = Math.max(last.ends, ends)
    else found.push({ starts, ends })
  }
  return found
}

function timeOf(minute: number): string {
  const ofDay = minute % dayMinutes
  return [Math.floor(ofDay / 60), ofDay % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
