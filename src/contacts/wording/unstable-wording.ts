import type { UnstableAlert } from '#core/contacts/alerting.ts'
import { lengthOf } from './episode-wording.ts'
import { type Fact, durationText, factsOf, timeText } from './facts.ts'

type Words = { tone: 'warning' | 'good' | 'plain'; headline: string; lead: string; facts: Fact[] }

const minuteMs = 60_000

/** Of a public alert. */
export function unstableWording(alert: UnstableAlert): Words {
  const { monitor, episode, changes, within_minutes: minutes, closed } = alert.data
  const { name } = monitor
  const facts = factsOfUnstable(alert)
  const time = durationText(minutes * minuteMs)
  if (closed !== undefined) {
    const was = `${name} was unstable for ${lengthOf(episode)}`
    return { tone: 'plain', headline: `Closed: ${was}`, lead: `${closed} Until then, ${was}.`, facts }
  }
  if (episode.ended_at !== null) {
    const lasted = lengthOf(episode)
    return {
      tone: 'good',
      headline: `Stable again: ${name} (was unstable for ${lasted})`,
      lead: `${name} has been up for ${time} without an outage. It was unstable for ${lasted}.`,
      facts,
    }
  }
  const now = monitor.current_status === 'down' ? 'It is down now' : 'It is up now'
  return {
    tone: 'warning',
    headline: `Unstable: ${name}`,
    lead: `${name} keeps going down and coming back: ${changes} changes within ${time}. ${now}. You get no further alerts for its outages until its state has stayed the same for ${time}.`,
    facts,
  }
}

function factsOfUnstable({ data: { monitor, episode, changes } }: UnstableAlert): Fact[] {
  const { started_at: from, ended_at: until } = episode
  return factsOf([
    ['Changes', until === null ? String(changes) : null],
    ['Since', until === null ? timeText(from) : null],
    ['From', until === null ? null : timeText(from)],
    ['Until', until === null ? null : timeText(until)],
    ['Address', monitor.url],
  ])
}
