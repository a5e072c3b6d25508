import { noPhases, type Verdict } from '#core/results/result.ts'

/** Without any result the monitor would stay as it is, and its owner would not learn that it is not checked. */
export function unchecked(reason: string): Verdict {
  return { status: 'degraded', statusCode: null, latencyMs: null, error: reason, phases: noPhases, details: {} }
}
