import {
  type Alert,
  type BundleAlert,
  type SingleAlert,
  type StatusAlert,
  bundleType,
} from '#core/contacts/alerting.ts'
import { publicSingle } from '#core/contacts/public-alert.ts'
import { oneLine } from '#core/language/one-line.ts'
import type { MessageWords } from '#core/contacts/message-templates.ts'
import { bundleWording } from './bundle-wording.ts'
import { degradedWording, slowWording } from './episode-wording.ts'
import { certificateWording, domainWording } from './expiry-wording.ts'
import { exposureWording } from './exposure-wording.ts'
import { byHandWording } from './by-hand-wording.ts'
import { type Fact, durationText, factsOf, listedNames, timeText } from './facts.ts'
import { findingWording } from './finding-wording.ts'
import { maintenanceWording } from './maintenance-wording.ts'
import { sloWording } from './slo-wording.ts'
import { unstableWording } from './unstable-wording.ts'

/** What an alert says to a person; every text is one line, but the `lead` that a template made may have more. */
export type Wording = {
  tone: 'bad' | 'warning' | 'good' | 'plain'
  /** What happened, as a subject line. */
  headline: string
  /** What happened, in a sentence or two. */
  lead: string
  facts: Fact[]
  /** Of a bundle: a fact for each alert that it names. Where `facts` has less of them, its last one counts the rest. */
  bundle?: { alerts: Fact[]; total: number }
  /** Null when there is nothing more to see. */
  link: Link | null
  /** Opens a page on which the receiver takes the outage on; null where the contact has no such links. */
  acknowledge: Link | null
  /** Where the monitor's owners say what to do; none where they named nothing, and once it is over. */
  runbook?: Link | null
}

export type Link = { label: string; url: string }

/** In the order in which they are shown. */
export function linksOf({
  acknowledge,
  link,
  runbook = null,
}: Pick<Wording, 'acknowledge' | 'link' | 'runbook'>): Link[] {
  return [acknowledge, link, runbook].filter((each) => each !== null)
}

/**
 * The part of a message's context that its words need. `publicUrl` has no final slash; `words` are what the contact's
 * own templates made.
 */
export type WordingContext = { publicUrl: string; words?: MessageWords; acknowledgeUrl?: string }

export function wordingOf(alert: Alert, { publicUrl, words, acknowledgeUrl: url }: WordingContext): Wording {
  if (alert.type === bundleType) return wordingOfBundle(alert, publicUrl)
  const shown = publicSingle(alert)
  const acknowledge = url === undefined ? null : { label: 'Acknowledge', url }
  const told = withNotes(wordsOf(shown), shown)
  return { ...inWords(told, words), link: linkOf(shown, publicUrl), acknowledge, ...runbookOf(shown) }
}

/** Notes are written for a page; of an alert they are the last line. */
const maxNotesLength = 400

function withNotes(words: Words, { data: { monitor } }: SingleAlert): Words {
  const notes = monitor?.notes ?? ''
  return { ...words, facts: [...words.facts, ...factsOf([['Notes', oneLine(notes, maxNotesLength)]])] }
}

function runbookOf({ data: { monitor } }: SingleAlert): Pick<Wording, 'runbook'> {
  const url = monitor?.runbook_url
  return url === undefined ? {} : { runbook: { label: 'Open the runbook', url } }
}

/** One that came to a single alert, such as an outage with its end, has the words of that. */
function wordingOfBundle(alert: BundleAlert, publicUrl: string): Wording {
  const [only] = alert.data.alerts
  if (alert.data.total === 1 && only !== undefined) return wordingOf(only, { publicUrl })
  const link = { label: 'Open the incidents', url: `${publicUrl}/incidents` }
  return { ...bundleWording(alert, wordsOf), link, acknowledge: null }
}

type Words = Omit<Wording, 'link' | 'acknowledge' | 'runbook'>

/** A body takes the place of the facts too, which a template may name itself. */
function inWords(builtIn: Words, words: MessageWords | undefined): Words {
  const { title = null, body = null } = words ?? {}
  const told = body === null ? builtIn : { ...builtIn, lead: body, facts: [] }
  return { ...told, headline: title ?? told.headline }
}

