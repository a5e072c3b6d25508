import type { ProjectEntry } from './project.ts'
import { namedIn, type Reference } from './references.ts'

type Named = Pick<ProjectEntry, 'section' | 'key' | 'fields'>
type Find = (id: string) => Reference | null

/** The keys of the project that an entry names, each as its section and key. */
export function namedBy({ fields }: Pick<ProjectEntry, 'fields'>, find: Find): string[] {
  const named = [...namedIn(fields, find).values()]
  return named.flatMap((reference) =>
    'key' in reference ? [labelOf({ section: reference.to, key: reference.key })] : [],
  )
}

/** As an entry is told of, and as it is told from all others of its project. */
export function labelOf({ section, key }: { section: string; key: string }): string {
  return `${section}.${key}`
}

/**
 * Entries in an order in which each comes after those that it names, otherwise as they were. What is in a circle comes
 * in the order in which it was, since no order suits it: the service refuses the one that closes it.
 */
export function inOrder<Entry extends Named>(entries: readonly Entry[], find: Find): Entry[] {
  const byLabel = new Map(entries.map((entry) => [labelOf(entry), entry]))
  const state = new Map<Entry, 'open' | 'done'>()
  const ordered: Entry[] = []
  for (const first of entries) {
    const way = [first]
    // A path on the heap: a chain of monitors may be as long as a project.
    for (let entry = way.at(-1); entry !== undefined; entry = way.at(-1)) {
      const before = state.get(entry) === undefined ? namedBy(entry, find) : []
      if (state.get(entry) === undefined) state.set(entry, 'open')
      const missing = before.flatMap((label) => byLabel.get(label) ?? []).filter((other) => !state.has(other))
      if (missing.length > 0) way.push(...missing.toReversed())
      else {
        way.pop()
        if (state.get(entry) !== 'done') ordered.push(entry)
        state.set(entry, 'done')
      }
    }
  }
  return ordered
}
