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

/** Alerts that something is over: each comes after the one that told of it. */
export const endingTypes: readonly Alert['type'][] = [
  'monitor.up',
  'monitor.degraded_ended',
  'monitor.slow_ended',
  'slo.recovered',
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

export function testAlert(at: Date): TestAlert {
  return { type: 'test', timestamp: at.toISOString(), data: { monitor: null, incident: null, result: null } }
}
