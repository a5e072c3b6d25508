import type { AlertEpisode, DegradedAlert, EpisodeAlert, SlowAlert } from '#core/contacts/alerting.ts'
import { type Fact, durationText, factsOf, timeText } from './facts.ts'

type Words = { tone: 'warning' | 'good' | 'plain'; headline: string; lead: string; facts: Fact[] }

/** Of a public alert. */
export function degradedWording(alert: DegradedAlert): Words {
  const { monitor, result, episode } = alert.data
  const { name } = monitor
  if (alert.data.closed !== undefined) return closedWording(alert, 'degraded', alert.data.closed)
  if (episode.ended_at !== null) {
    const lasted = lengthOf(episode)
    return {
      tone: 'good',
      headline: `No longer degraded: ${name} (was degraded for ${lasted})`,
      lead: `${name} is no longer degraded. It was degraded for ${lasted}.`,
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

/** Of a public alert. */
export function slowWording(alert: SlowAlert): Words {
  const { monitor, episode, response_time: response } = alert.data
  const { name } = monitor
  const usual = `up to ${response.usual_ms} ms`
  const facts = episodeFacts(alert, [
    ['Response time', `${response.measured_ms} ms`],
    ['Usual at this time of day', usual],
    ['Slow from', `${response.slow_from_ms} ms`],
  ])
  if (alert.data.closed !== undefined) return closedWording(alert, 'slow', alert.data.closed)
  if (episode.ended_at !== null) {
    const lasted = lengthOf(episode)
    return {
      tone: 'good',
      headline: `Back to its usual speed: ${name} (was slow for ${lasted})`,
      lead: `${name} is back to its usual speed. It was slow for ${lasted}.`,
      facts,
    }
  }
  const lead = `${name} is up, but slower than usual. It took ${response.measured_ms} ms; at this time of day, 95 % of checks take ${usual}.`
  return { tone: 'warning', headline: `Slow: ${name}`, lead, facts }
}

/** Something else than a better round ended the episode: `reason` says what. */
function closedWording(alert: EpisodeAlert, how: 'degraded' | 'slow', reason: string): Words {
  const { monitor, episode } = alert.data
  const was = `${monitor.name} was ${how} for ${lengthOf(episode)}`
  return {
    tone: 'plain',
    headline: `Closed: ${was}`,
    lead: `${reason} Until then, ${was}.`,
    facts: episodeFacts(alert, []),
  }
}

export function lengthOf({ started_at: from, ended_at: until }: AlertEpisode): string {
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
