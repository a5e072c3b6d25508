import { usualKind } from '#core/monitors/kind-traits.ts'
import { differencesOf, type EntryChange, type Pair } from './changes.ts'
import type { SecretOptionsOf } from './entry-secrets.ts'
import type { FieldChange } from './field-change.ts'
import { type OverLimit, overLimitsOf } from './limits.ts'
import { type Pruning, pruningOf } from './prune.ts'
import type { Section } from './entries.ts'
import type { WorkspaceExport } from './export-record.ts'
import { type PresentEntry, presentEntries } from './present.ts'
import type { Project, ProjectEntry } from './project.ts'
import type { Reference } from './references.ts'
import { sectionTraits } from './section-traits.ts'

export type Adoption = Pair

/** What would have to change in a workspace for it to be as the files of a project say. */
export type Plan = {
  project: string
  changes: readonly EntryChange[]
  /** What is there already and would belong to the project from then on. */
  adoptions: readonly Adoption[]
  /** What belongs to the project and stands in its files no more. */
  gone: readonly Pruning[]
  /** Entries that are created because what has their name was not to be adopted, or belongs to another project. */
  namesakes: readonly Adoption[]
  unclear: readonly Reference[]
  overLimits: readonly OverLimit[]
  /** Entries, and what of the workspace they stand for. */
  pairs: readonly Pair[]
  /** The ids that a reference may mean; `section.key` stands for the id of what is to be created. */
  targetsOf: (reference: Reference) => readonly string[]
}

export type PlanOptions = {
  /** Whether what has the name of an entry, and belongs to no project, counts as the entry. */
  adopts: boolean
  secretOptions: SecretOptionsOf
}

export function planOf(project: Project, workspace: WorkspaceExport, { adopts, secretOptions }: PlanOptions): Plan {
  const all = presentEntries(workspace, project.id)
  const owned = new Map(all.flatMap((present) => (present.project === project.id ? [[nameOf(present), present]] : [])))
  const namesakes = namesakesOf(project, { all, owned })
  const adopted = new Map(
    namesakes.flatMap((each) => (adopts && each.present.project === null ? [[each.entry, each.present]] : [])),
  )
  const planned: Project = {
    ...project,
    entries: project.entries.filter((entry) => owned.has(nameOf(entry)) || !isPast(entry, workspace)),
  }
  const { changes, others, ...found } = differencesOf(planned, workspace, {
    find: (entry) => owned.get(nameOf(entry)) ?? adopted.get(entry) ?? null,
    secretOptions,
  })
  return {
    project: project.id,
    changes,
    adoptions: [...adopted].map(([entry, present]) => ({ entry, present })),
    gone: others.flatMap((present) =>
      present.project === project.id ? [pruningOf(present, workspace.exported_at)] : [],
    ),
    overLimits: overLimitsOf(changes, all),
    namesakes: namesakes.filter(({ entry }) => !adopted.has(entry)),
    ...found,
  }
}

/** Whether there is something to do for the workspace to be as the files say. */
export function isDrift({ changes, adoptions, gone, unclear }: Plan): boolean {
  return changes.length + adoptions.length + toPrune({ gone }).length + unclear.length > 0
}

/** What is to be put to rest, or deleted, by now. */
export function toPrune({ gone }: Pick<Plan, 'gone'>): Pruning[] {
  return gone.filter(({ type }) => type !== 'rests')
}

/** The same plan with the secrets that the service says are others. `field` of each is its path with dots. */
export function withSecrets(plan: Plan, differing: ReadonlyMap<PresentEntry, readonly string[]>): Plan {
  const changes = new Map(plan.changes.map((change) => [change.entry, change]))
  for (const { entry, present } of plan.pairs) {
    const paths = differing.get(present) ?? []
    const held = changes.get(entry)
    const fields = [
      ...(held?.type === 'change' ? held.fields : []),
      ...paths.map((field) => ({ field, before: null, after: null, isOther: true })),
    ]
    if (paths.length > 0) changes.set(entry, { type: 'change', entry, present, fields })
  }
  return { ...plan, changes: [...changes.values()] }
}

/** A field as it may be printed: the values of secrets, and of what came from outside of the files, are left out. */
export function shownChange(
  { field, before, after, ...rest }: FieldChange,
  { outside }: ProjectEntry,
): FieldChange & { isShown: boolean } {
  const isShown = !outside.includes(field) && !contents.has(field) && (before !== null || after !== null)
  return { ...rest, field, before: isShown ? before : null, after: isShown ? after : null, isShown }
}

/** What monitors send. */
const contents: ReadonlySet<string> = new Set(['request_body', 'check_options'])

function nameOf({ section, key }: { section: string; key: string }): string {
  return `${section} ${key}`
}

function isPast({ section, fields }: ProjectEntry, { exported_at: now }: WorkspaceExport): boolean {
  return sectionTraits[section].isPast?.(fields, now) === true
}

type Known = { all: readonly PresentEntry[]; owned: ReadonlyMap<string, PresentEntry> }

/** Of entries without an object: the one that has their name, where there is just one on either side. */
function namesakesOf({ id, entries }: Project, { all, owned }: Known): Adoption[] {
  const open = Map.groupBy(
    entries.filter((entry) => !owned.has(nameOf(entry))),
    ({ section, fields }) => wordsOf(section, fields),
  )
  const others = Map.groupBy(
    all.filter(({ project }) => project !== id),
    ({ section, fields }) => wordsOf(section, fields),
  )
  return [...open].flatMap(([words, [entry, ...rivals]]) => {
    const [present, ...doubles] = others.get(words) ?? []
    return entry !== undefined && present !== undefined && rivals.length + doubles.length === 0
      ? [{ entry, present }]
      : []
  })
}

/**
 * What entries stand for already, by key or by name, and those that stand for nothing and can still be made. What has
 * the name of an entry counts where it belongs to no project.
 */
export function presentFor(
  project: Project,
  workspace: WorkspaceExport,
): { present: ReadonlyMap<ProjectEntry, PresentEntry>; missing: readonly ProjectEntry[] } {
  const all = presentEntries(workspace, project.id)
  const owned = new Map(all.flatMap((each) => (each.project === project.id ? [[nameOf(each), each]] : [])))
  const named = new Map(
    namesakesOf(project, { all, owned }).flatMap(({ entry, present }) =>
      present.project === null ? [[entry, present]] : [],
    ),
  )
  const present = new Map<ProjectEntry, PresentEntry>()
  const missing: ProjectEntry[] = []
  for (const entry of project.entries) {
    const found = owned.get(nameOf(entry)) ?? named.get(entry)
    if (found !== undefined) present.set(entry, found)
    else if (!isPast(entry, workspace)) missing.push(entry)
  }
  return { present, missing }
}

/** By which an entry and an object are taken for the same: a page by its address, all else by name and kind. */
function wordsOf(section: Section, { name, slug, kind }: ProjectEntry['fields']): string {
  const usual = section === 'monitors' ? usualKind : null
  return JSON.stringify(sectionTraits[section].knownBy === 'slug' ? [section, slug] : [section, name, kind ?? usual])
}
