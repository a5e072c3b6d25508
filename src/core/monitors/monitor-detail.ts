import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { monitorSchema } from './monitor.ts'
import { resultSchema } from '#core/results/result.ts'
import { barDays, dayBarSchema } from '#core/results/uptime-bars.ts'
import { allTimeSchema } from '#core/results/uptime-history.ts'

const percent = z.number().min(0).max(100).nullable()
const incidentTotal = z.strictObject({ count: z.int(), minutes: z.int() })

/** Everything that the API tells about a monitor. */
export const monitorDetailSchema = z.strictObject({
  data: monitorSchema,
  uptime: z.strictObject({
    day: percent.describe('Percent over the last 96 quarter-hours and the current one; null without checks.'),
    week: percent.describe('Over the last 7 UTC days, today included.'),
    month: percent.describe('Over the last 30 UTC days, today included.'),
    average_latency_ms: z.int().nullable().describe('Of the checks of the last day that were not down.'),
  }),
  results: z.array(resultSchema).describe('The newest 100, newest first.'),
  days: z.array(dayBarSchema).length(barDays).describe('The last 90 UTC days, oldest first.'),
  all_time: allTimeSchema,
  incident_totals: z.strictObject({ all: incidentTotal, recent: incidentTotal.describe('The last 90 UTC days.') }),
  incidents: z.array(incidentSchema).describe('The newest 100, newest first.'),
})
export type MonitorDetail = z.infer<typeof monitorDetailSchema>
