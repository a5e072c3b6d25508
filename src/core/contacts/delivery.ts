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
  id: z.uuid().describe('The same for every attempt; a webhook gets it as `webhook-id`.'),
  type: z.string().describe('The type of the alert, such as `monitor.down`.'),
  monitor: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  incident_id: z.uuid().nullable(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  status_code: z.int().nullable().describe('The last status code of the destination.'),
  error: nullableText.describe('Why the last attempt failed.'),
  bundle_id: z.uuid().optional().describe('The delivery that it is bundled into as one message, if any.'),
  alerts: z.int().optional().describe('How many alerts are in it; only of a delivery of the type `alerts.bundle`.'),
  template_problem: z
    .string()
    .optional()
    .describe('Why the built-in text was sent instead of the template; only if it was.'),
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
      'When something first arrived: an alert, a test, or the mail whose link the reader opened. Null if nothing is known to have arrived.',
    ),
  confirmation_expires_at: z.iso.datetime().nullable(),
  confirmation_url: z
    .url()
    .nullable()
    .describe(
      'The confirmation link that an owner of an installation without mail passes on to the reader; null in all other cases.',
    ),
  former_secret_until: z.iso.datetime().nullable().describe('Webhooks have two signatures until this time.'),
  last_delivery: z
    .strictObject({
      state: z.enum(['pending', 'delivered', 'failed']),
      at: z.iso.datetime(),
      error: nullableText,
      status_code: z
        .int()
        .nullable()
        .describe(
          'The status code of the answer; null for a mail that was kept because the installation sends no mail.',
        ),
    })
    .nullable(),
  only_contact_of: z.int().describe('How many monitors alert only this contact.'),
  only_contact_of_monitors: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .describe('The first 10 of them, by name.'),
})
export type ContactStateRecord = z.infer<typeof contactStateSchema>
