import type { MonitorSettings } from '#core/monitors/monitor.ts'

/** A monitor's settings as a create with defaults makes them, with two headers. */
export function testSettings(changes: Partial<MonitorSettings> = {}): MonitorSettings {
  return {
    name: 'Shop',
    kind: 'http',
    url: 'https://example.com/',
    method: 'GET',
    interval_seconds: 300,
    timeout_ms: 10_000,
    locations: ['a'],
    expected_status_min: 200,
    expected_status_max: 399,
    keyword: null,
    request_headers: { a: '1', b: '2' },
    request_body: null,
    check_options: {},
    secret_options: {},
    failure_threshold: 1,
    recovery_threshold: 2,
    confirmation_threshold: 1,
    heartbeat_grace_seconds: null,
    expiry_alerts: true,
    vulnerability_alerts: false,
    vulnerability_severity: 'low',
    charts: 'both',
    alert_channel_ids: null,
    ...changes,
  }
}
