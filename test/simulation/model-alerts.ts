// Deliveries of alerts as PostgreSQL keeps them, for monitors and contacts without rules.
import { endingTypes } from '#core/contacts/alerting.ts'
import { attemptsPerContact } from '#store/contacts/delivery-attempts.ts'
import type { AlertOrder } from '#store/contacts/deliveries.ts'
import type { DeliveryRow, IncidentRow, ModelDatabase, ModelTransaction } from './model-database.ts'

const claimMs = 60_000
const busyMs = 20_000
const overdueMs = 5_000
const sweepLimit = 1000
const sweepLimitPerContact = 20

/** Every enabled contact of the workspace is told; an end comes after its beginning, and a beginning after the end before it. */
export function enqueueAlerts(tx: ModelTransaction, orders: readonly AlertOrder[]): void {
  const endings = orders.filter(isEnding)
  for (const order of [...orders.filter((each) => !isEnding(each)), ...endings])
    for (const contact of tx.database.contacts.values()) {
      if (!contact.isEnabled || contact.workspaceId !== order.workspaceId) continue
      const delivery = deliveryOf(tx, order, contact.id)
      tx.inserted.push(delivery)
      tx.atCommit(() => {
        tx.database.deliveries.set(delivery.id, delivery)
        nudge(tx.database, [delivery.id])
      })
    }
}

function deliveryOf(tx: ModelTransaction, order: AlertOrder, contactId: string): DeliveryRow {
  const { workspaceId, incidentId, alert, at } = order
  return {
    id: tx.database.newId(),
    workspaceId,
    contactId,
    incidentId,
    alert,
    state: 'pending',
    attempt: 0,
    dueMs: tx.nowMs,
    claimedMs: null,
    createdMs: at.getTime(),
    endedMs: null,
    afterId: earlierOf(tx, order, contactId)?.id ?? null,
    error: null,
  }
}

function isEnding({ alert }: Pick<AlertOrder | DeliveryRow, 'alert'>): boolean {
  return endingTypes.includes(alert.type)
}

function earlierOf(tx: ModelTransaction, order: AlertOrder, contactId: string): DeliveryRow | undefined {
  const isUp = order.alert.type === 'monitor.up'
  const incidentId = isUp ? order.incidentId : (incidentBefore(tx.database, order)?.id ?? null)
  const type = isUp ? 'monitor.down' : 'monitor.up'
  return [...tx.database.deliveries.values(), ...tx.inserted]
    .filter((each) => each.incidentId === incidentId && each.contactId === contactId && each.alert.type === type)
    .toSorted((one, other) => other.createdMs - one.createdMs)[0]
}

function incidentBefore({ incidents }: ModelDatabase, { monitorId, incidentId }: AlertOrder): IncidentRow | undefined {
  return [...incidents.values()]
    .filter((incident) => incident.monitorId === monitorId && incident.id !== incidentId)
    .toSorted((one, other) => other.startedMs - one.startedMs)[0]
}

/** A job that was never tried keeps its time. */
export function nudge({ jobs, deliveries }: ModelDatabase, ids: readonly string[]): void {
  for (const id of ids) {
    const delivery = deliveries.get(id)
    if (delivery !== undefined && jobs.get(id)?.attempts !== 0) jobs.set(id, { runMs: delivery.dueMs, attempts: 0 })
  }
}

export function isClaimable(database: ModelDatabase, delivery: DeliveryRow): boolean {
  const { state, dueMs } = delivery
  return (
    state === 'pending' && dueMs <= database.nowMs() && !isClaimed(database, delivery) && !isBehind(database, delivery)
  )
}

function isClaimed({ nowMs }: ModelDatabase, { claimedMs }: DeliveryRow): boolean {
  return claimedMs !== null && claimedMs >= nowMs() - claimMs
}

function isBehind({ deliveries, nowMs }: ModelDatabase, delivery: DeliveryRow): boolean {
  const earlier = deliveries.get(delivery.afterId ?? '')
  return earlier?.state === 'pending' && (earlier.dueMs <= nowMs() || isEnding(delivery))
}

/** How many attempts to a contact may be under way at once. */
export function roomOf({ contacts }: ModelDatabase, contactId: string): number {
  return contacts.get(contactId)?.failingSinceMs === null ? attemptsPerContact : 1
}

export function isBusy(database: ModelDatabase, contactId: string): boolean {
  const { deliveries, nowMs } = database
  const underWay = [...deliveries.values()].filter(
    (each) =>
      each.contactId === contactId &&
      each.state === 'pending' &&
      each.claimedMs !== null &&
      each.claimedMs >= nowMs() - busyMs,
  )
  return underWay.length >= roomOf(database, contactId)
}

/** What waited for the end of this delivery, and what else is due to its contact. */
export function followersOf(database: ModelDatabase, { id, contactId }: { id: string; contactId: string }): string[] {
  const { deliveries, jobs } = database
  const behind = [...deliveries.values()].filter(({ afterId, state }) => afterId === id && state === 'pending')
  const due = [...deliveries.values()]
    .filter((each) => each.contactId === contactId && isClaimable(database, each))
    .toSorted((one, other) => one.dueMs - other.dueMs)
    .slice(0, roomOf(database, contactId))
    .filter((each) => !jobs.has(each.id))
  return [...new Set([...behind, ...due].map((each) => each.id))]
}

/** Nudges what is overdue, as `sweepDeliveries` does. */
export function sweep(database: ModelDatabase): number {
  const { deliveries, nowMs } = database
  const overdue = [...deliveries.values()]
    .filter((each) => each.dueMs < nowMs() - overdueMs && isClaimable(database, each))
    .toSorted((one, other) => one.dueMs - other.dueMs)
  const perContact = Map.groupBy(overdue, ({ contactId }) => contactId)
  const some = [...perContact.values()].flatMap((list) => list.slice(0, sweepLimitPerContact)).slice(0, sweepLimit)
  nudge(
    database,
    some.map(({ id }) => id),
  )
  return some.length
}
