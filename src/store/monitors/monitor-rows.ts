import type { Selectable } from 'kysely'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { joinOptions } from '#core/monitors/monitor-options.ts'
import type { MonitorRecord, MonitorSettings } from '#core/monitors/monitor.ts'
import type { Monitors } from '#store/database/schema.ts'
import type { Secrets } from '#store/database/secrets.ts'

/** Columns that hold fewer values than their SQL type says: checked before they were written. */
type Narrowed = Pick<MonitorSettings, 'kind' | 'method' | 'vulnerability_severity' | 'charts'> &
  Pick<MonitorRecord, 'status' | 'billing' | 'billing_period' | 'billing_state' | 'check_options'>
export type MonitorRow = Omit<Selectable<Monitors>, keyof Narrowed> & Narrowed

export type SettingsColumns = Omit<MonitorSettings, 'request_headers' | 'check_options' | 'secret_options'> & {
  request_headers: Buffer | null
  check_options: string
  secret_options: Buffer | null
}

export function toColumns(settings: MonitorSettings, secrets: Secrets): SettingsColumns {
  return {
    ...settings,
    request_headers: seal(settings.request_headers, secrets),
    check_options: JSON.stringify(settings.check_options),
    secret_options: seal(settings.secret_options, secrets),
  }
}

export function toSettings(row: MonitorRow, secrets: Secrets): MonitorSettings {
  return {
    name: row.name,
    kind: row.kind,
    url: row.url,
    method: row.method,
    interval_seconds: row.interval_seconds,
    timeout_ms: row.timeout_ms,
    locations: row.locations,
    expected_status_min: row.expected_status_min,
    expected_status_max: row.expected_status_max,
    keyword: row.keyword,
    request_headers: open<string>(row.request_headers, secrets),
    request_body: row.request_body,
    check_options: row.check_options,
    secret_options: open<unknown>(row.secret_options, secrets),
    failure_threshold: row.failure_threshold,
    recovery_threshold: row.recovery_threshold,
    confirmation_threshold: row.confirmation_threshold,
    heartbeat_grace_seconds: row.heartbeat_grace_seconds,
    expiry_alerts: row.expiry_alerts,
    vulnerability_alerts: row.vulnerability_alerts,
    vulnerability_severity: row.vulnerability_severity,
    charts: row.charts,
    alert_channel_ids: row.alert_channel_ids,
  }
}

/** The columns a check needs; the rest of a monitor never reaches a location. */
export const checkColumns = [
  'id',
  'version',
  'kind',
  'url',
  'method',
  'timeout_ms',
  'expected_status_min',
  'expected_status_max',
  'keyword',
  'request_headers',
  'request_body',
  'check_options',
  'secret_options',
] as const satisfies readonly (keyof MonitorRow)[]

export function toCheckConfiguration(
  row: Pick<MonitorRow, (typeof checkColumns)[number]>,
  secrets: Secrets,
): CheckConfiguration {
  return {
    monitorId: row.id,
    version: row.version,
    kind: row.kind,
    url: row.url ?? '',
    method: row.method,
    timeoutMs: row.timeout_ms,
    expectedStatusMin: row.expected_status_min,
    expectedStatusMax: row.expected_status_max,
    keyword: row.keyword,
    requestHeaders: open<string>(row.request_headers, secrets),
    requestBody: row.request_body,
    options: joinOptions(row.check_options, open<unknown>(row.secret_options, secrets)),
  }
}

function seal(values: Record<string, unknown>, secrets: Secrets): Buffer | null {
  return Object.keys(values).length === 0 ? null : secrets.encrypt(JSON.stringify(values))
}

/** What `seal` wrote; its authenticated encryption vouches for the shape. */
function open<Value>(sealed: Buffer | null, secrets: Secrets): Record<string, Value> {
  if (sealed === null) return {}
  const values: Record<string, Value> = JSON.parse(secrets.decrypt(sealed))
  return values
}
