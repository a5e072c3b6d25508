import type { EntryChange } from './changes.ts'
import { type Section, sections } from './entries.ts'
import type { PresentEntry } from './present.ts'
import { sectionTraits } from './section-traits.ts'

/** A workspace would have more of a section than it may. */
export type OverLimit = { section: Section; most: number; wouldHave: number }

/** What is to be deleted counts, since that comes last. */
export function overLimitsOf(
  changes: readonly Pick<EntryChange, 'type' | 'entry'>[],
  present: readonly Pick<PresentEntry, 'section'>[],
): OverLimit[] {
  return sections.flatMap((section) => {
    const { most } = sectionTraits[section]
    const created = changes.filter(({ type, entry }) => type === 'create' && entry.section === section).length
    const wouldHave = present.filter((each) => each.section === section).length + created
    return most !== null && created > 0 && wouldHave > most ? [{ section, most, wouldHave }] : []
  })
}

export function overLimitText({ section, most, wouldHave }: OverLimit): string {
  return `${section}: a workspace has at most ${most}, and would have ${wouldHave}`
}
