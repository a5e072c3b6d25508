// What people read of an import before anything is made of it, without secrets.
import { z } from 'zod'
import { sections } from '#core/projects/entries.ts'
import { namesOf } from '#core/language/tables.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import { importSources } from './import-source.ts'
import type { ImportedFile, ImportNote } from './imported.ts'

const arriving = { key: z.string(), place: z.string().describe('Where it stands in the file.') }
const noteSchema = z.strictObject({ place: z.string().describe('Where in the file.'), message: z.string() })

const monitorSchema = z.strictObject({
  ...arriving,
  name: z.string(),
  kind: z.string(),
  url: z.string().nullable(),
  paused: z.boolean(),
  keeps_address: z.boolean().describe('Whether its job may go on calling the path of the other tool.'),
  history_days: z.int().describe('How many days the other tool counted.'),
})

/** What of a file arrives, and what does not. */
export const arrivalsSchema = z.strictObject({
  monitors: z.array(monitorSchema),
  contacts: z.array(z.strictObject({ ...arriving, name: z.string(), kind: z.string() })),
  status_pages: z.array(z.strictObject({ ...arriving, slug: z.string(), title: z.string() })),
  maintenance: z.array(z.strictObject({ ...arriving, name: z.string() })),
  changed: z.array(noteSchema).describe('What means something else here.'),
  lost: z.array(noteSchema).describe('What has no place here.'),
})
export type Arrivals = z.infer<typeof arrivalsSchema>

export const importReportSchema = arrivalsSchema.extend({
  source: z.enum(namesOf(importSources)),
  project: z.string().describe('What it makes will belong to this project.'),
  present: z
    .array(z.strictObject({ section: z.enum(sections), key: z.string(), name: z.string() }))
    .describe('What the workspace has already, by its key of the project or by its name. It stays as it is.'),
  checks: z
    .array(z.strictObject({ key: z.string(), input: z.record(z.string(), z.unknown()) }))
    .describe('What `POST /monitors/try` takes to check a monitor once before it is made, with what the file holds.'),
})
export type ImportReport = z.infer<typeof importReportSchema>

type Calls = readonly { monitorKey: string }[]

export function arrivalsOf(file: ImportedFile, calls: Calls): Arrivals {
  const called = new Set(calls.map(({ monitorKey }) => monitorKey))
  return {
    monitors: file.monitors.map(({ key, place, input, isPaused, history }) => ({
      key,
      place,
      name: input.name,
      kind: input.kind ?? usualKind,
      url: input.url ?? null,
      paused: isPaused,
      keeps_address: called.has(key),
      history_days: history.length,
    })),
    contacts: file.contacts.map(({ key, place, input: { name, kind } }) => ({ key, place, name, kind })),
    status_pages: file.pages.map(({ key, place, input: { slug, title } }) => ({ key, place, slug, title })),
    maintenance: file.maintenance.map(({ key, place, input: { name } }) => ({ key, place, name })),
    changed: plainNotes(file.notes, 'changed'),
    lost: plainNotes(file.notes, 'lost'),
  }
}

export function plainNotes(notes: readonly ImportNote[], effect: ImportNote['effect']): Arrivals['lost'] {
  return notes.flatMap(({ effect: found, place, message }) => (found === effect ? [{ place, message }] : []))
}
