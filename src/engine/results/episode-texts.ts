import type { EpisodeChange, EpisodeType, SlowReading } from '#core/incidents/episode.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Report } from '#core/results/round.ts'

/** Of the event of a beginning. */
export function beganText(
  type: EpisodeType,
  { rounds, report, reading }: { rounds: number; report: Report; reading: SlowReading | null },
): string {
  const many = rounds === 1 ? '' : ` for ${rounds} rounds in a row`
  const what = type === 'slow' ? slowText(reading) : report.verdict.error
  return `${type === 'slow' ? 'Slower than usual' : 'Degraded'}${many}${what === null ? '.' : `: ${what}`}`
}

function slowText(reading: SlowReading | null): string | null {
  if (reading === null) return null
  const { measuredMs, usualMs } = reading
  return `${measuredMs} ms, where 95 % of checks take at most ${usualMs} ms at this time of day.`
}

/** Of the event of an end. */
export function endedText(
  type: EpisodeType,
  { change, status, reading }: { change: EpisodeChange; status: CurrentStatus; reading: SlowReading | null },
): string {
  if (change !== 'ends')
    return status === 'down' ? 'The monitor went down.' : `The monitor no longer alerts when it is ${type}.`
  if (type === 'degraded') return 'No longer degraded.'
  return reading === null ? 'Back to its usual speed.' : `Back to its usual speed: ${reading.measuredMs} ms.`
}
