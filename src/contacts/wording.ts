import { type Alert, toPublicAlert } from '#core/alerting.ts'

/** What an alert says to a person; every text is one line. */
export type Wording = {
  tone: 'bad' | 'good' | 'plain'
  /** What happened, as a subject line. */
  headline: string
  /** The same as a sentence or two. */
  lead: string
  facts: { label: string; value: string }[]
  /** Null when there is nothing more to see. */
  link: { label: string; url: string } | null
}

/** `publicUrl` has no final slash. */
export function wordingOf(alert: Alert, publicUrl: string): Wording {
  const shown = toPublicAlert(alert)
  const name = shown.data.monitor?.name ?? 'A monitor'
  const common = { facts: factsOf(shown), link: linkOf(shown, publicUrl) }
  switch (shown.type) {
    case 'monitor.down':
      return { ...common, tone: 'bad', headline: `Down: ${name}`, lead: `${name} is down.` }
    case 'monitor.up':
      return { ...common, tone: 'good', ...recovery(shown, name) }
    case 'domain.expiring':
      return { ...common, tone: 'plain', ...notice(shown, `Domain expiring: ${name}`) }
    case 'certificate.expiring':
      return { ...common, tone: 'plain', ...notice(shown, `Certificate expiring: ${name}`) }
    case 'vulnerability.found':
      return { ...common, tone: 'plain', ...notice(shown, `Vulnerability found: ${name}`) }
    case 'end_of_life.reached':
      return { ...common, tone: 'plain', ...notice(shown, `End of support reached: ${name}`) }
    case 'test':
      return {
        ...common,
        tone: 'plain',
        headline: 'Test alert from Perigee',
        lead: 'This is a test: alerts reach you here.',
      }
  }
}

/** `12 s`, `4 min`, `2 h 5 min`, `3 d 4 h`: two units at most, rounded down. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

function recovery({ data: { incident } }: Alert, name: string): Pick<Wording, 'headline' | 'lead'> {
  if (incident === null || incident.resolved_at === null)
    return { headline: `Up again: ${name}`, lead: `${name} is up again.` }
  const down = durationText(Date.parse(incident.resolved_at) - Date.parse(incident.started_at))
  return { headline: `Up again: ${name} (was down ${down})`, lead: `${name} is up again. It was down for ${down}.` }
}

function notice({ data: { incident, result } }: Alert, headline: string): Pick<Wording, 'headline' | 'lead'> {
  return { headline, lead: incident?.cause ?? incident?.title ?? result?.error ?? headline }
}

function factsOf({ data: { monitor, incident, result } }: Alert): Wording['facts'] {
  return [
    { label: 'Cause', value: incident?.cause },
    { label: 'Since', value: incident?.resolved_at === null ? timeText(incident.started_at) : null },
    { label: 'From', value: incident?.resolved_at ? timeText(incident.started_at) : null },
    { label: 'Until', value: incident?.resolved_at ? timeText(incident.resolved_at) : null },
    { label: 'Seen from', value: result?.location_code },
    { label: 'Address', value: monitor?.url },
  ].flatMap(({ label, value }) => (value ? [{ label, value }] : []))
}

function linkOf({ data: { monitor, incident } }: Alert, publicUrl: string): Wording['link'] {
  if (incident !== null) return { label: 'Open the incident', url: `${publicUrl}/incidents/${incident.id}` }
  if (monitor !== null) return { label: 'Open the monitor', url: `${publicUrl}/monitors/${monitor.id}` }
  return null
}

/** `2026-11-21 10:04:00 UTC` */
function timeText(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
