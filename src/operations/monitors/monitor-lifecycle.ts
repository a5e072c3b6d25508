import type { AppError } from '#core/language/error.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { actOnMonitors, announceActed, changedOf, type ActionRequest, type MonitorAction } from './monitor-actions.ts'
import { monitorNotFound } from './monitor-surroundings.ts'
import type { Context } from '#operations/pipeline/operation.ts'

/** Pausing a paused monitor changes nothing. */
export async function pauseMonitor(context: Context, monitorId: string): Promise<MonitorRecord> {
  return (await changeStatus(context, monitorId, 'pause')).record
}

/**
 * Resuming an enabled monitor changes nothing. An unpaid monitor runs again once it is renewed, and a monitor beyond the
 * plan's slots once another one is paused or deleted: until then it is answered as it is, paused, with the reason
 * (docs/decisions/plans-and-periods.md, "Another plan").
 */
export async function resumeMonitor(context: Context, monitorId: string): Promise<ChangedStatus> {
  return changeStatus(context, monitorId, 'resume')
}

/** `heldBack`: why the monitor was left as it is; null where it is now as asked for. */
export type ChangedStatus = { record: MonitorRecord; heldBack: AppError | null }

async function changeStatus(context: Context, monitorId: string, action: 'pause' | 'resume'): Promise<ChangedStatus> {
  const { services, noteChange } = context
  const request = requestOf(context, monitorId, action)
  const { record, acted } = await services.database.transaction(async (tx) => {
    const done = await actOnMonitors(tx, request)
    if (changedOf(done).length === 0) noteChange('nothing')
    const found = (await findMonitor(tx, services.secrets, { ...request, monitorId })) ?? monitorNotFound()
    return { record: found, acted: done }
  })
  announceActed(services, acted)
  const refused = acted.find((one) => one.type === 'refused')
  return { record, heldBack: refused?.error ?? null }
}

/** When two deletes come at once, the second answers 404. */
export async function deleteMonitor(context: Context, monitorId: string): Promise<void> {
  const { services } = context
  const request = requestOf(context, monitorId, 'delete')
  const acted = await services.database.transaction(async (tx) => {
    const done = await actOnMonitors(tx, request)
    return changedOf(done).length === 0 ? monitorNotFound() : done
  })
  announceActed(services, acted)
}

function requestOf({ caller, services, now }: Context, monitorId: string, action: MonitorAction): ActionRequest {
  return { action, workspaceId: caller.workspaceId, monitorIds: [monitorId], services, now }
}
