import { z } from 'zod'
import type { CheckConfiguration } from './check.ts'
import { type Verdict, resultStatuses } from '#core/results/result.ts'

/** The result of one check of a configuration that is not saved, or not yet. It is not stored. */
export const trialSchema = z.strictObject({
  status: z.enum(resultStatuses),
  status_code: z.int().nullable(),
  latency_ms: z.int().nullable(),
  location_code: z.string(),
  error: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).describe('As in a Result.'),
})
export type TrialRecord = z.infer<typeof trialSchema>

export type AskedTrial = {
  workspaceId: string
  location: string
  configuration: CheckConfiguration
  /** Time that the check itself may take, in milliseconds. */
  deadlineMs: number
}

/**
 * `busy`: the workspace, or the installation, has too many trials under way. `offline`: no prober is at the location.
 * `silent`: the prober did not answer. `untold`: the prober could not tell, because of trouble of its own.
 */
export type TrialOutcome = { type: 'checked'; verdict: Verdict } | { type: 'untold' | 'offline' | 'busy' | 'silent' }
