// What was read from the file of another tool, as the file of a project.
import { contactTraitsOf } from '#core/contacts/contact-kinds.ts'
import { splitOptions } from '#core/monitors/monitor-options.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import type { SecretOptionsOf } from '#core/projects/entry-secrets.ts'
import type { Section } from '#core/projects/entries.ts'
import {
  containers,
  type ExportedProject,
  type NeededVariable,
  setAt,
  variableName,
} from '#core/projects/export-project.ts'
import { pathsIn } from '#core/projects/export-record.ts'
import { withoutVariables } from '#core/projects/variables.ts'
import { groupMembers, sectionMonitor } from '#core/projects/wire.ts'
import type { ImportedContact, ImportedFile, ImportedMaintenance, ImportedMonitor, ImportedPage } from './imported.ts'

type Values = Record<string, unknown>
type Entry = { section: Section; key: string; fields: Values; secrets: readonly (readonly string[])[] }

export type ImportProject = {
  /** Of at most `entriesInFile` entries each, so that none is larger than the file of a project may be. */
  files: readonly ExportedProject[]
  /** What the variables of the files stand for. */
  secrets: ReadonlyMap<string, string>
}

export type Writing = { project: string; secretOptions: SecretOptionsOf; hidesSecrets: boolean }

const entriesInFile = 500

/** Where secrets are hidden, variables stand in their places, as in a project that `perigee export` writes. */
export function projectDocument(file: ImportedFile, { project, secretOptions, hidesSecrets }: Writing): ImportProject {
  const entries: Entry[] = [
    ...file.contacts.map((contact) => contactEntry(contact, secretOptions)),
    ...file.monitors.map((monitor) => monitorEntry(monitor, secretOptions)),
    ...file.pages.map(pageEntry),
    ...file.maintenance.map(maintenanceEntry),
  ]
  const secrets = new Map<string, string>()
  const taken = new Set<string>()
  const files: ExportedProject[] = []
  for (let at = 0; at === 0 || at < entries.length; at += entriesInFile) {
    const document: Values = { project }
    const variables: NeededVariable[] = []
    for (const { section, ...entry } of entries.slice(at, at + entriesInFile)) {
      const fields = Object.entries(entry.fields).map(([name, value]) => [name, withoutVariables(value)] as const)
      const written: Values = { key: entry.key, ...Object.fromEntries(fields) }
      if (hidesSecrets)
        for (const path of entry.secrets) {
          const value = valueAt(entry.fields, path)
          if (typeof value !== 'string' || value === '') continue
          const name = variableName([entry.key, ...path.filter((part) => !containers.has(part))], taken)
          variables.push({ name, section, key: entry.key, path: path.join('.') })
          secrets.set(name, value)
          setAt(written, path, `\${${name}}`)
        }
      const list = document[section]
      if (Array.isArray(list)) list.push(written)
      else document[section] = [written]
    }
    files.push({ document, variables })
  }
  return { files, secrets }
}

function contactEntry({ key, input }: ImportedContact, secretOptions: SecretOptionsOf): Entry {
  const { secretOptions: hidden } = splitOptions(input.options ?? {}, secretOptions('contacts', input.kind))
  const isSecret = contactTraitsOf(input.kind)?.isAddressSecret === true
  return {
    section: 'contacts',
    key,
    fields: given(input),
    secrets: [...(isSecret ? [['destination']] : []), ...pathsIn(hidden, ['options'])],
  }
}

function monitorEntry({ key, input, isPaused }: ImportedMonitor, secretOptions: SecretOptionsOf): Entry {
  const { contacts, check_options: options, ...fields } = input
  const kind = input.kind ?? usualKind
  const { secretOptions: hidden } = splitOptions(options ?? {}, secretOptions('monitors', kind))
  const headers = Object.keys(input.request_headers ?? {}).map((name) => ['request_headers', name])
  return {
    section: 'monitors',
    key,
    fields: given({
      ...fields,
      check_options: options === undefined ? undefined : membersWritten(options),
      contacts: contacts ?? undefined,
      paused: isPaused ? true : undefined,
    }),
    secrets: [...headers, ...pathsIn(hidden, ['check_options'])],
  }
}

function membersWritten(options: Values): Values {
  const { [groupMembers.sent]: members, ...others } = options
  return members === undefined ? options : { [groupMembers.written]: members, ...others }
}

function pageEntry({ key, input }: ImportedPage): Entry {
  const { sections: parts, ...fields } = input
  const written = parts?.map(({ monitors, ...part }) =>
    Object.assign(part, {
      monitors: monitors?.map(({ monitor_id: monitor, name }) =>
        name === null || name === undefined ? monitor : { [sectionMonitor.written]: monitor, name },
      ),
    }),
  )
  return { section: 'status_pages', key, fields: given({ ...fields, sections: written }), secrets: [['password']] }
}

function maintenanceEntry({ key, input }: ImportedMaintenance): Entry {
  const { monitor_ids: monitors, ...fields } = input
  return { section: 'maintenance', key, fields: given({ ...fields, monitors: monitors ?? undefined }), secrets: [] }
}

/** Without what is left out, at any depth. */
function given(values: object): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, givenIn(value)]])),
  )
}

function givenIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(givenIn)
  return typeof value === 'object' && value !== null ? given(value) : value
}

function valueAt(values: Values, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : null),
    values,
  )
}
