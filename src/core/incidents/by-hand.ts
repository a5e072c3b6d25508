// Incidents that people and programs make (docs/decisions/incidents.md, "Made by hand").
import { z } from 'zod'
import type { AlertMonitor, StatusAlert } from '#core/contacts/alerting.ts'
import { text } from '#core/language/text.ts'
import type { IncidentRecord } from './incident.ts'

/** So many of a workspace run at a time. */
export const maxRunningByHand = 50

const contactIds = z.array(z.uuid().toLowerCase()).max(100)

export const incidentInputSchema = z.strictObject({
  monitor_id: z.uuid().toLowerCase().describe('The monitor it is about, whose contacts and policy are alerted.'),
  title: text({ min: 1, max: 160 })
    .refine((title) => title.trim() !== '', 'Must not be blank.')
    .describe('What is wrong, such as "Orders arrive twice".'),
  cause: text({ max: 1000 }).nullable().default(null).describe('Why, if known. Default null.'),
  alert_channel_ids: contactIds
    .nullable()
    .default(null)
    .describe('The contacts to alert, without a policy; [] for none. Default null: as for an outage.'),
})

type Told = Pick<IncidentRecord, 'id' | 'status' | 'title' | 'cause' | 'started_at' | 'resolved_at'>

/** No check has found it, so the alert has no result. */
export function byHandAlert(
  type: 'monitor.down' | 'monitor.up',
  { id, status, title, cause, started_at, resolved_at }: Told,
  monitor: AlertMonitor,
): StatusAlert {
  const timestamp = resolved_at ?? started_at
  const incident = { id, status, title, cause, started_at, resolved_at, by_hand: true } as const
  return { type, timestamp, data: { monitor, incident, result: null } }
}
