import assert from 'node:assert/strict'
import type { Phases } from '#core/results/result.ts'

/** Rounding may add this to each of the figures, which are sums of a few. */
const roundedMs = 2

/** Runs an exchange, whose figures have to fit into the time that it took. */
export async function timed<Outcome extends { latencyMs: number; phases: Phases }>(
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const startedAt = performance.now()
  const outcome = await run()
  const tookMs = performance.now() - startedAt
  const { latencyMs, phases } = outcome
  for (const [what, ms] of Object.entries({ latencyMs, ...phases }))
    assert.ok(ms === null || (ms >= 0 && ms <= tookMs + roundedMs), `${what} is ${ms} of ${tookMs} ms`)
  return outcome
}
