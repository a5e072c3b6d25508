import type { RoundLine } from '#core/log-lines.ts'
import type { Result } from '#core/results/result.ts'
import type { EngineLog } from '#engine/engine-options.ts'
import type { Time } from '#time/time.ts'

const quietMs = 10_000

/**
 * Warns of a result that is set aside, at most once in ten seconds and then with the number of times: a location whose
 * credential was stolen may send hundreds of them in a second.
 */
export function createRejectedLines(
  log: Pick<EngineLog, 'warn'>,
  { steadyMs }: Pick<Time, 'steadyMs'>,
): (reason: string, result: Result) => void {
  let saidMs = -Infinity
  let unsaid = 0
  return (reason, { monitorId, round, location }) => {
    unsaid += 1
    if (steadyMs() - saidMs < quietMs) return
    const line: Omit<RoundLine, 'incident_id'> = { monitor_id: monitorId, round, location }
    log.warn('A result was set aside.', { ...line, reason, ...(unsaid === 1 ? {} : { times: unsaid }) })
    saidMs = steadyMs()
    unsaid = 0
  }
}
