// When a shift of Grafana OnCall recurs (RFC 5545 3.3.10), as turns and times of the week.
import type { OnCallLayer } from './on-call-schedule.ts'
import type { WeekWindow } from './on-call-import.ts'
import { joinWindows } from './on-call-import-windows.ts'

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
type Weekday = (typeof weekdays)[number]

/** Times are local, in milliseconds; the duration in seconds. */
export type GrafanaShift = {
  type: string
  start: number
  duration: number
  rotation_start?: number | null | undefined
  frequency?: 'hourly' | 'daily' | 'weekly' | 'monthly' | null | undefined
  interval?: number | null | undefined
  week_start?: Weekday | null | undefined
  by_day?: readonly Weekday[] | null | undefined
  by_month?: readonly number[] | null | undefined
  by_monthday?: readonly number[] | null | undefined
}

type Asked = GrafanaShift & {
  /** Schedules of the web begin with a shift that has not ended, others with one that has not begun. */
  isWeb: boolean
  /** How many take turns. */
  groups: number
}

type Recurrence = {
  rotation: OnCallLayer['rotation']
  first: number
  begins: number
  windows: readonly WeekWindow[] | null
}

const minuteMs = 60_000
const dayMs = 86_400_000
const dayMinutes = 1440
const weekMinutes = 7 * dayMinutes
const periods = { hours: 60, days: dayMinutes, weeks: weekMinutes } as const
const units = { hourly: 'hours', daily: 'days', weekly: 'weeks' } as const

/** A sentence where a layer cannot say the same. */
export function recurrenceOf(asked: Asked): Recurrence | string {
  const { frequency, start } = asked
  const every = asked.interval ?? 1
  if (frequency === undefined || frequency === null) return 'It has no frequency, so it is left out.'
  if (frequency === 'monthly' || isChosen(asked.by_month) || isChosen(asked.by_monthday))
    return 'It recurs by the month. Layers recur by hours, days and weeks, so it is left out.'
  const rotation = { every, unit: units[frequency] }
  const days = asked.by_day ?? []
  const period = every * periods[rotation.unit]
  const lasts = Math.max(1, Math.round(asked.duration / 60))
  const takesTurns = asked.type === 'rolling_users' && asked.groups > 1
  if (days.length > 0 && days.length < 7) return onDays(asked, { rotation, lasts, takesTurns, days })
  if (lasts > period && takesTurns) return 'Its turns overlap, so it is left out.'
  const windows = lasts >= period ? null : windowsOf({ start, lasts, every, frequency })
  if (typeof windows === 'string') return windows
  return { rotation: rotationOf(rotation, takesTurns), first: start, begins: beginsAt(asked), windows }
}

function isChosen(list: readonly number[] | null | undefined): boolean {
  return list !== null && list !== undefined && list.length > 0
}

function beginsAt({ start, rotation_start: rotationStart }: Asked): number {
  return Math.max(start, rotationStart ?? start)
}

/** Where only one group is on call all along, the length of a turn does not count. */
function rotationOf(rotation: OnCallLayer['rotation'], takesTurns: boolean): OnCallLayer['rotation'] {
  return takesTurns ? rotation : { every: 1, unit: 'weeks' }
}

type Shape = { start: number; lasts: number; every: number; frequency: 'hourly' | 'daily' | 'weekly' }

/** Times at which a shift is on duty that does not last until the next one. */
function windowsOf({ start, lasts, every, frequency }: Shape): WeekWindow[] | null | string {
  const starts = minuteOfWeek(start)
  if (frequency === 'weekly' && every === 1) return joinWindows([{ starts, lasts }])
  const step = frequency === 'hourly' ? every * 60 : every * dayMinutes
  if (frequency === 'weekly' || weekMinutes % step !== 0 || step > dayMinutes)
    return 'Between its shifts no one is on call, in a pattern that does not repeat weekly, so it is left out.'
  return joinWindows(
    Array.from({ length: weekMinutes / step }, (_, index) => ({ starts: starts + index * step, lasts })),
  )
}

type OnDays = { rotation: OnCallLayer['rotation']; lasts: number; takesTurns: boolean; days: readonly Weekday[] }

/** A week belongs to one group, which has a shift on each of the days. */
function onDays(asked: Asked, { rotation, lasts, takesTurns, days }: OnDays): Recurrence | string {
  const { start, frequency, week_start: weekStart } = asked
  if (frequency === 'hourly') return 'It recurs by the hour on some weekdays only, so it is left out.'
  if (rotation.every > 1) return 'It recurs on weekdays of some weeks only, so it is left out.'
  if (frequency === 'daily' && takesTurns)
    return 'Its turns change from one chosen weekday to the next. In Perigee, turns continue every day, so it is left out.'
  const from = weekdays.indexOf(weekStart ?? 'SU')
  const chosen = days.map((day) => (weekdays.indexOf(day) - from + 7) % 7).toSorted((one, other) => one - other)
  const [firstDay = 0, lastDay = 0] = [chosen.at(0), chosen.at(-1)]
  if (takesTurns && lasts > (firstDay + 7 - lastDay) * dayMinutes) return 'Its turns overlap, so it is left out.'
  const time = start - Math.floor(start / dayMs) * dayMs
  const ofDay = time / minuteMs
  const windows = joinWindows(chosen.map((day) => ({ starts: (day + from) * dayMinutes + ofDay, lasts })))
  const opening = openingOf(asked, { from, chosen })
  // The turn begins with the first chosen day of its week, also where the first shift is a later one of that week.
  const weekDay = (dayOf(opening) - from + 7) % 7
  const first = opening - (weekDay - firstDay) * dayMs
  return { rotation: { every: 1, unit: 'weeks' }, first, begins: Math.max(opening, beginsAt(asked)), windows }
}

/** The first shift. One that starts on a day which is not chosen is moved to the first chosen day of the week. */
function openingOf(asked: Asked, { from, chosen }: { from: number; chosen: readonly number[] }): number {
  const { start, duration, rotation_start: rotationStart, isWeb } = asked
  const day = (dayOf(start) - from + 7) % 7
  if (rotationStart !== null && rotationStart !== undefined && rotationStart !== start)
    for (const each of chosen) {
      const at = start + (each - day) * dayMs
      if (at >= start && (isWeb ? at + duration * 1000 > rotationStart : at >= rotationStart)) return at
    }
  if (chosen.includes(day)) return start
  const [firstDay = 0] = chosen
  return start + ((firstDay - day + 7) % 7) * dayMs
}

/** 0 is Monday. */
function dayOf(local: number): number {
  return (new Date(local).getUTCDay() + 6) % 7
}

function minuteOfWeek(local: number): number {
  return dayOf(local) * dayMinutes + (local - Math.floor(local / dayMs) * dayMs) / minuteMs
}
