import type { MonitorRecord } from '#core/monitor.ts'
import { endOfGrace } from '#core/quote.ts'
import { partitionOf } from '#core/schedule.ts'
import { deleteMonitor as removeMonitor, holdPartition } from '#store/monitor-removal.ts'
import type { Transaction } from '#store/database.ts'
import { findMonitor } from '#store/monitor-records.ts'
import { type LockedMonitor, lockMonitor, setMonitorStatus } from '#store/monitors.ts'
import { lockRunningSlots } from '#store/plan-slots.ts'
import { monitorNotFound, planOf } from './monitor-surroundings.ts'
import type { Context } from './operation.ts'
import type { Services } from './services.ts'

/** Pausing a paused monitor changes nothing. */
export async function pauseMonitor(context: Context, monitorId: string): Promise<MonitorRecord> {
  return changeStatus(context, monitorId, 'paused')
}

/**
 * Resuming an enabled monitor changes nothing. One that is not paid for is resumed by paying (decisions.md C16), and
 * one beyond the plan's slots when another is paused or deleted (C15): until then it is answered as it is, paused.
 */
export async function resumeMonitor(context: Context, monitorId: string): Promise<MonitorRecord> {
  return changeStatus(context, monitorId, 'enabled')
}

async function changeStatus(
  { caller, services, now, noteChange }: Context,
  monitorId: string,
  status: 'enabled' | 'paused',
): Promise<MonitorRecord> {
  const scope = { workspaceId: caller.workspaceId, monitorId }
  const { record, change } = await services.database.transaction(async (tx) => {
    const hasRoom = status === 'paused' || (await hasFreeRun(tx, services, scope.workspaceId))
    const current = (await lockMonitor(tx, services.secrets, scope)) ?? monitorNotFound()
    const isHeldBack = status === 'enabled' && (isUnpaid(current, now) || (current.billing === 'plan' && !hasRoom))
    const isChanged = current.status !== status && !isHeldBack
    if (isChanged) await setMonitorStatus(tx, { monitorId, status, at: now })
    else noteChange('nothing')
    const found = (await findMonitor(tx, { ...scope, now })) ?? monitorNotFound()
    return { record: found, change: isChanged ? { monitorId, partition: current.partition } : null }
  })
  if (change !== null) services.announceChange(change)
  return record
}

/** Whoever paused it: once its grace is over it runs only when it is paid for. */
function isUnpaid({ pause_reason: reason, paid_until: paidUntil }: LockedMonitor, now: Date): boolean {
  return reason === 'non_payment' || (paidUntil !== null && now >= endOfGrace(paidUntil))
}

async function hasFreeRun(tx: Transaction, services: Services, workspaceId: string): Promise<boolean> {
  const { plan, running } = await lockRunningSlots(tx, workspaceId)
  return running < planOf(services, plan).slots
}

/** Of two deletes at once the second answers 404. */
export async function deleteMonitor({ caller, services, now }: Context, monitorId: string): Promise<void> {
  const scope = { workspaceId: caller.workspaceId, monitorId }
  const partition = partitionOf(monitorId)
  await services.database.transaction(async (tx) => {
    await holdPartition(tx, partition)
    const current = (await lockMonitor(tx, services.secrets, scope)) ?? monitorNotFound()
    const record = (await findMonitor(tx, { ...scope, now })) ?? monitorNotFound()
    await removeMonitor(tx, { key: current.key, record, at: now })
  })
  services.announceChange({ monitorId, partition })
}
