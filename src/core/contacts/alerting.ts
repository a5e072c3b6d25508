import type { KindName } from '#core/monitors/kind-traits.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { AlarmReason } from '#core/objectives/alarm.ts'
import type { ResultStatus } from '#core/results/result.ts'
import type { Comparison } from '#core/software/comparison.ts'
import type { Finding } from '#core/software/vulnerability.ts'
import type { AlertEvent } from './alert-rules.ts'

export const alertTypes = [
  'monitor.down',
  'monitor.up',
  'monitor.reminder',
  'monitor.degraded',
  'monitor.degraded_ended',
  'monitor.slow',
  'monitor.slow_ended',
  'domain.expiring',
  'certificate.expiring',
  'vulnerability.found',
  'end_of_life.reached',
  'slo.burning',
  'slo.recovered',
  'test',
] as const
export type AlertType = (typeof alertTypes)[number]

/** Null for a test, which is sent whatever was chosen. */
export function eventOf(type: AlertType): AlertEvent | null {
  switch (type) {
    case 'monitor.down':
    case 'monitor.reminder':
      return 'down'
    case 'monitor.up':
      return 'up'
    case 'monitor.degraded':
    case 'monitor.degraded_ended':
      return 'degraded'
    case 'monitor.slow':
    case 'monitor.slow_ended':
      return 'slow'
    case 'domain.expiring':
    case 'certificate.expiring':
      return 'expiry'
    case 'vulnerability.found':
    case 'end_of_life.reached':
      return 'findings'
    case 'slo.burning':
    case 'slo.recovered':
      return 'slo'
    case 'test':
      return null
  }
}

export type AlertMonitor = {
  id: string
  name: string
  kind: KindName
  url: string | null
  current_status: CurrentStatus
}

export type AlertIncident = {
  id: string
  status: 'open' | 'acknowledged' | 'resolved'
  title: string
  cause: string | null
  started_at: string
  resolved_at: string | null
}

export type AlertResult = {
  status_code: number | null
  latency_ms: number | null
  location_code: string
  error: string | null
  status: ResultStatus
}

/** Monitors that depend on the one of the alert, also by way of others: how many run, and the first 20 names. */
export type AlertChildren = { total: number; names: string[] }

type Of<Type extends AlertType, Data> = { type: Type; timestamp: string; data: Data }

export type StatusAlert = Of<
  'monitor.down' | 'monitor.up' | 'monitor.reminder',
  {
    monitor: AlertMonitor
    incident: AlertIncident
    result: AlertResult
    /** Of an outage; left out where no monitor depends on the one that is down. */
    children?: AlertChildren
  } & Closed
>

/**
 * Of an end that is no recovery: why, in a sentence. Only contacts whose kind keeps alerts of its own get such an end
 * (`keepsState`), so webhooks never have it.
 */
type Closed = { closed?: string }

/** `started_at` is the time of the first round that was so, `ended_at` null while the episode runs. */
export type AlertEpisode = { id: string; started_at: string; ended_at: string | null }
export type DegradedAlert = Of<
  'monitor.degraded' | 'monitor.degraded_ended',
  { monitor: AlertMonitor; incident: null; result: AlertResult; episode: AlertEpisode } & Closed
>

/** Of the round that made the alert: the mean of its locations, what is usual, and from when on it is slow. */
export type AlertResponse = { measured_ms: number; usual_ms: number; slow_from_ms: number }
export type SlowAlert = Of<
  'monitor.slow' | 'monitor.slow_ended',
  DegradedAlert['data'] & { response_time: AlertResponse }
>
export type EpisodeAlert = DegradedAlert | SlowAlert

/** Alerts that something is over: each comes after the one that told of it. */
export const endingTypes: readonly Alert['type'][] = [
  'monitor.up',
  'monitor.degraded_ended',
  'monitor.slow_ended',
  'slo.recovered',
]

/** `days_left` counts from `timestamp`; `seen_at` is when the service last read the end. */
type Ends = {
  monitor: AlertMonitor
  incident: null
  result: null
  expires_at: string
  days_left: number
  seen_at: string
}
export type DomainAlert = Of<'domain.expiring', Ends & { domain_name: string }>
export type CertificateAlert = Of<'certificate.expiring', Ends & { cert_host: string; cert_issuer: string | null }>

/**
 * `findings` has the most severe of `total` new ones. An alert with both kinds of findings is a `vulnerability.found`.
 * Alerts that an earlier release enqueued do not say what the software was compared with.
 */
export type FindingAlert = Of<
  'vulnerability.found' | 'end_of_life.reached',
  { monitor: AlertMonitor; incident: null; result: null; findings: Finding[]; total: number } & Partial<Comparison>
>

/**
 * A service level objective: `attained` and `objective` in percent, what is left of its budget, and how fast it burned
 * within the last `burn_seconds`. `ends_at` is when it is used up at the rate of the last 24 hours.
 */
