import type { AuditEntryRecord } from '../../api/console.ts'

export const actors = [
  'person',
  'token',
  'agent',
  'operator',
  'system',
] as const satisfies readonly AuditEntryRecord['actor']['kind'][]

export const targets = [
  'monitor',
  'incident',
  'alert_channel',
  'escalation_policy',
  'on_call_schedule',
  'slo',
  'maintenance_window',
  'status_page',
  'report',
  'saved_view',
  'member',
  'invitation',
  'api_token',
  'agent',
  'screen',
  'identity_provider',
  'sign_in_domain',
  'workspace',
] as const

/** As the address of the page has it: kinds of actors and targets, a part of a name, days of the reader's zone. */
export type AuditView = { actor?: string; target?: string; name?: string; since?: string; until?: string }

const day = /^\d{4}-\d{2}-\d{2}$/
const longestName = 100

export function readAuditView({ actor, target, name, since, until }: Record<string, unknown>): AuditView {
  return {
    ...(actors.some((each) => each === actor) ? { actor: String(actor) } : {}),
    ...(targets.some((each) => each === target) ? { target: String(target) } : {}),
    ...(typeof name === 'string' && name.trim() !== '' ? { name: name.slice(0, longestName) } : {}),
    ...(typeof since === 'string' && day.test(since) ? { since } : {}),
    ...(typeof until === 'string' && day.test(until) ? { until } : {}),
  }
}

/** The parameters of the API: days begin and end at midnight here, and the last one is shown whole. */
export function queryOf({ since, until, ...same }: AuditView): URLSearchParams {
  const parameters = new URLSearchParams(same)
  const from = since === undefined ? null : midnightOf(since, 0)
  const to = until === undefined ? null : midnightOf(until, 1)
  if (from !== null) parameters.set('since', from)
  if (to !== null) parameters.set('until', to)
  return parameters
}

/** Null for a day that no calendar has. */
function midnightOf(text: string, daysLater: number): string | null {
  const [year = 0, month = 1, date = 1] = text.split('-').map(Number)
  const at = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
