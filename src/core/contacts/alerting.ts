import type { KindName } from '#core/monitors/kind-traits.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { AlarmReason } from '#core/objectives/alarm.ts'
import type { ResultStatus } from '#core/results/result.ts'
import type { Comparison } from '#core/software/comparison.ts'
import type { Exposure } from '#core/software/exposure.ts'
import type { Finding } from '#core/software/vulnerability.ts'
import type { AlertEvent } from './alert-events.ts'

export const alertTypes = [
  'monitor.down',
  'monitor.up',
  'monitor.reminder',
  'monitor.degraded',
  'monitor.degraded_ended',
  'monitor.slow',
  'monitor.slow_ended',
  'monitor.unstable',
  'monitor.unstable_ended',
  'domain.expiring',
  'certificate.expiring',
  'vulnerability.found',
  'end_of_life.reached',
  'exposure.reminder',
  'exposure.ended',
  'slo.burning',
  'slo.recovered',
  'maintenance.started',
  'maintenance.ended',
  'test',
] as const
export type AlertType = (typeof alertTypes)[number]

/** Null for a test, which is sent whatever was chosen. */
export function eventOf(type: AlertType): AlertEvent | null {
  switch (type) {
    case 'monitor.down':
    case 'monitor.reminder':
    case 'monitor.unstable':
      return 'down'
    case 'monitor.up':
    case 'monitor.unstable_ended':
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
    case 'exposure.reminder':
    case 'exposure.ended':
      return 'findings'
    case 'slo.burning':
    case 'slo.recovered':
      return 'slo'
    case 'maintenance.started':
    case 'maintenance.ended':
      return 'maintenance'
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
  /** As they are when the alert leaves; left out where there are none, and of what is over. */
  notes?: string
  runbook_url?: string
}

export type AlertIncident = {
  id: string
  status: 'open' | 'acknowledged' | 'resolved'
  title: string
  cause: string | null
  started_at: string
  resolved_at: string | null
  /** Of one that a person or a program made; left out of others. */
  by_hand?: true
}

export type AlertResult = {
  status_code: number | null
  latency_ms: number | null
  location_code: string
  error: string | null
  status: ResultStatus
}

/** How many monitors there are, and the names of the first 20. */
export type MonitorNames = { total: number; names: string[] }

/** Monitors that depend on the one of the alert, also by way of others, and run. */
export type AlertChildren = MonitorNames

type Of<Type extends AlertType, Data> = { type: Type; timestamp: string; data: Data }

export type StatusAlert = Of<
  'monitor.down' | 'monitor.up' | 'monitor.reminder',
  {
    monitor: AlertMonitor
    incident: AlertIncident
    /** Null of an incident that was made by hand: no check has found it. */
    result: AlertResult | null
    /** Of an outage; left out where no monitor depends on the one that is down. */
    children?: AlertChildren
  } & Closed
>

/**
 * Of an end that is no recovery: why, in a sentence. Only contacts whose kind keeps alerts of its own get such an end
 * (`keepsState`), so webhooks never have it.
 */
export type Closed = { closed?: string }

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

/**
 * A monitor that keeps going down and coming back: `changes` beginnings and ends of outages within `within_minutes`, the
 * first of them at the start of the episode. It ends once the monitor was up for as long.
 */
export type UnstableAlert = Of<
  'monitor.unstable' | 'monitor.unstable_ended',
  {
    monitor: AlertMonitor
    incident: null
    result: null
    episode: AlertEpisode
    changes: number
    within_minutes: number
  } & Closed
>

/** Alerts that something is over: each comes after the one that told of it. */
export const endingTypes: readonly Alert['type'][] = [
  'monitor.up',
  'monitor.degraded_ended',
  'monitor.slow_ended',
  'monitor.unstable_ended',
  'slo.recovered',
  'maintenance.ended',
]

/** `days_left` counts from `timestamp`; `seen_at` is when the service last read the end. */
export type Ends = {
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

/** `closed_at`, `outcome` and `last_version` are null while it goes on. */
export type AlertExposure = Pick<
  Exposure,
  | 'id'
  | 'vuln_id'
  | 'severity'
  | 'software_name'
  | 'version'
  | 'fix_version'
  | 'opened_at'
  | 'closed_at'
  | 'outcome'
  | 'last_version'
>

/**
 * Vulnerabilities of a monitor that are known to be exploited: those that go on, told once a week, or those that ended.
 * `exposures` has the oldest of `total`.
 */
export type ExposureAlert = Of<
  'exposure.reminder' | 'exposure.ended',
  { monitor: AlertMonitor; incident: null; result: null; exposures: AlertExposure[]; total: number }
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

/** Planned maintenance. `monitors` are those that it covers and that its contact is alerted of. */
export type AlertMaintenance = {
  id: string
  name: string
  starts_at: string
  /** As it is planned, and once it is over as it was. */
  ends_at: string
  monitors: MonitorNames
}
export type MaintenanceAlert = Of<
  'maintenance.started' | 'maintenance.ended',
  { monitor: null; incident: null; result: null; maintenance: AlertMaintenance; episode: AlertEpisode }
>

export type TestAlert = Of<'test', { monitor: null; incident: null; result: null }>

/** What one occasion makes. */
export type SingleAlert =
  | StatusAlert
  | EpisodeAlert
  | UnstableAlert
  | DomainAlert
  | CertificateAlert
  | FindingAlert
  | ExposureAlert
  | SloAlert
  | MaintenanceAlert
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

export function testAlert(at: Date): TestAlert {
  return { type: 'test', timestamp: at.toISOString(), data: { monitor: null, incident: null, result: null } }
}
