// Rows that alert tests stand on.
import { randomUUID } from 'node:crypto'
import type {
  AlertExposure,
  AlertMonitor,
  AlertResult,
  AlertSlo,
  AlertType,
  BundleAlert,
  DegradedAlert,
  ExposureAlert,
  FindingAlert,
  MaintenanceAlert,
  SloAlert,
  SingleAlert,
  SlowAlert,
  StatusAlert,
  UnstableAlert,
} from '#core/contacts/alerting.ts'
import type { Finding } from '#core/software/vulnerability.ts'
import type { Database } from '#store/database/database.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'

export async function addWorkspace(database: Database): Promise<string> {
  const id = randomUUID()
  await database.query.insertInto('workspaces').values({ id, name: 'Alert tests', plan: 'pro' }).execute()
  return id
}

export async function addMonitor(
  database: Database,
  monitor: { workspaceId: string; name?: string; contactIds?: string[] | null },
): Promise<string> {
  const id = randomUUID()
  await database.query
    .insertInto('monitors')
    .values({
      id,
      workspace_id: monitor.workspaceId,
      partition: 0,
      name: monitor.name ?? 'Shop API',
      kind: 'http',
      url: 'https://user:secret@shop.example/health?token=1',
      method: 'GET',
      interval_seconds: 60,
      timeout_ms: 10_000,
      locations: ['local'],
      expected_status_min: 200,
      expected_status_max: 399,
      failure_threshold: 1,
      recovery_threshold: 1,
      confirmation_threshold: 1,
      expiry_alerts: true,
      vulnerability_alerts: false,
      vulnerability_severity: 'low',
      charts: 'both',
      alert_channel_ids: monitor.contactIds ?? null,
      billing: 'plan',
    })
    .execute()
  return id
}

export async function addContact(
  database: Database,
  contact: {
    workspaceId: string
    kind?: string
    name?: string
    destination?: string
    enabled?: boolean
    confirmed?: boolean
    id?: string
    signingSecret?: Buffer
    options?: Record<string, unknown>
    sealedOptions?: Buffer | null
  },
): Promise<string> {
  const id = contact.id ?? randomUUID()
  await database.query
    .insertInto('alert_channels')
    .values({
      id,
      workspace_id: contact.workspaceId,
      name: contact.name ?? 'Operations',
      kind: contact.kind ?? 'webhook',
      destination: contact.destination ?? 'https://alerts.example/in',
      enabled: contact.enabled ?? true,
      confirmed: contact.confirmed ?? true,
      signing_secret: contact.signingSecret ?? null,
      options: JSON.stringify(contact.options ?? {}),
      secret_options: contact.sealedOptions ?? null,
    })
    .execute()
  return id
}

/** An incident of the monitor with its down alert, as the engine writes them. */
export async function addDownAlert(
  database: Database,
  { workspaceId, monitorId }: { workspaceId: string; monitorId: string },
): Promise<{ incidentId: string }> {
  const incidentId = randomUUID()
  const at = new Date()
  await database.transaction(async (transaction) => {
    await transaction.query
      .insertInto('incidents')
      .values({
        id: incidentId,
        workspace_id: workspaceId,
        monitor_id: monitorId,
        monitor_name: 'Shop API',
        status: 'open',
        title: 'Shop API is down',
        cause: 'The server answered 503.',
        started_at: at,
      })
      .execute()
    const alert = alertOf('monitor.down', { monitorId, incidentId })
    await enqueueAlerts(transaction, [{ workspaceId, monitorId, incidentId, alert, at }])
  })
  return { incidentId }
}

/** The incident resolves four minutes after it began. */
export async function addRecovery(
  database: Database,
  { workspaceId, monitorId, incidentId }: { workspaceId: string; monitorId: string; incidentId: string },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query
      .updateTable('incidents')
      .set({ status: 'resolved', resolved_at: new Date() })
      .where('id', '=', incidentId)
      .execute()
    const alert = alertOf('monitor.up', { monitorId, incidentId })
    await enqueueAlerts(transaction, [{ workspaceId, monitorId, incidentId, alert, at: new Date() }])
  })
}

