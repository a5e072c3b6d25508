import type { DayCounts } from '#core/results/uptime.ts'
import type { ImportedDaysInput } from '#core/results/imported-days.ts'

const longestLatencyMs = 600_000
const mostChecks = 1_000_000

/** The days that another tool counted before one day, as our operation takes them. */
export function daysBefore(today: string, history: readonly DayCounts[]): ImportedDaysInput['days'] {
  return history.filter(({ date }) => date < today).map(toInput)
}

function toInput(day: DayCounts): ImportedDaysInput['days'][number] {
  const { date, up, down, restricted, latencySumMs, latencyCount } = day
  const latencyMs = latencyCount === 0 ? null : Math.min(longestLatencyMs, Math.round(latencySumMs / latencyCount))
  return { date, up: Math.min(mostChecks, up), down: Math.min(mostChecks, down), restricted, latency_ms: latencyMs }
}
