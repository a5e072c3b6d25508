import type { MaintenanceAlert } from '#core/contacts/alerting.ts'
import { type Fact, factsOf, listedNames, timeText } from './facts.ts'

type Words = { tone: 'plain'; headline: string; lead: string; facts: Fact[] }

/** Of a public alert. Neither good nor bad: people planned it. */
export function maintenanceWording({ type, data: { maintenance } }: MaintenanceAlert): Words {
  const { name, starts_at: from, ends_at: until, monitors } = maintenance
  const facts = factsOf([
    ['From', timeText(from)],
    ['Until', timeText(until)],
  ])
  const of = `Maintenance of ${listedNames(monitors)}`
  if (type === 'maintenance.ended')
    return { tone: 'plain', headline: `Maintenance ended: ${name}`, lead: `${of} has ended.`, facts }
  return {
    tone: 'plain',
    headline: `Maintenance started: ${name}`,
    lead: `${of} has started. Outages that begin during the maintenance are alerted only if they outlast it.`,
    facts,
  }
}
