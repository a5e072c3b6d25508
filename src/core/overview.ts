import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { currentStatuses } from '#core/monitors/monitor-fields.ts'

/** A paused monitor shows no other status, because its last one may no longer hold. */
export const shownStates = [...currentStatuses, 'paused'] as const
export type ShownState = (typeof shownStates)[number]

/** Number of response times in a row at most, one for each round. */
export const sparkRounds = 30
/** Number of running incidents in the overview, the newest. */
export const shownIncidents = 50

// Thousands of rows travel as tuples: as objects, the names of their members would be half of all bytes.
const ofMonitor = [
  z.uuid(),
  z.string().describe('Name.'),
  z.enum(kindNames),
  z.string().nullable().describe('Target.'),
  z.enum(shownStates),
  z.boolean().describe('Whether its payment is overdue.'),
  z.int().nullable().describe('When it was last checked, in milliseconds since 1970.'),
  z.int().nullable().describe('Response time of the last round with one, in milliseconds.'),
] as const
const headSchema = z.tuple([...ofMonitor])
/** A monitor in the list, without its past. */
export type MonitorHead = z.infer<typeof headSchema>

/** A monitor in the list, with its last 90 days and its last rounds. */
export const overviewRowSchema = z.tuple([
  ...ofMonitor,
  z.string().describe('Daily bars, as `writeBars` writes them.'),
  z.number().nullable().describe('Uptime of the days of the bars in percent; null without checks.'),
  z.string().describe('The last response times, as `writeSpark` writes them.'),
])
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

/** A changed monitor in the live stream, with its bar of `today`. */
export const liveRowSchema = z.tuple([...ofMonitor, z.string().describe('The bar of the day.')])
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
