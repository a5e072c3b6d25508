import { z } from 'zod'
import { deliveryStates } from '#core/contacts/delivery.ts'

export const incidentStatuses = ['open', 'acknowledged', 'resolved'] as const
const incidentEventTypes = [
  'opened',
  'acknowledged',
  'resolved',
  'alert_sent',
  'alert_failed',
  'alert_dropped',
  'alert_withheld',
  'escalated',
  'policy_changed',
  'assigned',
] as const
export type IncidentEventType = (typeof incidentEventTypes)[number]

/** An incident as the API shows it. */
export const incidentSchema = z.strictObject({
  id: z.uuid(),
  monitor_id: z.uuid(),
  monitor_name: z.string().describe('The name at the time: an incident outlives its monitor.'),
  status: z.enum(incidentStatuses),
  title: z.string(),
  cause: z.string().nullable(),
  started_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
  assignee: z
    .strictObject({ id: z.uuid(), name: z.string() })
    .nullable()
    .describe('The member who looks after it; null where it was given to none.'),
  by_hand: z.boolean().describe('Whether a person or a program made it: then checks do not resolve it.'),
})
export type IncidentRecord = z.infer<typeof incidentSchema>

/** One step in the story of an incident (docs/decisions/incidents.md, "Events"). */
export const incidentEventSchema = z.strictObject({
  id: z.uuid(),
  type: z.enum(incidentEventTypes),
  at: z.iso.datetime(),
  message: z.string(),
  actor: z.string().nullable().describe("The token's, person's or contact's name; null for the service itself."),
  details: z.record(z.string(), z.unknown()),
})
export type IncidentEvent = z.infer<typeof incidentEventSchema>

export const incidentDetailSchema = z.strictObject({
  ...incidentSchema.shape,
  events: z.array(incidentEventSchema).describe('Oldest first.'),
})

/** The delivery of an incident's alert to one contact, as the console shows it. */
const incidentDeliverySchema = z.strictObject({
  id: z.uuid(),
  contact_name: z.string(),
  contact_kind: z.string(),
  type: z.string().describe('Of the alert, such as `monitor.down`.'),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  error: z.string().nullable().describe('Of the last attempt that failed.'),
  status_code: z
    .int()
    .nullable()
    .describe('What the contact answered last; null for a delivered mail that is kept, because no mail leaves.'),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable().describe('While it is pending.'),
})
export type IncidentDelivery = z.infer<typeof incidentDeliverySchema>

/** An incident with everything that the console shows of it. */
export const incidentStorySchema = z.strictObject({
  ...incidentDetailSchema.shape,
  monitor: z
    .strictObject({ name: z.string(), kind: z.string(), url: z.string().nullable(), interval_seconds: z.int() })
    .nullable()
    .describe('As it is now; null where it was deleted.'),
  location_codes: z.array(z.string()).describe('Where the failure was seen; none where nothing is kept of it.'),
  deliveries: z.array(incidentDeliverySchema).describe('Oldest first.'),
  untold: z
    .array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        kind: z.string(),
        reason: z.enum(['unconfirmed', 'disabled']),
      }),
    )
    .describe('Contacts that the monitor alerts and that were told nothing, as they are now.'),
})
export type UntoldContact = z.infer<typeof incidentStorySchema>['untold'][number]
export type IncidentStory = z.infer<typeof incidentStorySchema>