type Named = { monitorId?: string; incidentId?: string; name?: string }

/** As a check has found it. */
export type FoundAlert = StatusAlert & { data: { result: AlertResult } }

export function statusAlertOf(type: StatusAlert['type'], of: Named = {}): FoundAlert {
  const isUp = type === 'monitor.up'
  const name = of.name ?? 'Shop API'
  return {
    type,
    timestamp,
    data: {
      monitor: { ...monitorOf(of), current_status: isUp ? 'up' : 'down' },
      incident: {
        id: of.incidentId ?? '6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22',
        status: isUp ? 'resolved' : 'open',
        title: `${name} is down`,
        cause: 'The server answered 503.',
        started_at: '2026-11-21T10:00:00.000Z',
        resolved_at: isUp ? '2026-11-21T10:04:00.000Z' : null,
      },
      result: {
        status: isUp ? 'up' : 'down',
        status_code: isUp ? 200 : 503,
        latency_ms: 87,
        location_code: 'fra',
        error: isUp ? null : 'The server answered 503.',
      },
    },
  }
}

export function degradedAlertOf(type: DegradedAlert['type'], of: Named = {}): DegradedAlert {
  const isOver = type === 'monitor.degraded_ended'
  const status = isOver ? 'up' : 'degraded'
  return {
    type,
    timestamp,
    data: {
      monitor: { ...monitorOf(of), current_status: status },
      incident: null,
      result: {
        status,
        status_code: 200,
        latency_ms: isOver ? 87 : 2317,
        location_code: 'fra',
        error: isOver ? null : 'Took 2317 ms, more than 2000 ms.',
      },
      episode: {
        id: '9f2d6c1e-1b7a-4c0d-8d55-2f1f7d8b9a33',
        started_at: '2026-11-21T10:00:00.000Z',
        ended_at: isOver ? timestamp : null,
      },
    },
  }
}

export function slowAlertOf(type: SlowAlert['type'], of: Named = {}): SlowAlert {
  const isOver = type === 'monitor.slow_ended'
  const { data } = degradedAlertOf(isOver ? 'monitor.degraded_ended' : 'monitor.degraded', of)
  const monitor = { ...data.monitor, current_status: 'up' as const }
  const result = { ...data.result, status: 'up' as const, error: null }
  const response = { measured_ms: result.latency_ms ?? 0, usual_ms: 206, slow_from_ms: 618 }
  return { type, timestamp, data: { ...data, monitor, result, response_time: response } }
}

export function unstableAlertOf(type: UnstableAlert['type'], of: Named = {}): UnstableAlert {
  const isOver = type === 'monitor.unstable_ended'
  const { monitor, episode } = degradedAlertOf(isOver ? 'monitor.degraded_ended' : 'monitor.degraded', of).data
  const data = { monitor: { ...monitor, current_status: isOver ? ('up' as const) : ('down' as const) }, episode }
  return { type, timestamp, data: { ...data, incident: null, result: null, changes: 5, within_minutes: 20 } }
}

export function sloAlertOf(type: SloAlert['type'], of: Named = {}, change: Partial<AlertSlo> = {}): SloAlert {
  const isOver = type === 'slo.recovered'
  const none = { monitor: null, incident: null, result: null }
  const burning = { reason: 'burning', burn_rate: 20, burn_seconds: 3600, ends_at: '2026-11-22T10:00:00.000Z' } as const
  return {
    type,
    timestamp,
    data: {
      ...none,
      slo: {
        id: '5b9e8d5e-3f0a-4d3c-9c4e-0d5c55f2f6a1',
        name: of.name ?? 'Checkout',
        objective: 99.9,
        window_days: 30,
        attained: 99.94,
        budget_left_seconds: 1555,
        budget_left_percent: 60,
        ...(isOver ? { reason: null, burn_rate: null, burn_seconds: null, ends_at: null } : burning),
        ...change,
      },
      episode: {
        id: '8c5f1f63-8a1b-4f0e-b6a0-2f6d3a7b9c02',
        started_at: '2026-11-21T09:30:00.000Z',
        ended_at: isOver ? timestamp : null,
      },
    },
  }
}

