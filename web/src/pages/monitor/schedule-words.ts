import { plural, t } from '@lingui/core/macro'
import { listed, weekdayNames } from '../../parts/language.ts'

/**
 * When a job is expected by its schedule, in words and with the zone: `every day at 02:30 (Europe/Vienna)`. The
 * expression itself where there are no short words for it, and null where the options of a monitor have none.
 */
export function scheduleText(options: Readonly<Record<string, unknown>>): string | null {
  const { schedule, time_zone: timeZone } = options
  if (typeof schedule !== 'string' || schedule.trim() === '') return null
  const zone = typeof timeZone === 'string' && timeZone !== '' ? timeZone : 'UTC'
  const words = wordsOf(schedule.trim().split(/\s+/)) ?? t`by the schedule ${schedule}`
  return `${words} (${zone})`
}

function wordsOf([minute = '', hour = '', day = '', month = '', weekday = '']: string[]): string | null {
  if (month !== '*') return null
  if (day === '*' && weekday === '*' && hour === '*') return withinHour(minute)
  const time = timeOf(hour, minute)
  if (time === null) return null
  if (day === '*' && weekday === '*') return t`every day at ${time}`
  if (day === '*') return onWeekdays(weekday, time)
  return weekday === '*' && isNumber(day) ? t`on day ${day} of each month at ${time}` : null
}

function withinHour(minute: string): string | null {
  if (minute === '*') return t`every minute`
  const [, step] = /^\*\/(\d{1,2})$/.exec(minute) ?? []
  if (step !== undefined && 60 % Number(step) === 0)
    return plural(Number(step), { one: 'every minute', other: 'every # minutes' })
  return isNumber(minute) ? t`every hour at minute ${minute}` : null
}

/** Days of cron are numbers from Sunday, which is 0 and 7: `1-5`, `1,3`. */
function onWeekdays(weekday: string, time: string): string | null {
  const [, first, last] = /^([0-7])-([0-7])$/.exec(weekday) ?? []
  const chosen = first === undefined ? weekday.split(',') : range(Number(first), Number(last)).map(String)
  if (!chosen.every((day) => /^[0-7]$/.test(day))) return null
  const names = weekdayNames().filter(({ value }) => chosen.some((day) => (Number(day) || 7) === value))
  const days = listed(names.map(({ name }) => name))
  return names.length === 0 ? null : t`every ${days} at ${time}`
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step)
}

function timeOf(hour: string, minute: string): string | null {
  if (!isNumber(hour) || !isNumber(minute)) return null
  return `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text)
}
