import type { AlertEpisode, DegradedAlert, EpisodeAlert } from '#core/contacts/alerting.ts'
import { type Fact, durationText, factsOf, timeText } from './facts.ts'

type Words = { tone: 'warning' | 'good'; headline: string; lead: string; facts: Fact[] }

/** Of a public alert. */
export function degradedWording(alert: DegradedAlert): Words {
  const { monitor, result, episode } = alert.data
  const { name } = monitor
  if (episode.ended_at !== null) {
    const lasted = lengthOf(episode)
    return {
      tone: 'good',
      headline: `No longer degraded: ${name} (for ${lasted})`,
      lead: `${name} is no longer degraded. It was for ${lasted}.`,
      facts: episodeFacts(alert, []),
    }
  }
  return {
    tone: 'warning',
    headline: `Degraded: ${name}`,
    lead: `${name} is up, but degraded.`,
    facts: episodeFacts(alert, [['Cause', result.error]]),
  }
}

function lengthOf({ started_at: from, ended_at: until }: AlertEpisode): string {
  return durationText(Date.parse(until ?? from) - Date.parse(from))
}

function episodeFacts(
  { data: { monitor, result, episode } }: EpisodeAlert,
  seen: readonly (readonly [label: string, value: string | null])[],
): Fact[] {
  const { started_at: from, ended_at: until } = episode
  return factsOf([
    ...seen,
    ['Since', until === null ? timeText(from) : null],
    ['From', until === null ? null : timeText(from)],
    ['Until', until === null ? null : timeText(until)],
    ['Seen from', result.location_code],
    ['Address', monitor.url],
  ])
}
