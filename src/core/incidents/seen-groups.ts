// Locations by what they saw, as sentences name them.
import { inWords } from '#core/language/in-words.ts'
import type { View } from './view.ts'

/** `location` is its name for people. */
export type SeenView = { location: string; view: View }

/** The locations that found the target down, and the others. Each side has one at least. */
export type Sides = { failing: readonly SeenView[]; working: readonly SeenView[] }

/** Locations that saw the same. */
export type Group<Value> = { names: string; isOne: boolean; value: Value }

/** What of a view is looked at; null where the location did not see it. */
export type Reading<Value> = { valueOf: (view: View) => Value | null; keyOf: (value: Value) => string }

/** Of one side, in a sentence. */
const maxGroups = 2
const maxNames = 3

/**
 * The groups of both sides, those that failed first; null unless each location that failed saw something that none of
 * the others did.
 */
export function apart<Value>({ failing, working }: Sides, reading: Reading<Value>): Group<Value>[] | null {
  const [here, there] = [gathered(failing, reading), gathered(working, reading)]
  const seen = [...here.values()].reduce((sum, { names }) => sum + names.length, 0)
  if (seen < failing.length || there.size === 0) return null
  if ([...here.keys()].some((key) => there.has(key))) return null
  return [...firstOf(here), ...firstOf(there)]
}

/** Null where none of them saw it. */
export function groupsOf<Value>(seen: readonly SeenView[], reading: Reading<Value>): Group<Value>[] | null {
  const groups = gathered(seen, reading)
  return groups.size === 0 ? null : firstOf(groups)
}

type Gathered<Value> = Map<string, { value: Value; names: string[] }>

function gathered<Value>(seen: readonly SeenView[], { valueOf, keyOf }: Reading<Value>): Gathered<Value> {
  const groups: Gathered<Value> = new Map()
  for (const { location, view } of seen) {
    const value = valueOf(view)
    if (value === null) continue
    const key = keyOf(value)
    const group = groups.get(key) ?? { value, names: [] }
    groups.set(key, group)
    group.names.push(location)
  }
  return groups
}

function firstOf<Value>(groups: Gathered<Value>): Group<Value>[] {
  return [...groups.values()]
    .slice(0, maxGroups)
    .map(({ value, names }) => ({ value, names: shortList(names), isOne: names.length === 1 }))
}

/** One after the other; what the first says with its verb, the next ones say without it. */
export function say<Value>(
  groups: readonly Group<Value>[],
  { first, next }: { first: (group: Group<Value>) => string; next: (group: Group<Value>) => string },
): string {
  return groups.map((group, index) => `${group.names} ${index === 0 ? first(group) : next(group)}`).join(', ')
}

/** The names of locations, as a sentence has them. */
export function namesOf(seen: readonly SeenView[]): string {
  return shortList(seen.map(({ location }) => location))
}

/** A few words, and how many more there are. */
export function shortList(words: readonly string[], shown: number = maxNames): string {
  if (words.length <= shown) return inWords(words)
  const left = words.length - shown
  return inWords([...words.slice(0, shown), left === 1 ? 'another' : `${left} others`])
}
