import { type AppError, fail } from '#core/language/error.ts'
import { endOfGrace } from '#core/money/quote.ts'
import type { Transaction } from '#store/database/database.ts'
import { type HeldMonitor, holdMonitors } from '#store/monitors/held-monitors.ts'
import { findMonitors } from '#store/monitors/monitor-records.ts'
import { deleteMonitors } from '#store/monitors/monitor-removal.ts'
import { setMonitorStatuses } from '#store/monitors/monitors.ts'
import { lockRunningSlots } from '#store/money/plan-slots.ts'
import { noSuchMonitor, planOf } from './monitor-surroundings.ts'
import type { Services } from '#operations/pipeline/services.ts'

export const monitorActions = ['pause', 'resume', 'delete'] as const
export type MonitorAction = (typeof monitorActions)[number]

export type ActionRequest = {
  action: MonitorAction
  workspaceId: string
  /** Each id once. Where the slots do not suffice for all that are to be resumed, the first ids get them. */
  monitorIds: readonly string[]
  services: Services
  now: Date
}

/** What became of a monitor; `unchanged`: it was as it should be. */
export type Acted = { monitorId: string } & (
  | { type: 'changed'; monitor: HeldMonitor }
  | { type: 'unchanged' }
  | { type: 'refused'; error: AppError }
)

/**
 * Pauses, resumes or deletes monitors as one transaction, in which nothing else is locked before. It keeps the engines
 * from these partitions until it ends. Tell the engines of it after commit (`announceActed`).
 */
export async function actOnMonitors(tx: Transaction, request: ActionRequest): Promise<Acted[]> {
  const { action, workspaceId, monitorIds, services } = request
  const freeSlots = action === 'resume' ? await countFreeSlots(tx, services, workspaceId) : 0
  const held = await holdMonitors(tx, { workspaceId, monitorIds, isRemoval: action === 'delete' })
  const acted = decide(request, held, freeSlots)
  await write(tx, request, changedOf(acted))
  return acted
}

export function changedOf(acted: readonly Acted[]): HeldMonitor[] {
  return acted.flatMap((one) => (one.type === 'changed' ? [one.monitor] : []))
}

export function announceActed({ announceChange }: Pick<Services, 'announceChange'>, acted: readonly Acted[]): void {
  for (const { id, partition } of changedOf(acted)) announceChange({ monitorId: id, partition })
}

async function countFreeSlots(tx: Transaction, services: Services, workspaceId: string): Promise<number> {
  const { plan, running } = await lockRunningSlots(tx, workspaceId)
  return planOf(services, plan).slots - running
}

type Held = ReadonlyMap<string, HeldMonitor>

function decide({ action, monitorIds, now }: ActionRequest, held: Held, freeSlots: number): Acted[] {
  let free = freeSlots
  return monitorIds.map((monitorId): Acted => {
    const monitor = held.get(monitorId)
    if (monitor === undefined) return { monitorId, type: 'refused', error: noSuchMonitor() }
    if (isDone(action, monitor)) return { monitorId, type: 'unchanged' }
    const error = action === 'resume' ? heldBack(monitor, { hasRoom: free > 0, now }) : null
    if (error !== null) return { monitorId, type: 'refused', error }
    if (monitor.billing === 'plan') free -= 1
    return { monitorId, type: 'changed', monitor }
  })
}

function isDone(action: MonitorAction, { status }: HeldMonitor): boolean {
  switch (action) {
    case 'pause':
      return status === 'paused'
    case 'resume':
      return status === 'enabled'
    case 'delete':
      return false
  }
}

/** Why a monitor stays paused: it is not paid for, or the plan has no slot for it (docs/decisions/plans-and-periods.md). */
function heldBack(monitor: HeldMonitor, { hasRoom, now }: { hasRoom: boolean; now: Date }): AppError | null {
  if (isUnpaid(monitor, now))
    return fail('payment_required', 'This monitor is not paid for. Renew it to resume its checks.')
  if (monitor.billing === 'plan' && !hasRoom)
    return fail('limit_reached', 'All slots of the plan are in use. Pause or delete another monitor first.')
  return null
}

/** Once its grace is over, a monitor runs only when it is paid for, even if a person paused it. */
function isUnpaid({ pause_reason: reason, paid_until: paidUntil }: HeldMonitor, now: Date): boolean {
  return reason === 'non_payment' || (paidUntil !== null && now >= endOfGrace(paidUntil))
}

async function write(
  tx: Transaction,
  { action, workspaceId, services: { secrets }, now: at }: ActionRequest,
  monitors: readonly HeldMonitor[],
): Promise<void> {
  if (monitors.length === 0) return
  const monitorIds = monitors.map(({ id }) => id)
  switch (action) {
    case 'pause':
      return setMonitorStatuses(tx, { monitorIds, status: 'paused', at })
    case 'resume':
      return setMonitorStatuses(tx, { monitorIds, status: 'enabled', at })
    case 'delete': {
      const records = await findMonitors(tx, secrets, { workspaceId, monitorIds, now: at })
      return deleteMonitors(tx, secrets, { keys: monitors.map(({ key }) => key), records, at })
    }
  }
}
