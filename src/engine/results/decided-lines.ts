import type { RoundLine } from '#core/log-lines.ts'
import type { EngineLog } from '#engine/engine-options.ts'
import type { Draft } from './draft-rounds.ts'

/** Tells the log what a round decided: incidents at `info`, every round at `debug`. Memory has not followed yet. */
export function logDecided(draft: Draft, log: Pick<EngineLog, 'debug' | 'info'>): void {
  const { watched, open, outcome, fold } = draft
  const line: Pick<RoundLine, 'monitor_id' | 'round'> = { monitor_id: watched.id, round: open.time }
  log.debug('A round was decided.', { ...line, outcome: outcome?.type, status: fold?.standing.status })
  switch (fold?.transition.type) {
    case 'went_down':
      return log.info('An incident was opened.', {
        ...line,
        location: fold.transition.report.location,
        incident_id: fold.incidentId,
      })
    case 'recovered':
      return log.info('An incident was resolved.', { ...line, incident_id: watched.incidentId })
    case 'none':
    case undefined:
      return
  }
}
