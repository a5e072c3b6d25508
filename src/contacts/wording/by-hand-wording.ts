import type { StatusAlert } from '#core/contacts/alerting.ts'
import { type Fact, durationText, factsOf, timeText } from './facts.ts'

type Words = { tone: 'bad' | 'good'; headline: string; lead: string; facts: Fact[] }

/** Of an incident that a person or a program made: the monitor that it is about need not be down. */
export function byHandWording({ type, timestamp, data }: StatusAlert): Words {
  const { monitor, incident } = data
  const { title, cause, started_at: from, resolved_at: until } = incident
  const facts = factsOf([
    ['Monitor', monitor.name],
    ['Cause', cause],
    ['Since', until === null ? timeText(from) : null],
    ['From', until === null ? null : timeText(from)],
    ['Until', until === null ? null : timeText(until)],
    ['Address', monitor.url],
  ])
  const lasted = durationText(Date.parse(until ?? timestamp) - Date.parse(from))
  switch (type) {
    case 'monitor.down':
      return { tone: 'bad', headline: `Incident: ${title}`, lead: `An incident was reported: ${title}`, facts }
    case 'monitor.reminder':
      return {
        tone: 'bad',
        headline: `Ongoing: ${title} (for ${lasted})`,
        lead: `The incident has been ongoing for ${lasted}: ${title}`,
        facts,
      }
    case 'monitor.up':
      return {
        tone: 'good',
        headline: `Resolved: ${title} (after ${lasted})`,
        lead: `The incident was resolved after ${lasted}: ${title}`,
        facts,
      }
  }
}
