import type { MonitorRecord } from '#core/monitor.ts'
import { partitionOf } from '#core/schedule.ts'
import { deleteMonitor as removeMonitor, holdPartition } from '#store/monitor-removal.ts'
import { findMonitor, lockMonitor, setMonitorStatus } from '#store/monitors.ts'
import { monitorNotFound } from './monitor-surroundings.ts'
import type { Context } from './operation.ts'

/** Pausing a paused monitor changes nothing. */
export async function pauseMonitor(context: Context, monitorId: string): Promise<MonitorRecord> {
  return changeStatus(context, monitorId, 'paused')
}

/** Resuming an enabled monitor changes nothing; one paused for non-payment is resumed by paying (decisions.md C16). */
export async function resumeMonitor(context: Context, monitorId: string): Promise<MonitorRecord> {
  return changeStatus(context, monitorId, 'enabled')
}

async function changeStatus(
  { caller, services, now }: Context,
  monitorId: string,
  status: 'enabled' | 'paused',
): Promise<MonitorRecord> {
  const scope = { workspaceId: caller.workspaceId, monitorId }
  const { record, change } = await services.database.transaction(async (tx) => {
    const current = (await lockMonitor(tx, services.secrets, scope)) ?? monitorNotFound()
    const isChanged = current.status !== status && current.pause_reason !== 'non_payment'
    if (isChanged) await setMonitorStatus(tx, { monitorId, status, at: now })
    const found = (await findMonitor(tx, { ...scope, now })) ?? monitorNotFound()
    return { record: found.record, change: isChanged ? { monitorId, partition: current.partition } : null }
  })
  if (change !== null) services.announceChange(change)
  return record
}

/** Of two deletes at once the second answers 404. */
export async function deleteMonitor({ caller, services, now }: Context, monitorId: string): Promise<void> {
  const scope = { workspaceId: caller.workspaceId, monitorId }
  const partition = partitionOf(monitorId)
  await services.database.transaction(async (tx) => {
    await holdPartition(tx, partition)
    const current = (await lockMonitor(tx, services.secrets, scope)) ?? monitorNotFound()
    const { record } = (await findMonitor(tx, { ...scope, now })) ?? monitorNotFound()
    await removeMonitor(tx, { key: current.key, record, at: now })
  })
  services.announceChange({ monitorId, partition })
}
