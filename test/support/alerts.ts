// Rows that alert tests stand on.
import { randomUUID } from 'node:crypto'
import type { Alert, AlertMonitor, AlertType, StatusAlert } from '#core/alerting.ts'
import type { Database } from '#store/database.ts'
import { enqueueAlerts } from '#store/deliveries.ts'

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
    signingSecret?: Buffer
  },
): Promise<string> {
  const id = randomUUID()
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

export function statusAlertOf(type: StatusAlert['type'], of: Named = {}): StatusAlert {
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

export function alertOf(type: AlertType, of: Named = {}): Alert {
  const plain = { monitor: monitorOf(of), incident: null, result: null }
  const ends = { ...plain, expires_at: '2026-11-28T10:00:00.000Z', days_left: 7, seen_at: '2026-11-21T09:00:00.000Z' }
  switch (type) {
    case 'monitor.down':
    case 'monitor.up':
      return statusAlertOf(type, of)
    case 'domain.expiring':
      return { type, timestamp, data: { ...ends, domain_name: of.name ?? 'shop.example' } }
    case 'certificate.expiring':
      return { type, timestamp, data: { ...ends, cert_host: 'www.shop.example', cert_issuer: of.name ?? 'E7' } }
    case 'vulnerability.found':
    case 'end_of_life.reached':
      return { type, timestamp, data: plain }
    case 'test':
      return { type, timestamp, data: { monitor: null, incident: null, result: null } }
  }
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
