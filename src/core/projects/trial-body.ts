import { passiveKinds } from '#core/monitors/kind-traits.ts'
import type { ProjectEntry } from './project.ts'

/** What a trial of a new monitor is asked with; null for what no location checks. */
export function trialBodyOf({
  section,
  fields,
}: Pick<ProjectEntry, 'section' | 'fields'>): Record<string, unknown> | null {
  const { kind, paused } = fields
  if (section !== 'monitors' || paused === true || passiveKinds.some((passive) => passive === kind)) return null
  // What it names may not be there yet, and makes no difference to a check.
  const {
    alert_channel_ids: _contacts,
    depends_on: _parents,
    escalation_policy_id: _policy,
    paused: _paused,
    billing_period: _period,
    ...body
  } = fields
  return body
}
