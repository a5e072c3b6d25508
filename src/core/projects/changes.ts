// How a workspace differs from what the files of a project say.
import { isSameJson } from '#core/language/json-path.ts'
import { type Section, sections } from './entries.ts'
import { divided, type SecretOptionsOf } from './entry-secrets.ts'
import type { WorkspaceExport } from './export-record.ts'
import type { FieldChange } from './field-change.ts'
import { type PresentEntry, presentEntries } from './present.ts'
import type { Project, ProjectEntry } from './project.ts'
import { wakingOf } from './prune.ts'
import { type Reference, shownReference } from './references.ts'
import { sectionTraits } from './section-traits.ts'

export type EntryChange =
  | { type: 'create'; entry: ProjectEntry }
  | { type: 'change'; entry: ProjectEntry; present: PresentEntry; fields: readonly FieldChange[] }

export type Pair = { entry: ProjectEntry; present: PresentEntry }

export type Differences = {
  changes: readonly EntryChange[]
  /** What the workspace has and no entry stands for. */
  others: readonly PresentEntry[]
  /** References to what the workspace does not have, or has more than once by that name. */
  unclear: readonly Reference[]
  /** Entries, and what of the workspace they stand for. */
  pairs: readonly Pair[]
  /** The ids that a reference may mean; `section.key` stands for the id of what is to be created. */
  targetsOf: (reference: Reference) => readonly string[]
}

export type Matching = {
  /** Which of the workspace an entry stands for. */
  find: (entry: ProjectEntry, present: readonly PresentEntry[]) => PresentEntry | null
  secretOptions: SecretOptionsOf
}

/** Only fields that an entry names are compared: what a file leaves out stays as people set it elsewhere. */
export function differencesOf(project: Project, workspace: WorkspaceExport, matching: Matching): Differences {
  const present = presentEntries(workspace, project.id)
  const matched = new Map(project.entries.map((entry) => [entry, matching.find(entry, present)]))
  const targetsOf = targetsIn({ project, matched, present })
  const unclear = new Map<string, Reference>()
  const idOf = (reference: Reference): string => {
    const found = targetsOf(reference)
    if (found.length !== 1) unclear.set(JSON.stringify(reference), reference)
    return found[0] ?? shownReference(reference)
  }
  const matchedIds = new Set([...matched.values()].map((entry) => entry?.id))
  const changes = project.entries.flatMap((entry): EntryChange[] => {
    const now = matched.get(entry) ?? null
    const known = withIds(entry, project, idOf)
    if (now === null) return [{ type: 'create', entry }]
    const fields = changesOf(known, now, matching)
    return fields.length === 0 ? [] : [{ type: 'change', entry, present: now, fields }]
  })
  const pairs = [...matched].flatMap(([entry, now]) => (now === null ? [] : [{ entry, present: now }]))
  return {
    changes,
    pairs,
    others: present.filter(({ id }) => !matchedIds.has(id)),
    unclear: [...unclear.values()],
    targetsOf,
  }
}

type Known = {
  project: Project
  matched: ReadonlyMap<ProjectEntry, PresentEntry | null>
  present: readonly PresentEntry[]
}

/** The ids that a reference may mean; the key of what is to be created stands for its id. */
function targetsIn({ project, matched, present }: Known): (reference: Reference) => readonly string[] {
  const ids = new Map<string, string[]>()
  const add = (words: readonly string[], id: string): void => {
    const name = JSON.stringify(words)
    ids.set(name, [...(ids.get(name) ?? []), id])
  }
  for (const { section, key, id } of presentKeys({ project, matched })) add([section, 'key', key], id)
  for (const { section, name, id } of present) add([section, 'name', name], id)
  return (reference) => {
    const [by, word] = 'key' in reference ? ['key', reference.key] : ['name', reference.name]
    return ids.get(JSON.stringify([reference.to, by, word])) ?? []
  }
}

function presentKeys({
  project,
  matched,
}: Pick<Known, 'project' | 'matched'>): { section: Section; key: string; id: string }[] {
  return project.entries.map((entry) => {
    const { section, key } = entry
    return { section, key, id: matched.get(entry)?.id ?? `${section}.${key}` }
  })
}

function withIds(
  entry: ProjectEntry,
  { findReference }: Project,
  idOf: (reference: Reference) => string,
): ProjectEntry {
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const reference = findReference(value)
      return reference === null ? value : idOf(reference)
    }
    if (Array.isArray(value)) return value.map(replaced)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each)]))
  }
  return { ...entry, fields: Object(replaced(entry.fields)) }
}

function changesOf(entry: ProjectEntry, present: PresentEntry, matching: Matching): FieldChange[] {
  const { fields, secrets } = divided(entry, matching.secretOptions)
  const waking = wakingOf(present, new Set(Object.keys(entry.fields)))
  const isHidden = (field: string): boolean =>
    present.secrets.some(({ length, 0: first }) => length === 1 && first === field)
  const changed = Object.entries(fields).flatMap(([field, after]): FieldChange[] => {
    if (isHidden(field)) return []
    const before = present.fields[field] ?? null
    return isSame(field, before, after) ? [] : [{ field, before, after }]
  })
  const set = new Set(present.secrets.map((path) => path.join('.')))
  const isSet = (path: string): boolean => set.has(path) || present.secrets.some(([first]) => first === path)
  const missing = secrets.map(({ path }) => path.join('.')).filter((path) => !isSet(path))
  return [...changed, ...missing.map((field) => ({ field, before: null, after: null })), ...waking]
}

/** Lists of ids have no order. Null is the same as leaving out what has no other meaning for the kind. */
function isSame(field: string, before: unknown, after: unknown): boolean {
  if (field === 'keyword') return (before ?? '') === (after ?? '')
  // Contacts show these only where something is set.
  if (before === null && (field === 'options' || field === 'tags')) return Object.keys(Object(after)).length === 0
  if (after === null && (field === 'url' || field === 'heartbeat_grace_seconds')) return true
  if (Array.isArray(before) && Array.isArray(after) && unordered.has(field))
    return isSameJson(before.map(String).toSorted(), after.map(String).toSorted())
  return isSameJson(before, after)
}

const unordered: ReadonlySet<string> = new Set(
  sections.flatMap((section) =>
    sectionTraits[section].references.flatMap(({ within, form, sent }) =>
      within.length === 0 && form === 'list' ? [sent] : [],
    ),
  ),
)
