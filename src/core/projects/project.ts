import type { Section } from './entries.ts'
import type { Place } from './project-error.ts'
import type { Reference } from './references.ts'

/** `fields` are those of the API that the entry names, as the API keeps them; beside them `paused` and `enabled`. */
export type ProjectEntry = {
  section: Section
  key: string
  place: Place
  fields: Readonly<Record<string, unknown>>
  /** The fields with a part that came from the environment or from a file, which is not to be printed. */
  outside: readonly string[]
}

export type Project = {
  id: string
  entries: readonly ProjectEntry[]
  /** What an id among the fields stands for. */
  findReference: (id: string) => Reference | null
}
