import assert from 'node:assert/strict'
import { leastCpuMsOf } from './cpu-time.ts'

/** What one piece of foreign work may take of a thread that others need. */
const limitMs = 50
/** What parsing `usualText` takes on the machine for which the limit was chosen, while it does nothing else. */
const usualMs = 13
/** No machine may be so slow that work of twice the limit passes. */
const mostSlowness = 2
const usualText = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ [`name${index}`]: [index, 'text'] })))

/**
 * Most work takes half of the limit. The time of a processor counts for less while other programs take its memory and
 * its caches, so work that is over the limit is compared with what parsing takes at that moment.
 */
export function assertQuick(what: string, work: () => void): void {
  const ms = leastCpuMsOf(work, limitMs)
  if (ms <= limitMs) return
  const usual = leastCpuMsOf(() => void JSON.parse(usualText), 0)
  const slowness = Math.min(mostSlowness, Math.max(1, usual / usualMs))
  const told = `${what} took ${Math.round(ms)} ms of CPU, while parsing took ${slowness.toFixed(1)} times as long as usual`
  assert.ok(ms <= limitMs * slowness, told)
}

/** As much of a repeated text as has room. */
export function filled(piece: string, length: number): string {
  return piece.repeat(Math.floor(length / piece.length))
}

/** JSON texts of a length that were made to be slow, each in its own way. */
export function hostileJson(length: number): [what: string, text: string][] {
  const list = (item: string): string => `[${filled(`${item},`, length - item.length - 2)}${item}]`
  const numbered = (item: (index: number) => string): string => {
    const items: string[] = []
    for (let left = length - 2; left > 0; left -= (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length))
    return items.slice(0, -1).join(',')
  }
  return [
    ['nested lists', `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`],
    ['nested objects', `${filled('{"a":', (length * 5) / 6 - 1)}0${'}'.repeat(Math.floor((length * 5) / 6 / 5))}`],
    ['unclosed lists', '['.repeat(length)],
    ['empty lists', list('[]')],
    ['empty objects', list('{}')],
    ['zeros', list('0')],
    ['texts', list('""')],
    ['long numbers', list('1.23456789012345678e-300')],
    ['one long text', `"${'a'.repeat(length - 2)}"`],
    ['escapes', `"${filled('\\u0041', length - 2)}"`],
    ['quotes', `"${filled('\\"', length - 2)}"`],
    ['letters of several bytes', `"${filled('€', length / 3 - 2)}"`],
    ['one object of many names', `{${numbered((index) => `"${index}k":0`)}}`],
    ['many objects of new names', `[${numbered((index) => `{"k${index}":0}`)}]`],
    [
      'as many new names as are read',
      `[${Array.from({ length: 16_000 }, (_, index) => `{"k${index}":[]}`).join(',')}]`.padEnd(length),
    ],
    ['as many lists as are read', `${'['.repeat(99_000)}${']'.repeat(99_000)}`.padEnd(length)],
    ['nothing', ' '.repeat(length)],
  ]
}
