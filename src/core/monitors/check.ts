import { z } from 'zod'
import { kindNames } from './kind-traits.ts'

/** How often a prober announces itself. */
export const announceMs = 2_000
/** A prober that was silent for this long is gone; one that says goodbye is gone at once. */
export const goneAfterMs = 6_000

/** What a location needs to know to check a monitor once; secrets are decrypted. */
export const checkConfigurationSchema = z.object({
  monitorId: z.string(),
  version: z.int(),
  kind: z.enum(kindNames),
  url: z.string(),
  method: z.string(),
  timeoutMs: z.int(),
  expectedStatusMin: z.int(),
  expectedStatusMax: z.int(),
  /** Ranges of the statuses that are right, where these are not all from the least to the greatest. */
  expectedStatuses: z.array(z.tuple([z.int(), z.int()])).optional(),
  keyword: z.string().nullable(),
  requestHeaders: z.record(z.string(), z.string()),
  requestBody: z.string().nullable(),
  /** The kind's own schema parsed them when the monitor was written. */
  options: z.record(z.string(), z.unknown()),
  /**
   * The same for all configurations of one workspace, which it does not name. Without it, as earlier releases send
   * them, a configuration shares with all others that have none.
   */
  shareKey: z.string().max(100).optional(),
  /** Whether the owner let the check reach private addresses; a prober that others use as well does not heed it. */
  mayReachPrivate: z.boolean().optional(),
  /** Absent where nothing of a failure is kept. `rounds` in a row have to fail before an incident opens. */
  evidence: z.object({ keepsBodies: z.boolean(), rounds: z.int() }).optional(),
  /** A trial with it scans the website for this product, in place of the check of its kind. */
  looksFor: z.string().max(400).optional(),
  /** A trial with it shows the offer whole, or asks with the payment that the installation has signed. */
  purchase: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('look') }),
      z.object({ type: z.literal('pay'), signature: z.string().max(32 * 1024) }),
    ])
    .optional(),
  /** What was wrong with the last purchase from this endpoint; it holds until the next one. */
  purchaseProblem: z.object({ status: z.enum(['down', 'degraded']), error: z.string() }).optional(),
})
export type CheckConfiguration = z.infer<typeof checkConfigurationSchema>

/** The order to check one monitor once. The configuration travels separately by version, and not with each check. */
export type Assignment = {
  monitorId: string
  version: number
  /** The round's scheduled time in microseconds since 1970, by the engine's clock. */
  round: number
  /** Whether the location is to tell what it saw, also where nothing failed. It does so only of a monitor with evidence. */
  wantsView?: true
}
