// Days are UTC and have the form `2026-11-21`: such texts sort as the days do.

export const dayMs = 86_400_000

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/**
 * The day with this number, counted from 1970. It is computed without a `Date`, because a history names thousands of
 * days.
 */
export function dayOfNumber(number: number): string {
  // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": eras of 400 years that begin with March.
  const days = number + 719_468
  const era = Math.floor(days / 146_097)
  const ofEra = days - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
}

/**
 * What `toISOString` says of the moment so many milliseconds after 1970, in years of four digits. It is computed without
 * a `Date`, because lists name thousands of moments.
 */
export function isoTimeOf(ms: number): string {
  const day = Math.floor(ms / dayMs)
  const ofDay = ms - day * dayMs
  const second = Math.floor(ofDay / 1000)
  const minute = Math.floor(second / 60)
  const time = `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:${twoDigits(second % 60)}`
  return `${dayOfNumber(day)}T${time}.${String(ofDay % 1000).padStart(3, '0')}Z`
}

export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

export function addDays(day: string, count: number): string {
  return dayOfNumber(startOf(day).getTime() / dayMs + count)
}

/** Number of days from one to the other, both included; below 1 when `to` lies before `from`. */
export function countDays(from: string, to: string): number {
  return (startOf(to).getTime() - startOf(from).getTime()) / dayMs + 1
}

/** The Monday of the week. */
export function weekOf(day: string): string {
  return addDays(day, -((startOf(day).getUTCDay() + 6) % 7))
}

/** The first day of the month. */
export function monthOf(day: string): string {
  return `${day.slice(0, 8)}01`
}

/** The first day of the next month. */
export function nextMonth(day: string): string {
  const month = Number(day.slice(5, 7))
  if (month < 12) return `${day.slice(0, 5)}${twoDigits(month + 1)}-01`
  return `${String(Number(day.slice(0, 4)) + 1).padStart(4, '0')}-01-01`
}

/** All days from one to the other, both included. */
export function daysFrom(from: string, to: string): string[] {
  const first = startOf(from).getTime() / dayMs
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => dayOfNumber(first + index))
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}

export function earliest(one: string, other: string): string {
  return one < other ? one : other
}

export function latest(one: string, other: string): string {
  return one > other ? one : other
}
