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
    .describe('The member it is assigned to; null if it is not assigned.'),
  by_hand: z.boolean().describe('Whether a person or a program created it. Checks do not resolve it then.'),
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
  type: z.string().describe('The type of the alert, such as `monitor.down`.'),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  error: z.string().nullable().describe('The error of the last failed attempt.'),
  status_code: z
    .int()
    .nullable()
    .describe('The last answer of the contact; null for a mail that was kept because the installation sends no mail.'),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable().describe('Null unless the delivery is pending.'),
})
export type IncidentDelivery = z.infer<typeof incidentDeliverySchema>

/** An incident with everything that the console shows of it. */
export const incidentStorySchema = z.strictObject({
  ...incidentDetailSchema.shape,
  monitor: z
    .strictObject({ name: z.string(), kind: z.string(), url: z.string().nullable(), interval_seconds: z.int() })
    .nullable()
    .describe('Its current state; null if it was deleted.'),
  location_codes: z.array(z.string()).describe('Locations that saw the failure; empty if they are no longer known.'),
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
    .describe('Contacts that the monitor alerts but that got no alert, in their current state.'),
})
export type UntoldContact = z.infer<typeof incidentStorySchema>['untold'][number]
export type IncidentStory = z.infer<typeof incidentStorySchema>
