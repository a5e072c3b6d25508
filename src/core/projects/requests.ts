// What the API is asked for so that an entry of a project comes true.
import type { Section } from './entries.ts'
import type { FieldChange } from './field-change.ts'
import type { PresentEntry } from './present.ts'
import type { ProjectEntry } from './project.ts'
import type { Reference } from './references.ts'
import { sectionTraits } from './section-traits.ts'

type Values = Record<string, unknown>

/** `path` is below the root of the API. */
export type ApiRequest = { method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; path: string; body?: Values }

/** The fields with the ids of what they name. */
export type KnownEntry = Pick<ProjectEntry, 'section' | 'key' | 'fields'>

/** The request that makes it. */
export function creationOf({ section, fields }: KnownEntry): ApiRequest {
  return { method: 'POST', path: sectionTraits[section].path, body: bodyOf(section, fields) }
}

/** The requests after that one, so that it is as the file says: `paused` and `enabled` are no fields of a creation. */
export function afterCreation({ section, fields }: KnownEntry, id: string): ApiRequest[] {
  const { leaving, own } = sectionTraits[section]
  if (leaving.type !== 'rests' || !Object.hasOwn(own, leaving.field)) return []
  return fields[leaving.field] === leaving.off ? restOf({ section, id }) : []
}

type Which = Pick<PresentEntry, 'section' | 'id'>

/** The requests that switch it off. */
export function restOf({ section, id }: Which): ApiRequest[] {
  const { leaving } = sectionTraits[section]
  if (leaving.type !== 'rests') return []
  if (section === 'monitors') return [pauseOf(id, true)]
  return [{ method: 'PATCH', path: pathOf({ section, id }), body: { [leaving.field]: leaving.off } }]
}

/** The requests that change what is there, `fields` of which differ. */
export function changesFor(
  { section, fields: wanted }: KnownEntry,
  present: PresentEntry,
  fields: readonly FieldChange[],
): ApiRequest[] {
  const path = pathOf({ section, id: present.id })
  const after = new Map(fields.map((change) => [change.field, change.after]))
  const body = bodyOf(section, wanted)
  if (section === 'monitors') return monitorChanges(present, body, after)
  if (sectionTraits[section].isReplacedWhole) return [{ method: 'PUT', path, body: { ...present.fields, ...body } }]
  return [{ method: 'PATCH', path, body: { ...body, ...switched(section, after) } }]
}

/** Pausing has requests of its own, and how a monitor is paid is decided when it is made. */
function monitorChanges({ section, id }: Which, fields: Values, after: ReadonlyMap<string, unknown>): ApiRequest[] {
  const { decidedOnce } = sectionTraits[section]
  const body = Object.fromEntries(Object.entries(fields).filter(([name]) => !decidedOnce.includes(name)))
  const isMore = [...after.keys()].some((field) => field !== 'paused' && field !== 'pruned_at')
  const change: ApiRequest[] = isMore ? [{ method: 'PATCH', path: pathOf({ section, id }), body }] : []
  return after.has('paused') ? [...change, pauseOf(id, after.get('paused') === true)] : change
}

function pauseOf(id: string, isPaused: boolean): ApiRequest {
  return { method: 'POST', path: `${pathOf({ section: 'monitors', id })}/${isPaused ? 'pause' : 'resume'}` }
}

/** What the file itself may not say: `enabled`, and what a page that comes back is shown as. */
function switched(section: Section, after: ReadonlyMap<string, unknown>): Values {
  const { leaving } = sectionTraits[section]
  if (leaving.type !== 'rests' || !after.has(leaving.field)) return {}
  return { [leaving.field]: after.get(leaving.field) }
}

/** The request that says which object a key stands for, and whether it is on its way out. */
export function ownershipOf(
  project: string,
  { section, key, id }: Pick<PresentEntry, 'section' | 'key' | 'id'>,
  isPruned: boolean,
): ApiRequest {
  return {
    method: 'POST',
    path: 'project-objects',
    body: { project, objects: [{ section, key, id, pruned: isPruned }] },
  }
}

export function removalOf(which: Which): ApiRequest {
  return { method: 'DELETE', path: pathOf(which) }
}

function pathOf({ section, id }: Which): string {
  return `${sectionTraits[section].path}/${id}`
}

function bodyOf(section: Section, fields: ProjectEntry['fields']): Values {
  const { own } = sectionTraits[section]
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(own, name)))
}

/** An entry with the ids of what it names; null where one of them is not known. */
export function withKnownIds(
  entry: ProjectEntry,
  find: (id: string) => Reference | null,
  idOf: (reference: Reference) => string | null,
): KnownEntry | null {
  let isKnown = true
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const reference = find(value)
      const id = reference === null ? value : idOf(reference)
      isKnown &&= id !== null
      return id
    }
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each)]))
  }
  const fields = replaced(entry.fields)
  return isKnown ? { section: entry.section, key: entry.key, fields: Object(fields) } : null
}
