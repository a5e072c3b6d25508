// What happens to objects of a project that stand in its files no more.
import type { PresentEntry } from './present.ts'
import type { FieldChange } from './field-change.ts'
import { sectionTraits } from './section-traits.ts'

/** How long they rest before they are deleted: with a monitor its results go, with a page its subscribers. */
export const restDays = 14
const dayMs = 86_400_000

/** `rests`: nothing is to do before that time. */
export type Pruning = { present: PresentEntry } & ({ type: 'rest' | 'delete' } | { type: 'rests'; until: string })

/**
 * What is to become of an object that is gone from the files; `now` is the time of the service. One that was put to
 * rest and runs again, since a person wants it, rests anew.
 */
export function pruningOf(present: PresentEntry, now: string): Pruning {
  const { section, fields, prunedAt } = present
  const { leaving } = sectionTraits[section]
  if (leaving.type === 'goes') return { type: 'delete', present }
  const isResting = leaving.type === 'stays' || fields[leaving.field] === leaving.off
  if (prunedAt === null || !isResting) return { type: 'rest', present }
  const until = Date.parse(prunedAt) + restDays * dayMs
  return until <= Date.parse(now)
    ? { type: 'delete', present }
    : { type: 'rests', present, until: new Date(until).toISOString() }
}

/** How one that came back into the files is woken, where they do not say it themselves. */
export function wakingOf(
  { section, fields, secrets, prunedAt }: PresentEntry,
  named: ReadonlySet<string>,
): FieldChange[] {
  if (prunedAt === null) return []
  const mark = { field: 'pruned_at', before: prunedAt, after: null }
  const { leaving } = sectionTraits[section]
  if (leaving.type !== 'rests') return [mark]
  const { field } = leaving
  const after = leaving.on(new Set(secrets.map(([name = '']) => name)))
  const before = fields[field]
  return named.has(field) || before === after ? [mark] : [{ field, before, after }, mark]
}
