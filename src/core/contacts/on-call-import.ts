// What an import of on-call schedules takes and answers, and what its readers make of a file.
import { z } from 'zod'
import { type OnCallLayer, onCallInputSchema } from './on-call-schedule.ts'

/** Each has a reader in `on-call-from-<source>.ts`. */
export const onCallSources = ['opsgenie', 'grafana_oncall', 'pagerduty'] as const
export type OnCallSourceName = (typeof onCallSources)[number]

/** Of so much, with so many layers of which so many have somebody at once, schedules are made within 50 ms. */
export const maxImportLength = 300_000
export const maxImportLayers = 150
export const maxAtOnce = 5

export const onCallImportInputSchema = z.strictObject({
  source: z.enum(onCallSources),
  content: z
    .string()
    .max(maxImportLength, `Must have at most ${maxImportLength} characters.`)
    .describe('The exported JSON; docs/on-call.md says how to get it.'),
  dry_run: z.boolean().default(true).describe('False makes the schedules.'),
  people: z
    .record(z.string(), z.uuid().toLowerCase().nullable())
    .default({})
    .describe('Contacts by the id, mail address or name of people there; null leaves somebody out.'),
})

const overrideSchema = z.strictObject({
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  contact_id: z.uuid(),
})

const importedScheduleSchema = z.strictObject({
  id: z.uuid().nullable().describe('Null in a dry run.'),
  place: z.string().describe('Where it is in the file.'),
  schedule: onCallInputSchema.describe('The body that makes it.'),
  overrides: z.array(overrideSchema).describe('Those that have not ended.'),
})
export type ImportedScheduleRecord = z.infer<typeof importedScheduleSchema>

const importedPersonSchema = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  mail: z.string().nullable(),
  contact_id: z.uuid().nullable(),
  matched_by: z
    .enum(['people', 'mail', 'name'])
    .nullable()
    .describe('Null: not matched, so that the import is refused. `people` with `contact_id` null: left out.'),
})
export type ImportedPersonRecord = z.infer<typeof importedPersonSchema>

const importNoteSchema = z.strictObject({
  place: z.string().describe('Where in the file, such as data[0].rotations[1].'),
  effect: z.enum(['changed', 'lost']).describe('Whether it means something else here, or has no place here.'),
  message: z.string(),
})
export type ImportNote = z.infer<typeof importNoteSchema>

export const onCallImportSchema = z.strictObject({
  dry_run: z.boolean(),
  schedules: z.array(importedScheduleSchema),
  people: z.array(importedPersonSchema).describe('Everybody who takes part, by name.'),
  notes: z.array(importNoteSchema),
})
export type OnCallImportRecord = z.infer<typeof onCallImportSchema>

/** What is wrong with a file, with the place in it. */
export class OnCallImportError extends Error {}

/** Somebody who takes part in a schedule of the source: a person, or a team that is reached as one. */
export type SourcePerson = { id: string; name: string | null; mail: string | null }

/** Minutes from Monday 00:00, on the clock of the schedule's zone; it may reach into the next week. */
export type WeekWindow = { starts: number; lasts: number }

/**
 * A rotation of the source. Times are local: milliseconds since 1970 as though the zone were UTC. Of two layers of
 * different levels the higher wins; of one level both are on call.
 */
export type SourceLayer = {
  id: string
  place: string
  name: string | null
  level: number
  /** Ids of people by turn; several are on call together. */
  turns: readonly (readonly string[])[]
  rotation: OnCallLayer['rotation']
  /** When the first turn begins, from which all others are counted. */
  first: number
  /** Before it nobody is on call. */
  begins: number
  /** Null: always. */
  windows: readonly WeekWindow[] | null
}

export type SourceOverride = {
  place: string
  startsAt: Date
  endsAt: Date
  /** Several are on call together. */
  people: readonly string[]
  /** Ids of the layers that it replaces; null: all. */
  layers: readonly string[] | null
}

export type SourceSchedule = {
  place: string
  name: string
  timeZone: string
  layers: readonly SourceLayer[]
  overrides: readonly SourceOverride[]
}

/** What a reader found. What has ended is not in it. */
export type OnCallSource = {
  schedules: readonly SourceSchedule[]
  people: ReadonlyMap<string, SourcePerson>
  notes: readonly ImportNote[]
}
