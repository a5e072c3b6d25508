export const partitionCount = 64

/** How long an engine holds a partition without renewing it. */
export const partitionHoldSeconds = 6

/** Which engine looks after a monitor: the last byte of its id mod 64. */
export function partitionOf(monitorId: string): number {
  return Number.parseInt(monitorId.slice(-2), 16) % partitionCount
}

/**
 * The offset at which a monitor is due in its interval. It comes from the first 48 bits of the id, so that it never
 * changes and monitors spread over the interval.
 */
export function phaseMs(monitorId: string, intervalMs: number): number {
  return Number.parseInt(monitorId.slice(0, 8) + monitorId.slice(9, 13), 16) % intervalMs
}

/**
 * The first time from `nowMs` on that lies in phase, in milliseconds since 1970 (docs/decisions/rounds-and-time.md,
 * "When a check is due").
 */
export function dueFrom(nowMs: number, schedule: { phaseMs: number; intervalMs: number }): number {
  const late = (nowMs - schedule.phaseMs) % schedule.intervalMs
  if (late === 0) return nowMs
  return nowMs - late + (late > 0 ? schedule.intervalMs : 0)
}

export function nextDueAt(monitorId: string, intervalSeconds: number, now: Date): Date {
  const intervalMs = intervalSeconds * 1000
  return new Date(dueFrom(now.getTime(), { phaseMs: phaseMs(monitorId, intervalMs), intervalMs }))
}
