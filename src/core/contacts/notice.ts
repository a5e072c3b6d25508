import { z } from 'zod'

/** Notices about payment go to an owner or to an email contact of the workspace. */
const renewalReaderSchema = z.union([z.strictObject({ person_id: z.uuid() }), z.strictObject({ contact_id: z.uuid() })])
export type RenewalReader = z.infer<typeof renewalReaderSchema>

const networkTurnSchema = z.strictObject({
  code: z.string(),
  name: z.string(),
  /** Null when the location has its network again. */
  lost_at: z.iso.datetime().nullable(),
  monitors: z.int(),
})

/**
 * A mail that the service sends about itself, as its job stores it. It holds ids instead of texts, so that the job
 * queue has nothing private in readable form.
 */
export const noticeSchema = z.discriminatedUnion('notice', [
  z.strictObject({
    notice: z.literal('confirm_contact'),
    contact_id: z.uuid(),
    /** Which of its addresses is asked; left out for the first. */
    address_number: z.int().min(1).optional(),
  }),
  /** Asks the holder of an address to confirm a subscription to a status page. */
  z.strictObject({ notice: z.literal('confirm_subscription'), subscriber_id: z.uuid() }),
  z.strictObject({
    notice: z.literal('contact_disabled'),
    contact_id: z.uuid(),
    /** The email contact that gets the mail. */
    reader_id: z.uuid(),
    reason: z.enum(['gone', 'failing']),
  }),
  z.strictObject({
    notice: z.literal('location_missing'),
    location: z.strictObject({ code: z.string(), name: z.string() }),
    seen_at: z.iso.datetime(),
    /** Number of enabled monitors that choose the location. */
    monitors: z.int(),
  }),
  /** Locations that lost their own network together, or have it again. */
  z.strictObject({
    notice: z.literal('location_networks'),
    locations: z.array(networkTurnSchema),
  }),
  /** As an earlier release stored it. */
  z.strictObject({
    notice: z.literal('location_network'),
    location: z.strictObject({ code: z.string(), name: z.string() }),
    /** Null when the location has its network again. */
    lost_at: z.iso.datetime().nullable(),
    monitors: z.int(),
  }),
  /** Sentences about the installation that are new; with none of them, all that were told are over. */
  z.strictObject({ notice: z.literal('operator_troubles'), troubles: z.array(z.string()) }),
  /** The mail holds a secret, so its content is sealed and in base64 (core/people/person-mail.ts). */
  z.strictObject({ notice: z.literal('person_mail'), sealed: z.base64() }),
  /** An incident was given to a member of its workspace. */
  z.strictObject({ notice: z.literal('incident_assigned'), incident_id: z.uuid(), person_id: z.uuid() }),
  /** What a report says of a period, for one of its readers; `test` tells apart those that were sent as tests. */
  z.strictObject({
    notice: z.literal('report'),
    report_id: z.uuid(),
    contact_id: z.uuid(),
    period: z.string(),
    test: z.uuid().optional(),
  }),
  /** The credit does not cover the renewal of the running monitors. */
  z.strictObject({ notice: z.literal('renewal_uncovered'), workspace_id: z.uuid(), reader: renewalReaderSchema }),
  /** Monitors that were not renewed have been paused. */
  z.strictObject({ notice: z.literal('unpaid_paused'), workspace_id: z.uuid(), reader: renewalReaderSchema }),
])
export type Notice = z.infer<typeof noticeSchema>

/** A confirmation link is valid for so many days. */
export const confirmationDays = 7
