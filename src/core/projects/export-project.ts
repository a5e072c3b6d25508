import { isSameJson } from '#core/language/json-path.ts'
import { type Section, sections } from './entries.ts'
import type { WorkspaceExport } from './export-record.ts'
import { type PresentEntry, presentEntries } from './present.ts'
import { isValues, type NamingField, type SectionTraits, sectionTraits } from './section-traits.ts'
import { withoutVariables } from './variables.ts'
import { sectionMonitor } from './wire.ts'

type Values = Record<string, unknown>

/** A secret that the files name and do not hold. */
export type NeededVariable = { name: string; section: Section; key: string; path: string }

export type ExportedProject = { document: Values; variables: readonly NeededVariable[] }

/** Every section of a workspace as one file of a project. What is as it would be anyway is left out. */
export function exportProject(project: string, workspace: WorkspaceExport): ExportedProject {
  const entries = presentEntries(workspace, project).filter(
    ({ section, fields }) => !isLeftOut(sectionTraits[section], fields, workspace.exported_at),
  )
  const keys: Keys = new Map(entries.map(({ id, key }) => [id, key]))
  const variables: NeededVariable[] = []
  const taken = new Set<string>()
  const document: Values = { project }
  for (const section of sections) {
    const own = entries.filter((entry) => entry.section === section)
    if (own.length > 0) document[section] = own.map((entry) => writeEntry(entry, { keys, variables, taken }))
  }
  return { document, variables }
}

type Keys = ReadonlyMap<string, string>
type Writing = { keys: Keys; variables: NeededVariable[]; taken: Set<string> }

function writeEntry(entry: PresentEntry, { keys, variables, taken }: Writing): Values {
  const { section, key } = entry
  const chosen = Object.entries(entry.fields).flatMap(([name, value]) =>
    isUsual(name, value, entry) ? [] : [[name, withoutUsual(value, sectionTraits[section].usualInItems?.[name])]],
  )
  const written = toWritten(Object.fromEntries(chosen), entry, keys)
  const fields: Values = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [name, withoutVariables(value)]),
  )
  for (const path of entry.secrets) {
    const name = variableName([key, ...path.filter((part) => !containers.has(part))], taken)
    variables.push({ name, section, key, path: path.join('.') })
    setAt(fields, path, `\${${name}}`)
  }
  return { key, ...fields }
}

/** Parts of paths that say nothing in the name of a variable. */
export const containers: ReadonlySet<string> = new Set(['request_headers', 'check_options', 'options', 'headers'])

export function variableName(parts: readonly string[], taken: Set<string>): string {
  const base = parts
    .join('_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
  const safe = /^[0-9]/.test(base) ? `_${base}` : base
  let name = safe
  for (let number = 2; taken.has(name); number += 1) name = `${safe}_${number}`
  taken.add(name)
  return name
}

/** Secrets of a step stand in a list whose items are there: only their own member was taken out. */
export function setAt(fields: Values, path: readonly string[], value: string): void {
  let at: object = fields
  for (const [index, name] of path.entries()) {
    if (index === path.length - 1) {
      Object.assign(at, { [name]: value })
      return
    }
    const inner: unknown = Reflect.get(at, name)
    const next: object = typeof inner === 'object' && inner !== null ? inner : {}
    if (next !== inner) Object.assign(at, { [name]: next })
    at = next
  }
}

function isUsual(name: string, value: unknown, { section, fields }: PresentEntry): boolean {
  if (name === 'id') return true
  const { usual, isUsual: isUsualHere } = sectionTraits[section]
  return isUsualHere?.(name, fields) === true || (Object.hasOwn(usual, name) && isSameJson(usual[name], value))
}

function withoutUsual(value: unknown, usual: Values | undefined): unknown {
  if (usual === undefined || !Array.isArray(value)) return value
  const isOwn = ([name, each]: [string, unknown]): boolean =>
    !Object.hasOwn(usual, name) || !isSameJson(usual[name], each)
  return value.map((item: unknown) => (isValues(item) ? Object.fromEntries(Object.entries(item).filter(isOwn)) : item))
}

/** The fields with the names that they have in a file, and keys in place of ids. */
function toWritten(fields: Values, { section, fields: { kind } }: PresentEntry, keys: Keys): Values {
  const naming = sectionTraits[section].references.filter(({ ofKind }) => ofKind === undefined || ofKind === kind)
  return naming.reduce((done, field) => inEach(done, field.within, (found) => named(found, field, keys)), fields)
}

/** The same with other maps where a path leads, in which `*` stands for each of a list. */
function inEach(fields: Values, path: readonly string[], change: (found: Values) => Values): Values {
  const [name, ...rest] = path
  if (name === undefined) return change(fields)
  if (!Object.hasOwn(fields, name)) return fields
  const isList = rest[0] === '*'
  const further = isList ? rest.slice(1) : rest
  const inner = (value: unknown): unknown => (isValues(value) ? inEach(value, further, change) : value)
  const value = fields[name]
  return { ...fields, [name]: isList && Array.isArray(value) ? value.map(inner) : inner(value) }
}

/** A member keeps its place when it gets the name that it has in a file. */
function named(fields: Values, field: NamingField, keys: Keys): Values {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      name === field.sent ? [field.written, keysOf(value, field, keys)] : [name, value],
    ),
  )
}

function keysOf(value: unknown, { form }: NamingField, keys: Keys): unknown {
  const keyOf = (id: unknown): unknown => keys.get(String(id)) ?? id
  if (form === 'one') return typeof value === 'string' ? keyOf(value) : null
  if (!Array.isArray(value)) return value
  if (form === 'list') return value.map(keyOf)
  return value
    .filter(isValues)
    .map(({ [sectionMonitor.sent]: id, name }) =>
      name === null ? keyOf(id) : { [sectionMonitor.written]: keyOf(id), name },
    )
}

/** What no request could make: reading the file would be refused for it. */
function isLeftOut({ isPast, isBereft }: SectionTraits, fields: Values, time: string): boolean {
  return isPast?.(fields, time) === true || isBereft?.(fields) === true
}
