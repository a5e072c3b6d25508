import type { IconName } from '../parts/icons.tsx'
import type { Shown } from '../parts/status.tsx'

export type GroupName = 'recent' | 'actions' | 'pages' | 'settings' | 'monitors' | 'incidents' | 'others'

/** Something that the palette leads to, or does. */
export type Entry = {
  /** Stable, so that it is known again as a recent one: the address of a page, the name of an action. */
  key: string
  group: GroupName
  title: string
  /** Beside the title, such as a target. */
  detail?: string
  icon: IconName
  /** Of a monitor, in place of the icon. */
  state?: Shown
  /** In lower case: the title, and what else it is found by. */
  sought: { title: string; rest: string }
  goal: { href: string; pasted?: string } | { run: () => void }
}

type Made = Omit<Entry, 'sought'> & { also?: string }

export function entryOf({ also = '', ...entry }: Made): Entry {
  const rest = `${also} ${entry.detail ?? ''}`.toLowerCase()
  return { ...entry, sought: { title: entry.title.toLowerCase(), rest } }
}

/** What is shown at once: more are found by typing on. */
const [mostOfGroup, mostShown] = [8, 30]

export type Group = { name: GroupName; entries: readonly Entry[] }

export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

/**
 * Entries that have every word, the best first, in groups that are ordered by their best. `recent`: keys, the last one
 * first; of entries that match equally well these come first.
 */
export function find(entries: readonly Entry[], words: readonly string[], recent: readonly string[]): Group[] {
  const places = new Map(recent.map((key, index) => [key, recent.length - index]))
  const found = entries.flatMap((entry) => {
    const score = scoreOf(entry, words)
    return score === 0 ? [] : [{ entry, score: score + recencyOf(places.get(entry.key), recent.length) }]
  })
  const best = found.toSorted((one, other) => other.score - one.score)
  const groups = [...Map.groupBy(best, ({ entry }) => entry.group)]
  return fitting(groups.map(([name, of]) => ({ name, entries: of.map(({ entry }) => entry) })))
}

/** As many as are shown at once. */
export function fitting(groups: readonly Group[]): Group[] {
  let left = mostShown
  return groups.flatMap(({ name, entries }) => {
    const shown = entries.slice(0, Math.min(left, mostOfGroup))
    left -= shown.length
    return shown.length === 0 ? [] : [{ name, entries: shown }]
  })
}

/** Less than one step of a match. */
function recencyOf(place: number | undefined, of: number): number {
  return place === undefined ? 0 : 0.5 + (0.4 * place) / of
}

/** 0 where a word is missing. */
function scoreOf({ sought }: Entry, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    const score = scoreOfWord(sought, word)
    if (score === 0) return 0
    sum += score
  }
  return sum
}

const shortestFuzzy = 3

function scoreOfWord({ title, rest }: Entry['sought'], word: string): number {
  const place = title.indexOf(word)
  if (place === 0) return title.length === word.length ? 7 : 6
  if (place > 0) return beginsWord(title, word, place) ? 5 : 4
  const further = rest.indexOf(word)
  if (further >= 0) return beginsWord(rest, word, further) ? 3 : 2
  return word.length >= shortestFuzzy && hasInOrder(title, word) ? 1 : 0
}

/** At this place, or at a later one. */
function beginsWord(text: string, word: string, from: number): boolean {
  for (let place = from; place >= 0; place = text.indexOf(word, place + 1))
    if (place === 0 || !isLetter(text.charCodeAt(place - 1))) return true
  return false
}

/** Of ASCII, and everything beyond it. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127
}

/** Whether the letters come in this order, with others between: "stgdb" finds "Staging database". */
function hasInOrder(text: string, letters: string): boolean {
  let place = -1
  for (const letter of letters) {
    place = text.indexOf(letter, place + 1)
    if (place < 0) return false
  }
  return true
}
