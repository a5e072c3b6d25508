// Which weeks and months reports are about, and when they leave. Periods are those of calendars on the wall of a zone.
import { z } from 'zod'
import { createLocalClock } from '#core/language/local-clock.ts'
import { addDays, countDays, dayMs, dayOf, monthOf, nextMonth, startOf, weekOf } from '#core/language/utc-day.ts'

export const periodTypes = ['weekly', 'monthly'] as const
export type PeriodType = (typeof periodTypes)[number]

/** An ISO week or a calendar month. */
export const periodKeySchema: z.ZodString = z
  .string()
  .regex(
    /^20\d\d-(?:W(?:0[1-9]|[1-4]\d|5[0-3])|0[1-9]|1[0-2])$/,
    'Must be a week such as 2026-W47, or a month such as 2026-10.',
  )

/** From the first moment of its first day to the first moment after its last day. */
export type ReportPeriod = {
  key: string
  type: PeriodType
  timeZone: string
  from: Date
  until: Date
  /** Its first and last day, as the calendar of the zone has them. */
  firstDay: string
  lastDay: string
}

export type Zoned = { type: PeriodType; timeZone: string }

/** When reports leave: at `hour` of the first day of a month, or of the first `weekday` (1 is Monday) after a week. */
export type SendingTimes = Zoned & { weekday: number; hour: number }

/** Null where there is no such period, such as a 53rd week in most years, or where it is one of another type. */
export function readPeriod(key: string, { type, timeZone }: Zoned): ReportPeriod | null {
  if (!periodKeySchema.safeParse(key).success || key.includes('W') !== (type === 'weekly')) return null
  const firstDay = type === 'monthly' ? `${key}-01` : mondayOf(key)
  const period = periodOn(firstDay, { type, timeZone })
  return period.key === key ? period : null
}

/** The period of the zone's calendar in which a moment lies. */
export function periodAt(at: Date, { type, timeZone }: Zoned): ReportPeriod {
  const local = createLocalClock(timeZone).at(at.getTime())
  return periodOn(dayOf(new Date(local)), { type, timeZone })
}

export function periodBefore(period: ReportPeriod): ReportPeriod {
  return periodOn(addDays(period.firstDay, -1), period)
}

export function periodAfter(period: ReportPeriod): ReportPeriod {
  return periodOn(addDays(period.lastDay, 1), period)
}

/** The last one that is over. */
export function lastEndedPeriod(zoned: Zoned, now: Date): ReportPeriod {
  return periodBefore(periodAt(now, zoned))
}

/** When the report about a period leaves. */
export function sendingTime(period: ReportPeriod, { weekday, hour }: SendingTimes): Date {
  const days = period.type === 'weekly' ? weekday : 1
  const local = startOf(addDays(period.lastDay, days)).getTime() + hour * hourMs
  return new Date(createLocalClock(period.timeZone).momentOf(local))
}

/** The next time after a moment at which a report leaves about another period than the one that was sent last. */
export function nextSending(times: SendingTimes, { after, sent }: { after: Date; sent: string | null }): Date {
  const isNext = (each: ReportPeriod): boolean => each.key !== sent && sendingTime(each, times) > after
  let period = lastEndedPeriod(times, after)
  while (!isNext(period)) period = periodAfter(period)
  return sendingTime(period, times)
}

/** Which period's report left last, or should have, at a moment. */
export function duePeriod(times: SendingTimes, now: Date): ReportPeriod {
  const ended = lastEndedPeriod(times, now)
  return sendingTime(ended, times) <= now ? ended : periodBefore(ended)
}

const hourMs = 3_600_000

/** The period in which a day lies. */
function periodOn(day: string, { type, timeZone }: Zoned): ReportPeriod {
  const clock = createLocalClock(timeZone)
  const firstDay = type === 'weekly' ? weekOf(day) : monthOf(day)
  const next = type === 'weekly' ? addDays(firstDay, 7) : nextMonth(firstDay)
  return {
    key: type === 'weekly' ? weekKey(firstDay) : firstDay.slice(0, 7),
    type,
    timeZone,
    from: new Date(clock.momentOf(startOf(firstDay).getTime())),
    until: new Date(clock.momentOf(startOf(next).getTime())),
    firstDay,
    lastDay: addDays(next, -1),
  }
}

/** ISO 8601: a week belongs to the year of its Thursday, and the week of 4 January is the first one. */
function weekKey(monday: string): string {
  const year = addDays(monday, 3).slice(0, 4)
  const number = (countDays(weekOf(`${year}-01-04`), monday) - 1) / 7 + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}

function mondayOf(key: string): string {
  return addDays(weekOf(`${key.slice(0, 4)}-01-04`), (Number(key.slice(6)) - 1) * 7)
}

/** How the checks of a period are read: whole UTC days, and the hours before and after them. */
export type PeriodParts = {
  /** The first and the last whole day; `from` lies after `to` where there is none. */
  days: { from: string; to: string }
  hours: { from: Date; until: Date }[]
  /** False where the hours are no longer known by themselves: then the days nearest to the period stand for it. */
  isExact: boolean
}

/** `kept`: whether the single results of a UTC day are still there. */
export function partsOf(
  { from, until }: Pick<ReportPeriod, 'from' | 'until'>,
  kept: (day: string) => boolean,
): PeriodParts {
  const [head, tail] = [dayOf(from), dayOf(until)]
  const cut = [startOf(head) < from ? head : [], startOf(tail) < until ? tail : []].flat()
  if (!cut.every(kept))
    return { days: { from: dayOf(nearest(from)), to: addDays(dayOf(nearest(until)), -1) }, hours: [], isExact: false }
  const days = { from: startOf(head) < from ? addDays(head, 1) : head, to: addDays(tail, -1) }
  const hours = [
    { from, until: startOf(days.from) },
    { from: startOf(tail), until },
  ].filter((part) => part.from < part.until)
  return { days, hours, isExact: true }
}

/** The midnight of UTC that is nearest to a moment. */
function nearest(moment: Date): Date {
  return new Date(Math.round(moment.getTime() / dayMs) * dayMs)
}
