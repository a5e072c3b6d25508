import type { BarDay } from './bars.tsx'

// Reads what core/results/bar-text.ts writes.

const words = /([nudg])(\d+)/g
const dayMs = 86_400_000

/** `today` is the day of the last one. */
export function readBars(text: string, today: string): BarDay[] {
  const days = Array.from(text.matchAll(words), ([, letter = '', number]) => wordOf(letter, Number(number))).flat()
  const dates = datesUpTo(today, days.length)
  return days.map(({ state, share }, index) => ({ date: dates[index] ?? today, state, share }))
}

/** The days of the last call: those of thousands of monitors are the same. */
let known: { today: string; dates: readonly string[] } = { today: '', dates: [] }

function datesUpTo(today: string, count: number): readonly string[] {
  if (known.today !== today || known.dates.length !== count) known = { today, dates: daysBefore(today, count) }
  return known.dates
}

function daysBefore(today: string, count: number): string[] {
  const first = Date.parse(today) - (count - 1) * dayMs
  return Array.from({ length: count }, (_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10))
}

function wordOf(letter: string, number: number): Omit<BarDay, 'date'>[] {
  switch (letter) {
    case 'n':
      return Array.from({ length: number }, () => ({ state: 'none', share: 0 }))
    case 'u':
      return Array.from({ length: number }, () => ({ state: 'up', share: 0 }))
    case 'd':
      return [{ state: 'down', share: number / 10_000 }]
    default:
      return [{ state: 'degraded', share: number / 10_000 }]
  }
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** In milliseconds, oldest first; null for a round without one. */
export function readSpark(text: string): (number | null)[] {
  const [longest = '0', points = ''] = text.split(':')
  return Array.from(points, (point) =>
    point === '.' ? null : (digits.indexOf(point) * Number(longest)) / (digits.length - 1),
  )
}
