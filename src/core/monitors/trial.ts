import { z } from 'zod'
import type { CheckConfiguration } from './check.ts'
import { type Verdict, resultStatuses } from '#core/results/result.ts'

/** One check of a configuration that is no monitor's yet, or not as it is: a Result that nobody keeps. */
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
  /** What the check itself may take, in milliseconds. */
  deadlineMs: number
}

/** `busy`: too many of the workspace, or of all, are under way. `silent`: a prober was asked and said nothing. */
export type TrialOutcome = { type: 'checked'; verdict: Verdict } | { type: 'untold' | 'offline' | 'busy' | 'silent' }
