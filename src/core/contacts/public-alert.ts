// Alerts as they leave the service.
import type { Finding } from '#core/software/vulnerability.ts'
import { oneLine, someLines, toPublicUrl } from '#core/language/one-line.ts'
import {
  bundleType,
  type Alert,
  type AlertExposure,
  type AlertIncident,
  type AlertMonitor,
  type AlertResult,
  type BundleAlert,
  type Closed,
  type DegradedAlert,
  type Ends,
  type ExposureAlert,
  type FindingAlert,
  type MaintenanceAlert,
  type MonitorNames,
  type SingleAlert,
  type SloAlert,
  type UnstableAlert,
} from './alerting.ts'

/**
 * An alert as it leaves the service: addresses have no user, password, query or fragment, and texts are single lines of
 * limited length. The members are put into their usual order, which the database does not keep.
 */
export function toPublicAlert(alert: Alert): Alert {
  return alert.type === bundleType ? publicBundle(alert) : withinBody(publicSingle(alert))
}

/** What a webhook takes together with an address that acknowledges. */
const maxBodyBytes = 19_500

/** What a monitor's owners wrote is left out where all else of the alert is so long that it would not have room. */
function withinBody(alert: SingleAlert): SingleAlert {
  const { monitor } = alert.data
  if (monitor === null || (monitor.notes === undefined && monitor.runbook_url === undefined)) return alert
  if (new TextEncoder().encode(JSON.stringify(alert)).length <= maxBodyBytes) return alert
  const { notes, runbook_url: runbookUrl, ...rest } = monitor
  const kept = notes === undefined || runbookUrl === undefined ? rest : { ...rest, runbook_url: runbookUrl }
  return withinBody(withMonitor(alert, kept))
}

/** The alert with what else is to be told of its monitor; one of no monitor stays as it is. */
export function withMonitor<Told extends SingleAlert>(alert: Told, monitor: AlertMonitor): Told {
  return alert.data.monitor === null ? alert : { ...alert, data: { ...alert.data, monitor } }
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
        result: result && publicResult(result),
        ...(children === undefined ? {} : { children: publicNames(children) }),
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
    case 'monitor.unstable':
    case 'monitor.unstable_ended':
      return { type: alert.type, timestamp, data: publicUnstableData(alert.data) }
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
    case 'end_of_life.reached':
      return { type: alert.type, timestamp, data: publicFindingData(alert.data) }
    case 'exposure.reminder':
    case 'exposure.ended':
      return { type: alert.type, timestamp, data: publicExposureData(alert.data) }
    case 'slo.burning':
    case 'slo.recovered':
      return { type: alert.type, timestamp, data: publicSloData(alert.data) }
    case 'maintenance.started':
    case 'maintenance.ended':
      return { type: alert.type, timestamp, data: publicMaintenanceData(alert.data) }
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

/** The beginning of the notes, so that a webhook with them stays within its 20 kB. */
const maxNotesBytes = 1500

function publicMonitor({ id, name, kind, url, current_status, notes, runbook_url }: AlertMonitor): AlertMonitor {
  return {
    id,
    name: oneLine(name),
    kind,
    url: url && toPublicUrl(url),
    current_status,
    ...(notes === undefined ? {} : { notes: someLines(notes, maxNotesBytes) }),
    ...(runbook_url === undefined ? {} : { runbook_url }),
  }
}

function publicIncident({ id, status, title, cause, started_at, resolved_at, by_hand }: AlertIncident): AlertIncident {
  const shown = { id, status, title: oneLine(title), cause: cause && oneLine(cause), started_at, resolved_at }
  return by_hand === undefined ? shown : { ...shown, by_hand }
}

function publicResult({ status, status_code, latency_ms, location_code, error }: AlertResult): AlertResult {
  return { status, status_code, latency_ms, location_code, error: error && oneLine(error) }
}

/** Names are cut so that all of them leave room within a webhook's 20 kB for the other texts. */
const maxNameLength = 50

function publicNames({ total, names }: MonitorNames): MonitorNames {
  return { total, names: names.map((name) => oneLine(name, maxNameLength)) }
}

function publicEpisodeData(told: DegradedAlert['data']): DegradedAlert['data'] {
  const { id, started_at, ended_at } = told.episode
  const of = { monitor: publicMonitor(told.monitor), incident: null, result: publicResult(told.result) }
  return { ...of, episode: { id, started_at, ended_at }, ...publicClosed(told) }
}

function publicUnstableData(told: UnstableAlert['data']): UnstableAlert['data'] {
  const { id, started_at, ended_at } = told.episode
  const { changes, within_minutes } = told
  const of = { monitor: publicMonitor(told.monitor), incident: null, result: null }
  return { ...of, episode: { id, started_at, ended_at }, changes, within_minutes, ...publicClosed(told) }
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

function publicMaintenanceData({ maintenance, episode }: MaintenanceAlert['data']): MaintenanceAlert['data'] {
  const { id, name, starts_at, ends_at, monitors } = maintenance
  const { id: episodeId, started_at, ended_at } = episode
  const told = { id, name: oneLine(name), starts_at, ends_at, monitors: publicNames(monitors) }
  const of = { monitor: null, incident: null, result: null, maintenance: told }
  return { ...of, episode: { id: episodeId, started_at, ended_at } }
}

function publicEnds({ monitor, expires_at, days_left, seen_at }: Ends): Ends {
  return { monitor: publicMonitor(monitor), incident: null, result: null, expires_at, days_left, seen_at }
}

function publicFindingData(told: FindingAlert['data']): FindingAlert['data'] {
  const { findings, total, comparison, compared, entries_to_compare: waiting } = told
  return {
    monitor: publicMonitor(told.monitor),
    incident: null,
    result: null,
    findings: withinFindings(findings.map(publicFinding)),
    total,
    ...(comparison === undefined || compared === undefined ? {} : { comparison, compared }),
    ...(waiting === undefined ? {} : { entries_to_compare: waiting }),
  }
}

/**
 * Limit of all findings together in bytes; it leaves room within the 20 kB of a webhook's body for the monitor's texts
 * and what the software was compared with.
 */
const maxFindingsBytes = 13_500
const maxFindingText = 200

/** The first ones, whose texts are shortened already, that fit into `maxFindingsBytes`. */
function withinFindings<Told>(findings: readonly Told[]): Told[] {
  const encoder = new TextEncoder()
  let bytes = 0
  const end = findings.findIndex((finding) => {
    bytes += encoder.encode(JSON.stringify(finding)).length
    return bytes > maxFindingsBytes
  })
  return end === -1 ? [...findings] : findings.slice(0, end)
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

function publicExposureData({ monitor, exposures, total }: ExposureAlert['data']): ExposureAlert['data'] {
  const shown = withinFindings(exposures.map(publicExposure))
  return { monitor: publicMonitor(monitor), incident: null, result: null, exposures: shown, total }
}

function publicExposure(exposure: AlertExposure): AlertExposure {
  const { fix_version: fixVersion, last_version: lastVersion } = exposure
  return {
    id: exposure.id,
    vuln_id: short(exposure.vuln_id),
    severity: exposure.severity,
    software_name: short(exposure.software_name),
    version: short(exposure.version),
    fix_version: fixVersion && short(fixVersion),
    opened_at: exposure.opened_at,
    closed_at: exposure.closed_at,
    outcome: exposure.outcome,
    last_version: lastVersion && short(lastVersion),
  }
}

function short(text: string): string {
  return oneLine(text, maxFindingText)
}
