import { z } from 'zod'

/** A delivery is deleted after so many days. */
export const deliveryDays = 90
/** Ids of messages that are kept: what a provider answers may be anything. */
export const referencePattern = /^[!-~]{1,256}$/
/** How long webhooks carry the signature of a replaced secret as well, so that receivers can change over. */
export const formerSecretHours = 24

/** A dropped one was never sent: what it would have told was over before its time came. */
export const deliveryStates = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

const nullableText = z.string().nullable()

/** The delivery of an alert to a contact, as the console shows it. */
export const deliverySchema = z.strictObject({
  id: z.uuid().describe('The same at every attempt: `webhook-id` of a webhook.'),
  type: z.string().describe('Of the alert, such as `monitor.down`.'),
  monitor: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  incident_id: z.uuid().nullable(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  status_code: z.int().nullable().describe('What the destination answered last.'),
  error: nullableText.describe('Why the last attempt failed.'),
  bundle_id: z
    .uuid()
    .optional()
    .describe('The delivery with which it left or will leave, as one message; only where there is one.'),
  alerts: z.int().optional().describe('How many alerts are in it; only of a delivery of the type `alerts.bundle`.'),
  template_problem: z
    .string()
    .optional()
    .describe('Why it was told in the built-in words although the contact has templates; only where it was.'),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable(),
})
export type DeliveryRecord = z.infer<typeof deliverySchema>

/** What the console shows of a contact and the API does not. */
export const contactStateSchema = z.strictObject({
  id: z.uuid(),
  failing_since: z.iso.datetime().nullable().describe('The first failure since the last delivery that succeeded.'),
  switched_off_by: z.enum(['reader', 'service', 'people']).nullable(),
  worked_at: z.iso
    .datetime()
    .nullable()
    .describe(
      'When something first arrived there: an alert, a test, or the mail whose link its reader opened. Null while that is not known.',
    ),
  confirmation_expires_at: z.iso.datetime().nullable(),
  confirmation_url: z
    .url()
    .nullable()
    .describe(
      'The link that waits for its reader, for an owner of an installation that sends no mail to hand on; null for all others.',
    ),
  former_secret_until: z.iso.datetime().nullable().describe('Until then webhooks carry two signatures.'),
  last_delivery: z
    .strictObject({
      state: z.enum(['pending', 'delivered', 'failed']),
      at: z.iso.datetime(),
      error: nullableText,
      status_code: z
        .int()
        .nullable()
        .describe('What the destination answered; null for a delivered mail that is kept, because no mail leaves.'),
    })
    .nullable(),
  only_contact_of: z.int().describe('Monitors that alert this contact alone.'),
  only_contact_of_monitors: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .describe('The first 10 of them, by name.'),
})
export type ContactStateRecord = z.infer<typeof contactStateSchema>
