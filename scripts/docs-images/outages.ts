// Incidents as the engine and the jobs tell them: opened, alerted, resolved, each at its time.
import { randomUUID } from 'node:crypto'
import type { AlertMonitor, StatusAlert } from '#core/contacts/alerting.ts'
import { deliveryEvent } from '#core/contacts/delivery-events.ts'
import type { KindName } from '#core/monitors/kind-traits.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'
import { claimDelivery, endDelivery } from '#store/contacts/delivery-attempts.ts'
import { writeProblems } from '#store/incidents/problems.ts'
import { openIncidents, resolveIncidents } from '#store/incidents/transitions.ts'
import type { Trouble } from './company.ts'

export type Suffering = {
  workspaceId: string
  monitor: { id: string; key: number; name: string; kind: KindName; url: string | null }
  /** Codes; the first saw it first. */
  locations: readonly string[]
  trouble: Trouble
}

type Incident = { id: string; startedAt: Date }

/** A trouble begins, at the present time. Null where it is no incident. */
export async function begin(database: Database, suffering: Suffering, at: Date): Promise<Incident | null> {
  const { workspaceId, monitor, locations, trouble } = suffering
  const incidentId = trouble.status === 'down' ? randomUUID() : null
  await database.transaction(async (tx) => {
    const problem = { monitorKey: monitor.key, at: at.getTime() * 1000, status: trouble.status, error: trouble.error }
    await writeProblems(tx, { ended: [], begun: [{ ...problem, locations: [...locations], incidentId }], grown: [] })
    await writeState(tx, suffering, { status: trouble.status, incidentId, problemAt: at })
    if (incidentId === null) return
    await openIncidents(tx, [
      {
        incidentId,
        workspaceId,
        monitorId: monitor.id,
        monitorName: monitor.name,
        title: `${monitor.name} is down`,
        cause: trouble.error,
        at,
        locationCode: locations[0] ?? null,
      },
    ])
    await alert(tx, suffering, { type: 'monitor.down', incident: { id: incidentId, startedAt: at }, at })
  })
  return incidentId === null ? null : { id: incidentId, startedAt: at }
}

/** It ends, at the present time. */
export async function end(
  database: Database,
  suffering: Suffering,
  { incident, startedAt, at }: { incident: Incident | null; startedAt: Date; at: Date },
): Promise<void> {
  const { monitor } = suffering
  await database.transaction(async (tx) => {
    const ended = { monitorKey: monitor.key, startedAt: startedAt.getTime() * 1000, endedAt: at.getTime() * 1000 }
    await writeProblems(tx, { ended: [ended], begun: [], grown: [] })
    await writeState(tx, suffering, { status: 'up', incidentId: null, problemAt: null })
    if (incident === null) return
    await resolveIncidents(tx, [{ incidentId: incident.id, at, message: `${monitor.name} is up again` }])
    await alert(tx, suffering, { type: 'monitor.up', incident, at })
  })
}

/** Everything that waits is delivered now, but to contacts whose destination refuses it. */
export async function deliverAll(database: Database, refusing: readonly string[] = []): Promise<void> {
  const waiting = await database.query
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'pending')
    .orderBy('created_at')
    .execute()
  for (const { id } of waiting) {
    const claim = await claimDelivery(database, id)
    if (claim === null) throw new Error('A delivery is not due.')
    const { contact, attempt } = claim
    const isRefused = refusing.includes(contact.name)
    const error = isRefused ? 'It answered with HTTP status 503.' : null
    const statusCode = { email: null, webhook: 204, slack: 200 }[contact.kind] ?? null
    const event = deliveryEvent(contact, { attempt, error })
    await database.transaction((tx) =>
      endDelivery(tx, claim, {
        state: isRefused ? 'failed' : 'delivered',
        statusCode: isRefused ? 503 : statusCode,
        error,
        event,
      }),
    )
  }
}

type Told = { type: StatusAlert['type']; incident: Incident; at: Date }

async function alert(tx: Transaction, suffering: Suffering, { type, incident, at }: Told): Promise<void> {
  const { workspaceId, monitor, locations, trouble } = suffering
  const { id, name, kind, url } = monitor
  const isUp = type === 'monitor.up'
  const of: AlertMonitor = { id, name, kind, url, current_status: isUp ? 'up' : 'down' }
  const told: StatusAlert = {
    type,
    timestamp: at.toISOString(),
    data: {
      monitor: of,
      incident: {
        id: incident.id,
        status: isUp ? 'resolved' : 'open',
        title: `${name} is down`,
        cause: trouble.error,
        started_at: incident.startedAt.toISOString(),
        resolved_at: isUp ? at.toISOString() : null,
      },
      result: {
        status: isUp ? 'up' : 'down',
        status_code: isUp ? null : (trouble.statusCode ?? null),
        latency_ms: null,
        location_code: locations[0] ?? '',
        error: isUp ? null : trouble.error,
      },
    },
  }
  await enqueueAlerts(tx, [{ workspaceId, monitorId: id, incidentId: incident.id, alert: told, at }])
}

type State = { status: 'up' | 'down' | 'degraded'; incidentId: string | null; problemAt: Date | null }

async function writeState(tx: Transaction, { monitor }: Suffering, state: State): Promise<void> {
  await tx.query
    .updateTable('monitor_state')
    .set({ current_status: state.status, incident_id: state.incidentId, problem_at: state.problemAt })
    .where('monitor_key', '=', String(monitor.key))
    .execute()
}
