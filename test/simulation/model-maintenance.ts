// Planned times of maintenance, and the alerts that are kept back meanwhile.
import type { AlertOrder } from '#store/contacts/deliveries.ts'
import { outlastedMs, type Released } from '#store/contacts/withheld-alerts.ts'
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

/** As `withholdAlerts`; the model knows no maintenance by tag, and no person who acknowledges. */
export async function withholdAlerts(tx: ModelTransaction, orders: readonly AlertOrder[]): Promise<AlertOrder[]> {
  const { database } = tx
  const ended = await endWithheld(tx, orders)
  const late = orders.flatMap(({ incidentId, alert, at }) => {
    const withheld = alert.type === 'monitor.up' ? ended.get(incidentId ?? '') : undefined
    return withheld !== undefined && hasOutlasted(database, withheld, at) ? [withheld.order] : []
  })
  const told = new Set(late.map(({ incidentId }) => incidentId))
  const remaining = orders.filter((order) => {
    const { incidentId, monitorId, alert, at } = order
    if (incidentId === null) return true
    if (alert.type === 'monitor.up') return !ended.has(incidentId) || told.has(incidentId)
    const monitorKey = database.monitorById(monitorId)?.key ?? -1
    if (alert.type !== 'monitor.down' || !isInMaintenance(database, { monitorKey, atMs: at.getTime() })) return true
    tx.atCommit(() => database.withheld.set(incidentId, { order, atMs: at.getTime() }))
    return false
  })
  return [...late, ...remaining]
}

async function endWithheld(tx: ModelTransaction, orders: readonly AlertOrder[]): Promise<Map<string, WithheldRow>> {
  const { withheld } = tx.database
  const ended = orders.flatMap(({ incidentId, alert }) =>
    incidentId !== null && alert.type === 'monitor.up' && withheld.has(incidentId) ? [incidentId] : [],
  )
  await tx.lockWithheld(ended)
  // Those that were taken meanwhile are told.
  const taken = new Map([...withheld].filter(([id]) => ended.includes(id)))
  tx.atCommit(() => {
    for (const id of taken.keys()) withheld.delete(id)
  })
  return taken
}

function hasOutlasted(database: ModelDatabase, { order, atMs }: WithheldRow, endedAt: Date): boolean {
  const monitorKey = database.monitorById(order.monitorId)?.key ?? -1
  return database.maintenances.some(({ endsMs }) => {
    const seenMs = endsMs + outlastedMs
    return endsMs > atMs && seenMs <= endedAt.getTime() && !isInMaintenance(database, { monitorKey, atMs: seenMs })
  })
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