function wordsOf(alert: SingleAlert): Words {
  switch (alert.type) {
    case 'monitor.down': {
      if (alert.data.incident.by_hand === true) return byHandWording(alert)
      const { name } = alert.data.monitor
      return {
        tone: 'bad',
        headline: `Down: ${name}`,
        lead: `${name} is down.${affected(alert)}`,
        facts: statusFacts(alert),
      }
    }
    case 'monitor.reminder':
      if (alert.data.incident.by_hand === true) return byHandWording(alert)
      return { tone: 'bad', ...reminder(alert), facts: statusFacts(alert) }
    case 'monitor.up': {
      const { closed, incident } = alert.data
      if (incident.by_hand === true && closed === undefined) return byHandWording(alert)
      return closed === undefined
        ? { tone: 'good', ...recovery(alert), facts: statusFacts(alert) }
        : { tone: 'plain', ...closedOutage(alert, closed), facts: statusFacts(alert) }
    }
    case 'monitor.degraded':
    case 'monitor.degraded_ended':
      return degradedWording(alert)
    case 'monitor.slow':
    case 'monitor.slow_ended':
      return slowWording(alert)
    case 'monitor.unstable':
    case 'monitor.unstable_ended':
      return unstableWording(alert)
    case 'domain.expiring':
      return domainWording(alert)
    case 'certificate.expiring':
      return certificateWording(alert)
    case 'vulnerability.found':
    case 'end_of_life.reached':
      return findingWording(alert)
    case 'exposure.reminder':
    case 'exposure.ended':
      return exposureWording(alert)
    case 'slo.burning':
    case 'slo.recovered':
      return sloWording(alert)
    case 'maintenance.started':
    case 'maintenance.ended':
      return maintenanceWording(alert)
    case 'test':
      return {
        tone: 'plain',
        headline: 'Test alert from Perigee',
        lead: 'This is a test. Alerts will reach you here.',
        facts: [],
      }
  }
}

/** ` 12 monitors depend on it: a, b, c and 9 more.`; empty where none does. */
function affected({ data: { children } }: StatusAlert): string {
  if (children === undefined) return ''
  const { total } = children
  return ` ${total === 1 ? '1 monitor depends' : `${total} monitors depend`} on it: ${listedNames(children)}.`
}

function reminder(alert: StatusAlert): Pick<Wording, 'headline' | 'lead'> {
  const { timestamp, data } = alert
  const { monitor, incident } = data
  const { name } = monitor
  const down = durationText(Date.parse(timestamp) - Date.parse(incident.started_at))
  return { headline: `Still down: ${name} (for ${down})`, lead: `${name} has been down for ${down}.${affected(alert)}` }
}

function recovery({ data: { monitor, incident } }: StatusAlert): Pick<Wording, 'headline' | 'lead'> {
  const { name } = monitor
  if (incident.resolved_at === null) return { headline: `Up again: ${name}`, lead: `${name} is up again.` }
  const down = durationText(Date.parse(incident.resolved_at) - Date.parse(incident.started_at))
  return { headline: `Up again: ${name} (was down ${down})`, lead: `${name} is up again. It was down for ${down}.` }
}

/** The end of an outage that is no recovery. */
function closedOutage(
  { timestamp, data: { monitor, incident } }: StatusAlert,
  reason: string,
): Pick<Wording, 'headline' | 'lead'> {
  const { name } = monitor
  const down = durationText(Date.parse(incident.resolved_at ?? timestamp) - Date.parse(incident.started_at))
  return {
    headline: `Closed: ${name} was down for ${down}`,
    lead: `${reason} Until then, ${name} was down for ${down}.`,
  }
}

function statusFacts({ data: { monitor, incident, result } }: StatusAlert): Wording['facts'] {
  const { started_at: from, resolved_at: until } = incident
  return factsOf([
    ['Cause', incident.cause],
    ['Since', until === null ? timeText(from) : null],
    ['From', until === null ? null : timeText(from)],
    ['Until', until === null ? null : timeText(until)],
    ['Seen from', result?.location_code ?? null],
    ['Address', monitor.url],
  ])
}

function linkOf({ data }: SingleAlert, publicUrl: string): Wording['link'] {
  const { monitor, incident } = data
  if ('maintenance' in data) return { label: 'Open the maintenance', url: `${publicUrl}/maintenance` }
  if ('slo' in data) return { label: 'Open the objective', url: `${publicUrl}/objectives/${data.slo.id}` }
  if (incident !== null) return { label: 'Open the incident', url: `${publicUrl}/incidents/${incident.id}` }
  if (monitor !== null) return { label: 'Open the monitor', url: `${publicUrl}/monitors/${monitor.id}` }
  return null
}