export type AlertSlo = {
  id: string
  name: string
  objective: number
  window_days: number
  reason: AlarmReason | null
  attained: number | null
  budget_left_seconds: number
  budget_left_percent: number
  burn_rate: number | null
  burn_seconds: number | null
  ends_at: string | null
}
export type SloAlert = Of<
  'slo.burning' | 'slo.recovered',
  { monitor: null; incident: null; result: null; slo: AlertSlo; episode: AlertEpisode }
>

export type TestAlert = Of<'test', { monitor: null; incident: null; result: null }>

/** What one occasion makes. */
export type SingleAlert =
  | StatusAlert
  | EpisodeAlert
  | DomainAlert
  | CertificateAlert
  | FindingAlert
  | SloAlert
  | TestAlert

/**
 * Alerts that leave as one message. Of each incident and each episode only the last one counts and is told: its end tells
 * its beginning too. `alerts` has the first of `total`, what goes on before what is over.
 */
export type BundleAlert = {
  type: typeof bundleType
  timestamp: string
  data: {
    monitor: null
    incident: null
    result: null
    total: number
    /** Incidents that go on. */
    down: number
    /** Incidents that are over. */
    up: number
    alerts: SingleAlert[]
  }
}
export const bundleType = 'alerts.bundle'

/** The content of an alert, which is also the body of a webhook. Timestamps are ISO 8601. */
export type Alert = SingleAlert | BundleAlert

/**
 * The body of a webhook stays below 20 kB, which every receiver accepts: five texts of this length fit, at three bytes
 * a character (docs/decisions/alerts-and-contacts.md).
 */
const maxTextLength = 1000

/**
 * An alert as it leaves the service: addresses have no user, password, query or fragment, and texts are single lines of
 * limited length. The members are put into their usual order, which the database does not keep.
 */
export function toPublicAlert(alert: Alert): Alert {
  return alert.type === bundleType ? publicBundle(alert) : publicSingle(alert)
}

function publicBundle({ type, timestamp, data: { total, down, up, alerts } }: BundleAlert): BundleAlert {
  const counts = { monitor: null, incident: null, result: null, total, down, up }
  return { type, timestamp, data: { ...counts, alerts: fitting(alerts.map(publicSingle)) } }
}

/** As `toPublicAlert`. */
export function publicSingle(alert: SingleAlert): SingleAlert {
  const { timestamp } = alert
  switch (alert.type) {
    case 'monitor.down':
    case 'monitor.up':
    case 'monitor.reminder': {
      const { monitor, incident, result, children } = alert.data
      const data = {
        monitor: publicMonitor(monitor),
        incident: publicIncident(incident),
        result: publicResult(result),
        ...(children === undefined ? {} : { children: publicChildren(children) }),
        ...publicClosed(alert.data),
      }
      return { type: alert.type, timestamp, data }
    }
    case 'monitor.degraded':
    case 'monitor.degraded_ended':
      return { type: alert.type, timestamp, data: publicEpisodeData(alert.data) }
    case 'monitor.slow':
    case 'monitor.slow_ended': {
      const { measured_ms, usual_ms, slow_from_ms } = alert.data.response_time
      const data = { ...publicEpisodeData(alert.data), response_time: { measured_ms, usual_ms, slow_from_ms } }
      return { type: alert.type, timestamp, data }
    }
    case 'domain.expiring':
      return {
        type: alert.type,
        timestamp,
        data: { ...publicEnds(alert.data), domain_name: oneLine(alert.data.domain_name) },
      }
    case 'certificate.expiring': {
      const { cert_host: host, cert_issuer: issuer } = alert.data
      const shown = { cert_host: oneLine(host), cert_issuer: issuer && oneLine(issuer) }
      return { type: alert.type, timestamp, data: { ...publicEnds(alert.data), ...shown } }
    }
    case 'vulnerability.found':
    case 'end_of_life.reached': {
      const { findings, total, comparison, compared, entries_to_compare: waiting } = alert.data
      const monitor = publicMonitor(alert.data.monitor)
      const told = {
        ...(comparison === undefined || compared === undefined ? {} : { comparison, compared }),
        ...(waiting === undefined ? {} : { entries_to_compare: waiting }),
      }
      const data = { monitor, incident: null, result: null, findings: publicFindings(findings), total, ...told }
      return { type: alert.type, timestamp, data }
    }
    case 'slo.burning':
    case 'slo.recovered':
      return { type: alert.type, timestamp, data: publicSloData(alert.data) }
    case 'test':
      return { type: alert.type, timestamp, data: { monitor: null, incident: null, result: null } }
  }
}

/** The alerts of a bundle that fit into its body, together with what else it has. */
const maxBundledBytes = 19_000

