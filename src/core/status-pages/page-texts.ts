// How status pages and the mails to their subscribers write dates, times and shares, in any language.
import { kept } from '#core/language/kept.ts'
import type { Texts } from '#core/language/texts.ts'
import { dayOf } from '#core/language/utc-day.ts'

/** A language with what pages say most often. Dates are UTC days. */
export type PageTexts = Texts & {
  /** `21 Nov 2026` of `2026-11-21`. */
  day: (date: string) => string
  /** `21 Nov` */
  shortDay: (date: string) => string
  /** `99.50 %`; whole where nothing failed. */
  percent: (percent: number) => string
}

export function pageTexts(i18n: Texts): PageTexts {
  return {
    ...i18n,
    day: kept((date: string) =>
      i18n._('{day} {month} {year}', { day: dayIn(date), month: monthIn(i18n, date, 'short'), year: date.slice(0, 4) }),
    ),
    shortDay: kept((date: string) =>
      i18n._('{day} {month}', { day: dayIn(date), month: monthIn(i18n, date, 'short') }),
    ),
    percent: kept((percent: number) =>
      i18n._('{percent} %', { percent: percent === 100 ? i18n.count(percent) : i18n.decimal(percent) }),
    ),
  }
}

function dayIn(date: string): number {
  return Number(date.slice(8, 10))
}

function monthIn(i18n: Texts, date: string, length: 'short' | 'long'): string {
  return i18n.month(Number(date.slice(5, 7)) - 1, length)
}

/** `November 2026` of any day of it. */
export function monthText(i18n: Texts, date: string): string {
  return i18n._('{month} {year}', { month: monthIn(i18n, date, 'long'), year: date.slice(0, 4) })
}

/** Days from one to another: `21 to 24 Nov`, `30 Oct to 2 Nov`; `isShort`: without years. */
export function daysText(i18n: PageTexts, { from, to }: { from: string; to: string }, isShort: boolean): string {
  const text = isShort ? i18n.shortDay : i18n.day
  if (from === to) return text(to)
  if (from.slice(0, 7) !== to.slice(0, 7)) return i18n._('{from} to {until}', { from: text(from), until: text(to) })
  const days = { first: dayIn(from), last: dayIn(to), month: monthIn(i18n, to, 'short') }
  return isShort
    ? i18n._('{first} to {last} {month}', days)
    : i18n._('{first} to {last} {month} {year}', { ...days, year: to.slice(0, 4) })
}

/** `21 Nov 2026, 10:04 UTC`; `zone` is of the IANA database. */
export function momentText(i18n: PageTexts, at: Date, zone = 'UTC'): string {
  if (zone === 'UTC') return dated(i18n, dayOf(at), { time: at.toISOString().slice(11, 16), zone })
  const parts = formatIn(`${i18n.locale} ${zone}`).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((one) => one.type === type)?.value ?? ''
  const date = `${part('year')}-${part('month')}-${part('day')}`
  return dated(i18n, date, { time: `${part('hour')}:${part('minute')}`, zone: part('timeZoneName') })
}

function dated(i18n: PageTexts, date: string, { time, zone }: { time: string; zone: string }): string {
  return i18n._('{date}, {time} {zone}', { date: i18n.day(date), time, zone })
}

/** Making one takes longer than all that a mail asks of it. The key is a locale and a zone. */
const formatIn = kept((key: string) => {
  const [locale, timeZone] = key.split(' ')
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(locale, {
    ...digits,
    timeZone,
    timeZoneName: 'short',
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
  })
}, 100)

/** `less than a minute`, `4 min`, `2 h 5 min`, `3 d 4 h`: two units at most, rounded down. */
export function spanText(i18n: Texts, ms: number): string {
  const allMinutes = Math.max(0, Math.floor(ms / 60_000))
  const allHours = Math.floor(allMinutes / 60)
  const [days, hours, minutes] = [Math.floor(allHours / 24), allHours % 24, allMinutes % 60]
  if (allMinutes === 0) return i18n._('less than a minute')
  if (allHours === 0) return i18n._('{minutes} min', { minutes })
  if (days === 0)
    return minutes === 0 ? i18n._('{hours} h', { hours }) : i18n._('{hours} h {minutes} min', { hours, minutes })
  return hours === 0 ? i18n._('{days} d', { days }) : i18n._('{days} d {hours} h', { days, hours })
}
