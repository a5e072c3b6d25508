// Planned times of maintenance, and the alerts that are kept back meanwhile.
import type { AlertOrder } from '#store/contacts/deliveries.ts'
import type { Released } from '#store/contacts/withheld-alerts.ts'
import type { ReleaseStore, ReleaseTransaction } from '#store/release-store.ts'
import { enqueueAlerts } from './model-alerts.ts'
import { type ModelDatabase, ModelTransaction, type WithheldRow } from './model-database.ts'

type Covered = { monitorKey: number; atMs: number }

/** Whether one maintenance holds the monitor at this time. */
export function isInMaintenance({ maintenances }: Pick<ModelDatabase, 'maintenances'>, covered: Covered): boolean {
  return maintenances.some((each) => holds(each, covered))
}

/** Whether a check of this time counts in no uptime. */
export function isUncounted({ maintenances }: Pick<ModelDatabase, 'maintenances'>, covered: Covered): boolean {
  return maintenances.some((each) => each.excludesUptime && holds(each, covered))
}

function holds(
  { monitorKeys, startsMs, endsMs }: ModelDatabase['maintenances'][number],
  { monitorKey, atMs }: Covered,
): boolean {
  return startsMs <= atMs && endsMs > atMs && (monitorKeys?.includes(monitorKey) ?? true)
}

/** As `withholdAlerts`. */
export async function withholdAlerts(tx: ModelTransaction, orders: readonly AlertOrder[]): Promise<AlertOrder[]> {
  const { database } = tx
  const untold = await dropWithheld(tx, orders)
  return orders.filter((order) => {
    const { incidentId, monitorId, alert, at } = order
    if (incidentId === null) return true
    if (alert.type === 'monitor.up') return !untold.has(incidentId)
    const monitorKey = database.monitorById(monitorId)?.key ?? -1
    if (alert.type !== 'monitor.down' || !isInMaintenance(database, { monitorKey, atMs: at.getTime() })) return true
    tx.atCommit(() => database.withheld.set(incidentId, { order, atMs: at.getTime() }))
    return false
  })
}

async function dropWithheld(tx: ModelTransaction, orders: readonly AlertOrder[]): Promise<Set<string>> {
  const { withheld } = tx.database
  const ended = orders.flatMap(({ incidentId, alert }) =>
    incidentId !== null && alert.type === 'monitor.up' && withheld.has(incidentId) ? [incidentId] : [],
  )
  await tx.lockWithheld(ended)
  // Those that were taken meanwhile are told.
  const untold = new Set(ended.filter((id) => withheld.has(id)))
  tx.atCommit(() => {
    for (const id of untold) withheld.delete(id)
  })
  return untold
}

/** What `createReleaseStore` does on PostgreSQL. */
export function modelReleaseStore(database: ModelDatabase): ReleaseStore {
  return {
    transaction: async (work) => {
      const tx = new ModelTransaction(database)
      try {
        const done = await work(modelReleaseTransaction(tx))
        tx.commit()
        return done
      } finally {
        tx.rollBack()
      }
    },
  }
}

export function modelReleaseTransaction(tx: ModelTransaction): ReleaseTransaction {
  return {
    takeReleased: async (now, limit) => takeReleased(tx, now.getTime(), limit),
    foldUnstable: async (orders) => [...orders],
    enqueueAlerts: async (orders) => enqueueAlerts(tx, orders),
  }
}

/** So late a look may be by its own time, at most. */
const lateLookMs = 60_000

/** What another transaction has at this moment is left to the next time. */
async function takeReleased(tx: ModelTransaction, nowMs: number, limit: number): Promise<Released> {
  const { database } = tx
  const { withheld, withheldLocks, stateLocks, incidents } = database
  const keyOf = ({ order }: WithheldRow): number => database.monitorById(order.monitorId)?.key ?? -1
  const isOpen = (id: string): boolean => incidents.get(id)?.resolvedMs === null
  const lookedAtMs = ({ atMs }: WithheldRow): number => Math.max(nowMs, Math.min(atMs, nowMs + lateLookMs))
  const over = [...withheld]
    .filter(([id, row]) => !isOpen(id) || !isInMaintenance(database, { monitorKey: keyOf(row), atMs: lookedAtMs(row) }))
    .filter(([id]) => withheldLocks.isFree(id))
    .toSorted(([id, one], [otherId, other]) => one.atMs - other.atMs || (id < otherId ? -1 : 1))
    .slice(0, limit)
  await tx.lockWithheld(over.map(([id]) => id))
  const taken = over.filter(([, row]) => stateLocks.isFree(keyOf(row)))
  await tx.lockStates(taken.map(([, row]) => keyOf(row)))
  tx.atCommit(() => {
    for (const [id] of taken) withheld.delete(id)
  })
  return { taken: taken.length, orders: taken.flatMap(([id, { order }]) => (isOpen(id) ? [order] : [])) }
}