export function maintenanceAlertOf(type: MaintenanceAlert['type'], of: Named = {}): MaintenanceAlert {
  const startsAt = '2026-11-21T10:00:00.000Z'
  const isOver = type === 'maintenance.ended'
  return {
    type,
    timestamp: isOver ? timestamp : startsAt,
    data: {
      monitor: null,
      incident: null,
      result: null,
      maintenance: {
        id: '2f6a0a5b-6a0e-4c5e-9c55-0d7b0a5f4d10',
        name: of.name ?? 'Database upgrade',
        starts_at: startsAt,
        ends_at: isOver ? timestamp : '2026-11-21T12:00:00.000Z',
        monitors: { total: 5, names: ['Blog', 'Shop', 'Shop API', 'Wiki'] },
      },
      episode: {
        id: 'd0f3c8a4-1f55-4b0e-8a0b-5f1d1f0b7e21',
        started_at: startsAt,
        ended_at: isOver ? timestamp : null,
      },
    },
  }
}

export function alertOf(type: AlertType, of: Named = {}): SingleAlert {
  const plain = { monitor: monitorOf(of), incident: null, result: null }
  const ends = { ...plain, expires_at: '2026-11-28T10:00:00.000Z', days_left: 7, seen_at: '2026-11-21T09:00:00.000Z' }
  switch (type) {
    case 'monitor.down':
    case 'monitor.up':
    case 'monitor.reminder':
      return statusAlertOf(type, of)
    case 'monitor.degraded':
    case 'monitor.degraded_ended':
      return degradedAlertOf(type, of)
    case 'monitor.slow':
    case 'monitor.slow_ended':
      return slowAlertOf(type, of)
    case 'monitor.unstable':
    case 'monitor.unstable_ended':
      return unstableAlertOf(type, of)
    case 'domain.expiring':
      return { type, timestamp, data: { ...ends, domain_name: of.name ?? 'shop.example' } }
    case 'certificate.expiring':
      return { type, timestamp, data: { ...ends, cert_host: 'www.shop.example', cert_issuer: of.name ?? 'E7' } }
    case 'vulnerability.found':
      return findingAlertOf([findingOf()])
    case 'slo.burning':
    case 'slo.recovered':
      return sloAlertOf(type, of)
    case 'end_of_life.reached':
      return findingAlertOf([endOfLifeOf()])
    case 'exposure.reminder':
    case 'exposure.ended':
      return exposureAlertOf(type, [exposureOf(type)])
    case 'maintenance.started':
    case 'maintenance.ended':
      return maintenanceAlertOf(type, of)
    case 'test':
      return { type, timestamp, data: { monitor: null, incident: null, result: null } }
  }
}

/** An exposure that began a week before the alert. */
export function exposureOf(type: ExposureAlert['type'], of: Partial<AlertExposure> = {}): AlertExposure {
  const isOver = type === 'exposure.ended'
  return {
    id: '1c9a7a0e-6a44-4a6b-9d35-2f1c3f6f7b55',
    vuln_id: 'CVE-2026-0001',
    severity: 'critical',
    software_name: 'nginx',
    version: '1.26.1',
    fix_version: '1.26.2',
    opened_at: '2026-11-14T10:04:00.000Z',
    closed_at: isOver ? timestamp : null,
    outcome: isOver ? 'updated' : null,
    last_version: isOver ? '1.26.2' : null,
    ...of,
  }
}

export function exposureAlertOf(
  type: ExposureAlert['type'],
  exposures: AlertExposure[],
  total = exposures.length,
): ExposureAlert {
  return { type, timestamp, data: { monitor: monitorOf({}), incident: null, result: null, exposures, total } }
}

/** One alert for several findings of a monitor; `total` defaults to the number of `findings`. */
export function findingAlertOf(findings: Finding[], total = findings.length): FindingAlert {
  const type = findings.some(({ kind }) => kind === 'vulnerability') ? 'vulnerability.found' : 'end_of_life.reached'
  return { type, timestamp, data: { monitor: monitorOf({}), incident: null, result: null, findings, total } }
}

