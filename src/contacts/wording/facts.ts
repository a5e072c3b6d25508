import type { MonitorNames } from '#core/contacts/alerting.ts'
import { inWords } from '#core/language/in-words.ts'

export type Fact = { label: string; value: string }

/** Labels with their values; a label without a value is left out. */
export function factsOf(pairs: readonly (readonly [label: string, value: string | null])[]): Fact[] {
  return pairs.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}

/** `2026-11-21 10:04:00 UTC` */
export function timeText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `2026-11-21` */
export function dayText(iso: string): string {
  return new Date(iso).toISOString().slice(0, 10)
}

/** `12 s`, `4 min`, `2 h 5 min`, `3 d 4 h`: two units at most, rounded down. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** Names of monitors in a sentence; of the others only the number is told. */
const maxNames = 3

/** `Blog, Shop, Wiki and 9 more` */
export function listedNames({ total, names }: MonitorNames): string {
  const others = total - Math.min(names.length, maxNames)
  return inWords([...names.slice(0, maxNames), ...(others === 0 ? [] : [`${others} more`])])
}
