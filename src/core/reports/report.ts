// What a person says of a report: what it is about, when it leaves, and to whom.
import { z } from 'zod'
import { tagsSchema } from '#core/tags.ts'
import { text } from '#core/language/text.ts'
import { timeZoneSchema } from '#core/language/time-zone.ts'
import { periodTypes } from './report-period.ts'

export const maxReports = 20
const maxNamedMonitors = 500
const maxRecipients = 20
/** A person has a report sent as a test at most once within so many minutes. */
export const testMinutes = 5

const id = z.uuid().toLowerCase()

const shape = {
  name: text({ min: 1, max: 160 }),
  period: z.enum(periodTypes),
  time_zone: timeZoneSchema.describe('IANA name; weeks and months are those of this zone.'),
  weekday: z.int().min(1).max(7).describe('The day a weekly report is sent; 1 is Monday.'),
  hour: z.int().min(0).max(23).describe('The hour it is sent, in the time zone.'),
  monitor_ids: z
    .array(id)
    .max(maxNamedMonitors)
    .nullable()
    .describe('Beside those of `tags`. Null: those alone, or all without tags.'),
  tags: tagsSchema.describe('Monitors that have one of them, now or later.'),
  objective: z
    .number()
    .gt(0)
    .max(100)
    .refine((percent) => Number(percent.toFixed(3)) === percent, 'Must have at most three decimals.')
    .describe('Uptime to reach, in percent.'),
  recipients: z.array(id).max(maxRecipients).describe('Confirmed email contacts of the workspace, by id.'),
  enabled: z.boolean().describe('Whether it is sent.'),
}

export const reportSchema = z.strictObject({
  id: z.uuid(),
  ...shape,
  objective: z.number(),
  next_at: z.iso.datetime().nullable().describe('When the next one is sent; null while it is off.'),
  last_sent_at: z.iso.datetime().nullable(),
  last_period: z.string().nullable().describe('What the last one was about, such as 2026-W47 or 2026-10.'),
  created_at: z.iso.datetime(),
})
export type ReportRecord = z.infer<typeof reportSchema>

/** No list of monitors is all of them; an empty one, without tags, would be none. */
export function isAboutSome({ monitor_ids: ids, tags }: Pick<ReportRecord, 'monitor_ids' | 'tags'>): boolean {
  return ids?.length !== 0 || tags.length > 0
}

export const aboutNone = 'Must name a monitor, where there are no tags.'

const recipientsInput = shape.recipients.min(1, 'Must name a contact.')

export const reportInputSchema = z
  .strictObject({
    ...shape,
    weekday: shape.weekday.default(1),
    hour: shape.hour.default(8),
    monitor_ids: shape.monitor_ids.default(null),
    tags: shape.tags.default([]),
    objective: shape.objective.default(99.9),
    recipients: recipientsInput,
    enabled: shape.enabled.default(true),
  })
  .refine(isAboutSome, { path: ['monitor_ids'], message: aboutNone })
export type ReportInput = z.infer<typeof reportInputSchema>

/** The body of PATCH: members that are left out stay, lists are replaced whole. */
export const reportChangeSchema = z
  .strictObject({ ...shape, recipients: recipientsInput })
  .partial()
  .refine((change) => Object.keys(change).length > 0, 'Must change something.')
export type ReportChange = z.infer<typeof reportChangeSchema>
