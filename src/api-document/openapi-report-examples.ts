// Examples of reports in the API's documents.

const monitor = { monitor_id: '2f1e8a6c-94c5-4c7e-9a24-3a5b7c1d0e9f', monitor_name: 'Shop' }
const recipients = ['8d3f5b20-6a51-4f0e-8f3e-5b8c0d9a7e64']

const settings = {
  name: 'The shop, every week',
  period: 'weekly',
  time_zone: 'Europe/Sofia',
  weekday: 1,
  hour: 8,
  monitor_ids: null,
  tags: ['shop'],
  objective: 99.9,
  recipients,
  enabled: true,
}

const id = '6c1b9c0e-0f5b-4f4b-8a55-6a1b8f7b2d10'

export const reportExamples = {
  Report: {
    id,
    ...settings,
    next_at: '2026-11-30T06:00:00.000Z',
    last_sent_at: '2026-11-23T06:00:12.000Z',
    last_period: '2026-W47',
    created_at: '2026-11-02T09:30:00.000Z',
  },
  ReportInput: {
    name: settings.name,
    period: 'weekly',
    time_zone: 'Europe/Sofia',
    tags: ['shop'],
    recipients,
  },
  ReportChange: { objective: 99.95 },
  ReportContent: {
    report: { id, name: settings.name },
    workspace: 'Acme',
    period: {
      key: '2026-W47',
      type: 'weekly',
      time_zone: 'Europe/Sofia',
      first_day: '2026-11-16',
      last_day: '2026-11-22',
      starts_at: '2026-11-15T22:00:00.000Z',
      ends_at: '2026-11-22T22:00:00.000Z',
      previous_key: '2026-W46',
      next_key: null,
    },
    generated_at: '2026-11-23T06:00:12.000Z',
    objective: 99.9,
    totals: { uptime: 99.851, met: false, downtime_seconds: 900, incidents: 1 },
    previous: { uptime: 100, downtime_seconds: 0, incidents: 0 },
    monitor_count: 1,
    missed_count: 1,
    monitors: [
      {
        id: monitor.monitor_id,
        name: 'Shop',
        uptime: 99.851,
        met: false,
        previous_uptime: 100,
        downtime_seconds: 900,
        incidents: 1,
        measured_since: null,
      },
    ],
    acknowledged_count: 1,
    mean_seconds_to_acknowledge: 240,
    mean_seconds_to_recover: 900,
    incidents: [
      {
        id: '0b6f2f0a-6c1a-4f45-8d0b-8a1e5d9c7b33',
        ...monitor,
        cause: 'The connection was refused.',
        started_at: '2026-11-18T09:15:00.000Z',
        resolved_at: '2026-11-18T09:30:00.000Z',
        downtime_seconds: 900,
      },
    ],
    slowest: [
      {
        id: monitor.monitor_id,
        name: 'Shop',
        latency_ms: 182,
        p95_ms: 410,
        previous_latency_ms: 175,
        previous_p95_ms: 395,
      },
    ],
    expiring_count: 1,
    expiring: [{ ...monitor, subject: 'certificate', name: 'shop.example', expires_at: '2026-12-11T00:00:00.000Z' }],
    findings: {
      open: 1,
      exploited: 0,
      critical: 0,
      high: 1,
      medium: 0,
      low: 0,
      unrated: 0,
      new: 1,
      newest: [{ ...monitor, vuln_id: 'CVE-2021-23017', severity: 'high', software: 'nginx', version: '1.18.0' }],
    },
    exposures: { open: 0, closed: 1, proved: 1, median_seconds: 93600 },
    notes: [],
  },
}
