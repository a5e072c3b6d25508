import { z } from 'zod'
import { incidentStatuses } from '#core/incidents/incident.ts'

// What commands read of the API's monitors and incidents. A service of a later release may say more.

export const shownMonitorSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  url: z.string().nullable(),
  status: z.string(),
  current_status: z.string(),
  last_checked_at: z.string().nullable(),
})
export type ShownMonitor = z.infer<typeof shownMonitorSchema>

/** The members above, for lists of which nothing else is shown. */
export const shownFields = Object.keys(shownMonitorSchema.shape).join(',')

export const shownIncidentSchema = z.looseObject({
  id: z.string(),
  monitor_id: z.string(),
  monitor_name: z.string(),
  status: z.enum(incidentStatuses),
  title: z.string(),
  cause: z.string().nullable(),
  started_at: z.string(),
  resolved_at: z.string().nullable(),
})
export type ShownIncident = z.infer<typeof shownIncidentSchema>

/** How a monitor is, in a word. */
export function stateOf({ status, current_status: current }: Pick<ShownMonitor, 'status' | 'current_status'>): string {
  return status === 'paused' ? 'paused' : current
}