function fitting(alerts: readonly SingleAlert[]): SingleAlert[] {
  const encoder = new TextEncoder()
  let room = maxBundledBytes
  return alerts.filter((alert) => {
    const bytes = encoder.encode(JSON.stringify(alert)).length + 1
    if (bytes > room) return false
    room -= bytes
    return true
  })
}

function publicMonitor({ id, name, kind, url, current_status }: AlertMonitor): AlertMonitor {
  return { id, name: oneLine(name), kind, url: url && toPublicUrl(url), current_status }
}

function publicIncident({ id, status, title, cause, started_at, resolved_at }: AlertIncident): AlertIncident {
  return { id, status, title: oneLine(title), cause: cause && oneLine(cause), started_at, resolved_at }
}

function publicResult({ status, status_code, latency_ms, location_code, error }: AlertResult): AlertResult {
  return { status, status_code, latency_ms, location_code, error: error && oneLine(error) }
}

/** Names are cut so that all of them leave room within a webhook's 20 kB for the other texts. */
const maxChildName = 50

function publicChildren({ total, names }: AlertChildren): AlertChildren {
  return { total, names: names.map((name) => oneLine(name, maxChildName)) }
}

function publicEpisodeData(told: DegradedAlert['data']): DegradedAlert['data'] {
  const { id, started_at, ended_at } = told.episode
  const of = { monitor: publicMonitor(told.monitor), incident: null, result: publicResult(told.result) }
  return { ...of, episode: { id, started_at, ended_at }, ...publicClosed(told) }
}

function publicClosed({ closed }: Closed): Closed {
  return closed === undefined ? {} : { closed: oneLine(closed) }
}

function publicSloData({ slo, episode }: SloAlert['data']): SloAlert['data'] {
  const { id, name, objective, window_days, reason, attained, burn_rate, burn_seconds, ends_at } = slo
  const { budget_left_seconds, budget_left_percent } = slo
  const left = { budget_left_seconds, budget_left_percent }
  const told = { id, name: oneLine(name), objective, window_days, reason, attained, ...left, burn_rate, burn_seconds }
  const { id: episodeId, started_at, ended_at } = episode
  const of = { monitor: null, incident: null, result: null, slo: { ...told, ends_at } }
  return { ...of, episode: { id: episodeId, started_at, ended_at } }
}

function publicEnds({ monitor, expires_at, days_left, seen_at }: Ends): Ends {
  return { monitor: publicMonitor(monitor), incident: null, result: null, expires_at, days_left, seen_at }
}

/**
 * Limit of all findings together in bytes; it leaves room within the 20 kB of a webhook's body for the monitor's texts
 * and what the software was compared with.
 */
const maxFindingsBytes = 13_500
const maxFindingText = 200

/** The first findings whose shortened texts fit into `maxFindingsBytes`. */
function publicFindings(findings: readonly Finding[]): Finding[] {
  const shown: Finding[] = []
  let bytes = 0
  for (const finding of findings.map(publicFinding)) {
    bytes += new TextEncoder().encode(JSON.stringify(finding)).length
    if (bytes > maxFindingsBytes) break
    shown.push(finding)
  }
  return shown
}

function publicFinding(finding: Finding): Finding {
  const { url, version, summary, fixed_in: fixedIn, fix_version: fixVersion } = finding
  return {
    id: finding.id,
    vuln_id: short(finding.vuln_id),
    aliases: finding.aliases.slice(0, 5).map(short),
    kind: finding.kind,
    product: short(finding.product),
    software_name: short(finding.software_name),
    version: version && short(version),
    version_known: finding.version_known,
    summary: summary && short(summary),
    severity: finding.severity,
    score: finding.score,
    fixed_in: fixedIn && short(fixedIn),
    fix_version: fixVersion && short(fixVersion),
    marked_fixed_version: finding.marked_fixed_version && short(finding.marked_fixed_version),
    url: url === null || url.length > maxFindingText ? null : oneLine(url),
    source: finding.source,
    published_at: finding.published_at,
    exploited_on: finding.exploited_on,
    alerted_at: finding.alerted_at,
  }
}

function short(text: string): string {
  return oneLine(text, maxFindingText)
}

/**
 * A target without user, password, query and fragment, which may hold secrets. A target need not be a URL: `host:port`
 * and a bare host stay as they are.
 */
export function toPublicUrl(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1)
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(address) ?? []
  const end = rest.search(/[/\\]/)
  const authority = end === -1 ? rest : rest.slice(0, end)
  return oneLine(`${scheme}${authority.slice(authority.lastIndexOf('@') + 1)}${rest.slice(authority.length)}`)
}

/**
 * Removes line breaks, other control characters and marks that turn the direction of writing, because they could
 * disguise a message, and cuts a long text.
 */
export function oneLine(text: string, maxLength = maxTextLength): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

export function testAlert(at: Date): TestAlert {
  return { type: 'test', timestamp: at.toISOString(), data: { monitor: null, incident: null, result: null } }
}
