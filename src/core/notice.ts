import { z } from 'zod'

/** A mail of the service itself, as its job carries it: ids only, so that nothing private rests in the job queue. */
export const noticeSchema = z.discriminatedUnion('notice', [
  z.strictObject({ notice: z.literal('confirm_contact'), contact_id: z.uuid() }),
  z.strictObject({
    notice: z.literal('contact_disabled'),
    contact_id: z.uuid(),
    /** The email contact that is told. */
    reader_id: z.uuid(),
    reason: z.enum(['gone', 'failing']),
  }),
])
export type Notice = z.infer<typeof noticeSchema>

/** Days a confirmation link is valid (decisions.md B13). */
export const confirmationDays = 7
