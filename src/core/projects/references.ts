import type { Section } from './entries.ts'
import type { Place } from './project-error.ts'

/** What entries name: of the project by its key, else of the workspace by its name. */
export type Reference = { to: Section } & ({ key: string } | { name: string })

/** Stands in the bodies of requests where the id belongs, so that their schemas can read what has no id yet. */
export type References = {
  idOf: (reference: Reference, place: Place) => string
  /** Null for an id that stands for nothing. */
  find: (id: string) => Reference | null
  all: () => readonly { reference: Reference; place: Place }[]
}

export function createReferences(): References {
  const ids = new Map<string, string>()
  const references = new Map<string, { reference: Reference; place: Place }>()
  return {
    idOf: (reference, place) => {
      const name = JSON.stringify(reference)
      const id = ids.get(name) ?? placeholderId(ids.size)
      ids.set(name, id)
      if (!references.has(id)) references.set(id, { reference, place })
      return id
    },
    find: (id) => references.get(id)?.reference ?? null,
    all: () => [...references.values()],
  }
}

/** The ids in a value that stand for references. */
export function namedIn(value: unknown, find: References['find']): ReadonlyMap<string, Reference> {
  const found = new Map<string, Reference>()
  const look = (each: unknown): void => {
    if (typeof each === 'string') {
      const reference = find(each)
      if (reference !== null) found.set(each, reference)
    } else if (typeof each === 'object' && each !== null) for (const inner of Object.values(each)) look(inner)
  }
  look(value)
  return found
}

/** A UUID of the version that is left to everybody (RFC 9562 5.8). */
function placeholderId(number: number): string {
  return `00000000-0000-8000-8000-${number.toString(16).padStart(12, '0')}`
}

/** As people read it. */
export function shownReference(reference: Reference): string {
  return 'key' in reference ? reference.key : JSON.stringify(reference.name)
}