export function findingOf(of: Partial<Finding> = {}): Finding {
  return {
    id: '4a3e7d1c-5c02-4f25-9a0b-7f4f6c3f0d44',
    vuln_id: 'CVE-2026-0001',
    aliases: ['GHSA-xxxx-xxxx-xxxx'],
    kind: 'vulnerability',
    product: 'nginx',
    software_name: 'nginx',
    version: '1.26.1',
    version_known: true,
    summary: 'A request can end the process.',
    severity: 'high',
    score: 7.5,
    fixed_in: '1.26.2',
    fix_version: '1.26.2',
    marked_fixed_version: null,
    url: 'https://nvd.nist.gov/vuln/detail/CVE-2026-0001',
    source: 'osv',
    published_at: '2026-11-20T12:00:00.000Z',
    exploited_on: null,
    alerted_at: timestamp,
    ...of,
  }
}

export function endOfLifeOf(of: Partial<Finding> = {}): Finding {
  const plain = { vuln_id: 'EOL:php-8.1', aliases: [], severity: null, score: null, fixed_in: null }
  const php = {
    kind: 'end_of_life',
    source: 'endoflife',
    product: 'php',
    software_name: 'PHP',
    version: '8.1.27',
  } as const
  const summary = 'PHP 8.1 has been without support since 2025-12-31.'
  return findingOf({ ...plain, ...php, summary, fix_version: '8.2.30', url: 'https://endoflife.date/php', ...of })
}

const timestamp = '2026-11-21T10:04:00.000Z'

function monitorOf({ monitorId, name }: Named): AlertMonitor {
  return {
    id: monitorId ?? '0b0e7f0e-3c1c-4a58-9d0c-6d1f3f5a1c11',
    name: name ?? 'Shop API',
    kind: 'http',
    url: 'https://user:secret@shop.example/health?token=1#part',
    current_status: 'up',
  }
}

/** A bundle of these alerts, and of others where `more` counts them. */
export function bundleOf(alerts: SingleAlert[], more: Partial<BundleAlert['data']> = {}): BundleAlert {
  const count = (...types: string[]): number => alerts.filter(({ type }) => types.includes(type)).length
  const counts = { total: alerts.length, down: count('monitor.down', 'monitor.reminder'), up: count('monitor.up') }
  return {
    type: 'alerts.bundle',
    timestamp,
    data: { monitor: null, incident: null, result: null, ...counts, alerts, ...more },
  }
}

/** A bundle that fills a message, and the same with one character more. */
export type FullBundle = { full: BundleAlert; tooLong: BundleAlert; count: number }

/**
 * Bundles whose alerts are all named, as `Down.`, in a text of `size` units and in one of `size + 1`. `textOf` is the text
 * of the message.
 */
export function fullBundleOf(size: number, textOf: (alert: BundleAlert) => string): FullBundle {
  const isWhole = (count: number): boolean =>
    namedIn(textOf(stormOf(count, 0))) === count && textOf(stormOf(count, 0)).length < size
  const count = Array.from({ length: 50 }, (_, index) => 50 - index).find(isWhole) ?? 0
  const more = size - textOf(stormOf(count, 0)).length
  return { full: stormOf(count, more), tooLong: stormOf(count, more + 1), count }
}

/** Outages whose names have so many more characters together, but for the first two, which stand in the headline too. */
function stormOf(count: number, more: number): BundleAlert {
  const longest = 59
  const moreOf = (index: number): number => Math.min(longest, Math.max(0, more - longest * (index - 2)))
  return bundleOf(Array.from({ length: count }, (_, index) => wideAlert(index < 2 ? 0 : moreOf(index))))
}

/** How many outages a text names. */
export function namedIn(text: string): number {
  return text.match(/Down\. c/g)?.length ?? 0
}

function wideAlert(more: number): FoundAlert {
  const { data, ...rest } = statusAlertOf('monitor.down', { name: 'a'.repeat(1 + more) })
  return { ...rest, data: { ...data, incident: { ...data.incident, cause: 'c'.repeat(100) } } }
}
