import type { BundleAlert, SingleAlert } from '#core/contacts/alerting.ts'
import { oneLine } from '#core/language/one-line.ts'
import { publicSingle } from '#core/contacts/public-alert.ts'
import { inWords } from '#core/language/in-words.ts'
import { type Fact, durationText } from './facts.ts'

type Words = { tone: (typeof worstFirst)[number]; headline: string; lead: string; facts: Fact[] }
type BundleWords = Words & { bundle: { alerts: Fact[]; total: number } }

const maxNameLength = 60
const maxTextLength = 160
/** In a subject line. */
const namesInHeadline = 2
const maxHeadlineName = 40

/** The words of several alerts in one message; `wordsOf` has those of each, as an alert of its own. */
export function bundleWording({ data }: BundleAlert, wordsOf: (alert: SingleAlert) => Words): BundleWords {
  const { total } = data
  const told = data.alerts.map(publicSingle)
  const alerts = told.map((alert) => factOf(alert, wordsOf))
  return {
    tone: toneOf(told.map((alert) => wordsOf(alert).tone)),
    headline: `${countsText(data)}${namesText(told, total)}`,
    lead: leadOf(data),
    facts: listed(alerts, total),
    bundle: { alerts, total },
  }
}

/** The facts of some of the alerts, and how many others there are. */
export function listed(alerts: readonly Fact[], total: number): Fact[] {
  const others = total - alerts.length
  return others === 0 ? [...alerts] : [...alerts, { label: 'And', value: `${others} more` }]
}

type Counts = Pick<BundleAlert['data'], 'total' | 'down' | 'up'>

/** `42 monitors down`, `40 down, 2 up again`, `3 alerts` */
function countsText({ total, down, up }: Counts): string {
  const others = total - down - up
  if (down === total) return `${monitors(down)} down`
  if (up === total) return `${monitors(up)} up again`
  if (others === total) return `${others} alerts`
  return [
    ...(down === 0 ? [] : [`${down} down`]),
    ...(up === 0 ? [] : [`${up} up again`]),
    ...(others === 0 ? [] : [otherAlerts(others)]),
  ].join(', ')
}

function leadOf({ total, down, up }: Counts): string {
  const others = total - down - up
  if (others === total) return `${total} alerts arrived shortly after one another.`
  const parts = [
    ...(down === 0 ? [] : [`${monitors(down)} ${down === 1 ? 'is' : 'are'} down`]),
    ...(up === 0 ? [] : [`${down === 0 ? monitors(up) : up} ${up === 1 ? 'is' : 'are'} up again`]),
    ...(others === 0 ? [] : [`there ${others === 1 ? 'is' : 'are'} ${otherAlerts(others)}`]),
  ]
  return `${inWords(parts, 'and')}.`
}

function monitors(count: number): string {
  return `${count} ${count === 1 ? 'monitor' : 'monitors'}`
}

function otherAlerts(count: number): string {
  return `${count} other ${count === 1 ? 'alert' : 'alerts'}`
}

/** `: Shop API, Blog and 40 more` */
function namesText(told: readonly SingleAlert[], total: number): string {
  const names = told.slice(0, namesInHeadline).map((alert) => oneLine(nameOf(alert), maxHeadlineName))
  if (names.length === 0) return ''
  const others = total - names.length
  return `: ${others === 0 ? inWords(names, 'and') : `${names.join(', ')} and ${others} more`}`
}

/** Of the monitor, of the objective or of the maintenance. */
function nameOf({ data }: SingleAlert): string {
  if ('maintenance' in data) return data.maintenance.name
  return 'slo' in data ? data.slo.name : (data.monitor?.name ?? 'Perigee')
}

function factOf(alert: SingleAlert, wordsOf: (alert: SingleAlert) => Words): Fact {
  const label = oneLine(nameOf(alert), maxNameLength)
  return { label, value: oneLine(textOf(alert, wordsOf), maxTextLength) }
}

function textOf(alert: SingleAlert, wordsOf: (alert: SingleAlert) => Words): string {
  if (alert.type === 'monitor.down') return withCause('Down.', alert.data.incident.cause)
  if (alert.type === 'monitor.reminder') {
    const { started_at: from, cause } = alert.data.incident
    return withCause(`Still down, for ${lengthOf(from, alert.timestamp)}.`, cause)
  }
  if (alert.type === 'monitor.up') {
    const { started_at: from, resolved_at: until } = alert.data.incident
    return until === null ? 'Up again.' : `Up again, after ${lengthOf(from, until)}.`
  }
  return wordsOf(alert).lead
}

function withCause(what: string, cause: string | null): string {
  return cause === null ? what : `${what} ${cause}`
}

function lengthOf(from: string, until: string): string {
  return durationText(Date.parse(until) - Date.parse(from))
}

const worstFirst = ['bad', 'warning', 'good', 'plain'] as const

/** That of the worst: what goes on stands first, so that it is among those that are named. */
function toneOf(tones: readonly Words['tone'][]): Words['tone'] {
  return worstFirst.find((tone) => tones.includes(tone)) ?? 'plain'
}
