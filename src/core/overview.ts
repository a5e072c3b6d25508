import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { type ValuesOf, partsOf, valuesOf } from '#core/language/tables.ts'
import { currentStatuses, listedFields, monitorFields } from '#core/monitors/monitor-fields.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'

/** A paused monitor shows no other status, because its last one may no longer hold. */
export const shownStates = [...currentStatuses, 'paused'] as const
export type ShownState = (typeof shownStates)[number]

/** Number of response times in a row at most, one for each round. */
export const sparkRounds = 30
/** Number of running incidents in the overview, the newest. */
export const shownIncidents = 50

const fields = partsOf(monitorFields, 'shown')
/** The values of the `listedFields` of a monitor. */
export type ListedValues = ValuesOf<MonitorRecord, typeof listedFields>

/** What a row may hold, by name. */
const cells = {
  ...fields,
  state: z.enum(shownStates),
  isOverdue: z.boolean().describe('Whether its payment is overdue.'),
  checkedAt: z.int().nullable().describe('When it was last checked, in milliseconds since 1970.'),
  unknownFrom: z
    .int()
    .nullable()
    .describe(
      'From then on nobody can tell how it is, unless a later row says so, in milliseconds since 1970. Null of those that no location checks.',
    ),
  latencyMs: z.int().nullable().describe('Response time of the last round with one, in milliseconds.'),
  bars: z.string().describe('Daily bars, as `writeBars` writes them.'),
  uptime: z.number().nullable().describe('Uptime of the days of the bars in percent; null without checks.'),
  watchedSince: z
    .int()
    .nullable()
    .describe('Since when it is watched within the days of the bars, in milliseconds since 1970; null without checks.'),
  spark: z.string().describe('The last response times, as `writeSpark` writes them.'),
  bar: z.string().describe('The bar of the day.'),
}

const headColumns = [...listedFields, 'state', 'isOverdue', 'checkedAt', 'unknownFrom', 'latencyMs'] as const
/**
 * The names of a row's values, in their order. Thousands of rows travel as lists, not as objects whose names would be
 * half of all bytes.
 */
export const overviewColumns = [...headColumns, 'bars', 'uptime', 'watchedSince', 'spark'] as const
export const liveColumns = [...headColumns, 'bar'] as const

export type OverviewColumns = typeof overviewColumns
export type LiveColumns = typeof liveColumns

/** A row's values by name. */
export type OverviewCells = { [Name in OverviewColumns[number]]: z.output<(typeof cells)[Name]> }
export type LiveCells = { [Name in LiveColumns[number]]: z.output<(typeof cells)[Name]> }

const headSchema = z.tuple(valuesOf(cells, headColumns))
/** What the list says of a monitor besides its past. */
export type MonitorHead = z.infer<typeof headSchema>

/** A monitor in the list of all, with its last 90 days and its last rounds. */
const overviewRowSchema = z.tuple(valuesOf(cells, overviewColumns))
export type OverviewRow = z.infer<typeof overviewRowSchema>

/** The number of a PostgreSQL transaction. 18 digits suffice: no server has used a thousandth of the 64 bits. */
export const horizonSchema = z.string().regex(/^\d{1,18}$/)

export const overviewSchema = z.strictObject({
  at: z.int().describe('When this was so, by the database, in milliseconds since 1970.'),
  today: z.iso.date().describe('The day of the last bar.'),
  horizon: horizonSchema.describe('For the live stream: what was written later may not be in here.'),
  monitors: z.array(overviewRowSchema).describe('Oldest first.'),
  groups: z.array(z.tuple([z.uuid(), z.array(z.string())])).describe('Group monitors and their members.'),
  incidents: z.array(incidentSchema).describe('The newest 50 that run, newest first.'),
  quiet_since: z.iso.datetime().nullable().describe('When the last of the newest 100 incidents was resolved.'),
})
export type Overview = z.infer<typeof overviewSchema>

/** A monitor of which something changed; the bar is that of `today`. */
const liveRowSchema = z.tuple(valuesOf(cells, liveColumns))
export type LiveRow = z.infer<typeof liveRowSchema>

/** A change in a workspace, as the live stream tells the console. */
export const liveMessageSchema = z.strictObject({
  at: z.int().describe('When this was so, by the database, in milliseconds since 1970.'),
  today: z.iso.date(),
  total: z.int().describe('How many monitors there are: who has another number reads the overview anew.'),
  monitors: z.array(liveRowSchema),
  is_partial: z.boolean().describe('More changed than is told: read the overview anew.'),
  incidents: z.array(incidentSchema).nullable().describe('All that run, as in the overview; null where none changed.'),
})
export type LiveMessage = z.infer<typeof liveMessageSchema>
