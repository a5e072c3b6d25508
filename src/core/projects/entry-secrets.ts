import { type SecretOption, splitOptions } from '#core/monitors/monitor-options.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import type { Section } from './entries.ts'
import type { PresentEntry } from './present.ts'
import type { ProjectEntry } from './project.ts'
import { isValues, sectionTraits } from './section-traits.ts'

/** Options that are never shown, of a kind of monitor or of contact. */
export type SecretOptionsOf = (section: Section, kind: string) => readonly SecretOption[]

/** A value of a file that the service never shows. `path` begins with a field. */
export type Secret = { path: readonly string[]; value: unknown }

/** What can be compared, and what the service never shows. */
export function divided(
  { section, fields }: Pick<ProjectEntry, 'section' | 'fields'>,
  secretOptions: SecretOptionsOf,
): { fields: Record<string, unknown>; secrets: Secret[] } {
  const rest: Record<string, unknown> = { ...fields }
  const secrets: Secret[] = []
  const { options: optionsField, decidedOnce, hidden } = sectionTraits[section]
  const options = optionsField === null ? undefined : rest[optionsField]
  if (optionsField !== null && isValues(options)) {
    const split = splitOptions(options, secretOptions(section, kindOf(fields)))
    rest[optionsField] = split.publicOptions
    secrets.push(...leavesOf(split.secretOptions, [optionsField]))
  }
  for (const field of decidedOnce) delete rest[field]
  for (const field of hidden) {
    if (rest[field] !== undefined) secrets.push(...leavesOf(rest[field], [field]))
    delete rest[field]
  }
  return { fields: rest, secrets }
}

/** The secrets of an entry that are set, so that the service can say whether they are the same. */
export function setSecrets(entry: ProjectEntry, present: PresentEntry, secretOptions: SecretOptionsOf): Secret[] {
  const set = new Set(present.secrets.map(nameOfPath))
  const { fields, secrets } = divided(entry, secretOptions)
  // The address of a contact is a field that is shown of some kinds and of others not.
  const addresses = Object.entries(fields).map(([field, value]) => ({ path: [field], value }))
  return [...addresses, ...secrets].filter(({ path }) => set.has(nameOfPath(path)))
}

function nameOfPath(path: readonly string[]): string {
  return JSON.stringify(path)
}

function kindOf({ kind }: ProjectEntry['fields']): string {
  return typeof kind === 'string' ? kind : usualKind
}

function leavesOf(value: unknown, path: readonly string[]): Secret[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [{ path, value }]
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]))
}
