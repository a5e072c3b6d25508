import type { Alert } from '#core/contacts/alerting.ts'

/**
 * The id of what an alert tells the beginning or the end of: its incident, its episode of degraded or slow
 * rounds, the alarm of an objective, or a maintenance that is under way.
 * Null for an alert that stands alone.
 */
export function occasionId({ data }: Alert): string | null {
  return data.incident?.id ?? ('episode' in data ? data.episode.id : null)
}
