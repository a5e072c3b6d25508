import { maskContent } from '#core/monitors/monitor-content.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { Caller } from '#operations/pipeline/operation.ts'

/** Viewers do not see what a monitor sends; programs do, as the description of the API says. */
export function shownTo<Shown extends Pick<MonitorRecord, 'request_body' | 'check_options'>>(
  { person, scope }: Caller,
  monitor: Shown,
): Shown {
  return person !== null && scope === 'read' ? maskContent(monitor) : monitor
}
