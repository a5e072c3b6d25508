import { decideSettings } from '#core/monitor-input.ts'
import { type MonitorInput, type MonitorRecord, changeEffect } from '#core/monitor.ts'
import { findMonitor, lockMonitor, updateMonitor as writeMonitor } from '#store/monitors.ts'
import { holdPlan } from '#store/plan-slots.ts'
import { ensureCallToken } from './heartbeat-address.ts'
import { assertMembers, monitorNotFound, planOf, readSurroundings } from './monitor-surroundings.ts'
import type { Context } from './operation.ts'

/** Decided on what the transaction has locked, so that two changes at once both take effect or contradict openly. */
export async function updateMonitor(context: Context, monitorId: string, input: MonitorInput): Promise<MonitorRecord> {
  const { caller, services, now } = context
  const { workspaceId } = caller
  const { record, change } = await services.database.transaction(async (tx) => {
    // Contacts before monitors, the order in which deleting a contact locks them; the plan between, as creating does.
    const surroundings = await readSurroundings(tx, context, input)
    const plan = planOf(services, await holdPlan(tx, workspaceId))
    const current = (await lockMonitor(tx, services.secrets, { workspaceId, monitorId })) ?? monitorNotFound()
    const { billing, billing_period: billingPeriod } = current
    const settings = decideSettings(input, current.settings, { ...surroundings, plan, billing, billingPeriod })
    const effect = changeEffect(current.settings, settings)
    await assertMembers(tx, { workspaceId, monitorId, before: current.settings }, settings)
    await writeMonitor(tx, services.secrets, { monitorId, before: current.settings, settings, effect, at: now })
    await ensureCallToken(tx, services.secrets, { monitorId, kind: settings.kind })
    const found = (await findMonitor(tx, { workspaceId, monitorId, now })) ?? monitorNotFound()
    return { record: found, change: effect === 'none' ? null : { monitorId, partition: current.partition } }
  })
  if (change !== null) services.announceChange(change)
  return record
}
