import { z } from 'zod'

/** A mail of the service itself, as its job carries it: nothing private rests readable in the job queue. */
export const noticeSchema = z.discriminatedUnion('notice', [
  z.strictObject({ notice: z.literal('confirm_contact'), contact_id: z.uuid() }),
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
])
export type Notice = z.infer<typeof noticeSchema>

/** Days a confirmation link is valid (decisions.md B13). */
export const confirmationDays = 7
