import { z } from 'zod'

/** Who is told of the money of a workspace: an owner, or an email contact. */
const renewalReaderSchema = z.union([z.strictObject({ person_id: z.uuid() }), z.strictObject({ contact_id: z.uuid() })])
export type RenewalReader = z.infer<typeof renewalReaderSchema>

/** A mail of the service itself, as its job carries it: nothing private rests readable in the job queue. */
export const noticeSchema = z.discriminatedUnion('notice', [
  z.strictObject({ notice: z.literal('confirm_contact'), contact_id: z.uuid() }),
  /** Asks whether an address wants to be told what happens on a status page. */
  z.strictObject({ notice: z.literal('confirm_subscription'), subscriber_id: z.uuid() }),
  z.strictObject({
    notice: z.literal('contact_disabled'),
    contact_id: z.uuid(),
    /** The email contact that is told. */
    reader_id: z.uuid(),
    reason: z.enum(['gone', 'failing']),
  }),
  z.strictObject({
    notice: z.literal('location_missing'),
    location: z.strictObject({ code: z.string(), name: z.string() }),
    seen_at: z.iso.datetime(),
    /** How many enabled monitors choose it. */
    monitors: z.int(),
  }),
  /** To a person. It holds a secret, so that it is sealed, in base64: see person-mail.ts. */
  z.strictObject({ notice: z.literal('person_mail'), sealed: z.base64() }),
  /** Credit does not cover the renewal of what runs. */
  z.strictObject({ notice: z.literal('renewal_uncovered'), workspace_id: z.uuid(), reader: renewalReaderSchema }),
  /** What was not renewed runs no more. */
  z.strictObject({ notice: z.literal('unpaid_paused'), workspace_id: z.uuid(), reader: renewalReaderSchema }),
])
export type Notice = z.infer<typeof noticeSchema>

/** Days a confirmation link is valid (decisions.md B13). */
export const confirmationDays = 7
