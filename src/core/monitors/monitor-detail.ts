import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { monitorSchema } from './monitor.ts'
import { importedDaysSchema } from '#core/results/imported-days.ts'
import { resultSchema } from '#core/results/result.ts'
import { usualResponseSchema } from '#core/results/usual.ts'
import { uptimeSchema } from '#core/results/uptime.ts'
import { barDays, dayBarSchema } from '#core/results/uptime-bars.ts'
import { allTimeSchema } from '#core/results/uptime-history.ts'

const incidentTotal = z.strictObject({ count: z.int(), minutes: z.int() })

/** Everything that the API tells about a monitor. */
export const monitorDetailSchema = z.strictObject({
  data: monitorSchema,
  uptime: uptimeSchema,
  results: z.array(resultSchema).describe('The newest 100, newest first.'),
  days: z.array(dayBarSchema).length(barDays).describe('The last 90 UTC days, oldest first.'),
  all_time: allTimeSchema,
  imported: importedDaysSchema.optional().describe('The days that another tool counted, where there are some.'),
  incident_totals: z.strictObject({ all: incidentTotal, recent: incidentTotal.describe('The last 90 UTC days.') }),
  usual_response: usualResponseSchema.describe('Null unless `alert_slow_factor` is set.'),
  incidents: z.array(incidentSchema).describe('The newest 100, newest first.'),
})
export type MonitorDetail = z.infer<typeof monitorDetailSchema>
