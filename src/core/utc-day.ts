// Days are UTC and travel as text, `2026-11-21`: texts of this form sort as the days do.

export const dayMs = 86_400_000

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

export function startOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}

export function addDays(day: string, count: number): string {
  return dayOf(new Date(startOf(day).getTime() + count * dayMs))
}

/** How many days there are from one to the other, both counted; below 1 when they are the wrong way round. */
export function countDays(from: string, to: string): number {
  return (startOf(to).getTime() - startOf(from).getTime()) / dayMs + 1
}

/** The Monday of the day's week. */
export function weekOf(day: string): string {
  return addDays(day, -((startOf(day).getUTCDay() + 6) % 7))
}

/** The first of the day's month. */
export function monthOf(day: string): string {
  return `${day.slice(0, 8)}01`
}

/** The first of the month that follows. */
export function nextMonth(day: string): string {
  return monthOf(addDays(monthOf(day), 31))
}

/** All days from one to the other, both included. */
export function daysFrom(from: string, to: string): string[] {
  const first = startOf(from).getTime()
  return Array.from({ length: Math.max(0, countDays(from, to)) }, (_, index) => dayOf(new Date(first + index * dayMs)))
}

export function earliest(one: string, other: string): string {
  return one < other ? one : other
}

export function latest(one: string, other: string): string {
  return one > other ? one : other
}
