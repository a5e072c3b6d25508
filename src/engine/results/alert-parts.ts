// What alerts of a fold say of the monitor and of the round that made them.
import type { AlertMonitor, AlertResult } from '#core/contacts/alerting.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Report } from '#core/results/round.ts'
import type { MonitorFace } from '#store/monitors/watch-rows.ts'

/** `status` is that of the monitor after the round. */
export function alertMonitorOf({ id, name, kind, url }: MonitorFace, status: CurrentStatus): AlertMonitor {
  return { id, name, kind, url, current_status: status }
}

export function alertResultOf({ location, verdict }: Report): AlertResult {
  const { status, statusCode, latencyMs, error } = verdict
  return { status, status_code: statusCode, latency_ms: latencyMs, location_code: location, error }
}

/** Of the time of a round. */
export function dateOf(time: number): Date {
  return new Date(time / 1000)
}
