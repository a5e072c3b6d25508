import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { MonitorStatusFilter } from '#core/monitors/monitor-filter.ts'
import { holdsText, type Put } from '#store/database/page.ts'
import { hasOneOf } from '#store/tags.ts'

/** Which monitors are meant. A member that is left out asks for nothing; of the values of a list one suffices. */
export type MonitorFilter = {
  status?: readonly MonitorStatusFilter[] | undefined
  kind?: readonly string[] | undefined
  tag?: readonly string[] | undefined
  /** A part of the name. */
  name?: string | undefined
  /** A part of the target. */
  url?: string | undefined
}

/** Conditions on the monitor `m` and, where a status is asked for, on its state `s`. */
export function monitorConditions({ status, kind, tag, name, url }: MonitorFilter, put: Put): string[] {
  return [
    ...(status === undefined ? [] : [statusCondition(status, put)]),
    ...(kind === undefined ? [] : [`m.kind = any(${put(kind)})`]),
    ...(tag === undefined ? [] : [hasOneOf('m.tags', `${put(tag)}::text[]`)]),
    ...(name === undefined ? [] : [holdsText('m.name', put(name))]),
    ...(url === undefined ? [] : [holdsText('m.url', put(url))]),
  ]
}

/** A paused monitor is only paused: what it was when it was last checked is not how it is. */
function statusCondition(statuses: readonly MonitorStatusFilter[], put: Put): string {
  const running = statuses.filter((status): status is CurrentStatus => status !== 'enabled' && status !== 'paused')
  const choices = [
    ...(statuses.includes('enabled') ? [`m.status = 'enabled'`] : []),
    ...(statuses.includes('paused') ? [`m.status = 'paused'`] : []),
    ...(running.length === 0 ? [] : [`m.status = 'enabled' and s.current_status = any(${put(running)})`]),
  ]
  return `(${choices.join(' or ')})`
}
