import { sql } from 'kysely'
import { choosablyScannedKinds } from '#core/monitors/kind-traits.ts'
import type { Plan } from '#core/money/plan.ts'
import type { Transaction } from '#store/database/database.ts'
import { holdPartitionsOf } from '#store/monitors/monitor-removal.ts'
import { moveDeadline, refreshVersion, restartMonitors } from '#store/monitors/monitor-state.ts'
import { lockWorkspace, setWorkspacePlan } from '#store/workspaces/workspaces.ts'

export type PlanChange = { workspaceId: string; plan: string; rules: Plan; at: Date }

/** How many monitors were changed, and how. */
export type PlanEffect = { raised: number; paused: number; resumed: number; silenced: number }

/** `pause_reason` of monitors that lost their slot. */
const planReason = 'plan'

/**
 * Puts a workspace on a plan and its monitors under the plan's rules (docs/decisions/plans-and-periods.md, "Another
 * plan"): intervals below the plan's are raised, the newest of the monitors that run in slots are paused until the rest
 * fit, and alerts of vulnerabilities are switched off where the plan has none. Monitors that an earlier plan paused run
 * again, the oldest first, as far as there are slots. Creates and changes of monitors wait meanwhile. Engines find out
 * within seconds.
 */
export async function changePlan(tx: Transaction, { workspaceId, plan, rules, at }: PlanChange): Promise<PlanEffect> {
  await lockWorkspace(tx, workspaceId)
  await setWorkspacePlan(tx, workspaceId, plan)
  await holdPartitionsOf(tx, workspaceId)
  const monitors = await lockSlotMonitors(tx, workspaceId)
  const quick = monitors.filter((monitor) => shortestOf(monitor) < rules.minIntervalSeconds)
  for (const monitor of quick) await raiseIntervals(tx, monitor, { seconds: rules.minIntervalSeconds, at })
  const running = monitors.filter(({ status }) => status === 'enabled')
  const surplus = running.slice(rules.slots)
  for (const { id } of surplus) await pauseForPlan(tx, id, at)
  const waiting = monitors.filter(({ pause_reason: reason }) => reason === planReason)
  const returning = waiting.slice(0, Math.max(0, rules.slots - running.length))
  for (const { id } of returning) await resumeForPlan(tx, id, at)
  const silenced = rules.hasVulnerabilityAlerts ? 0 : await silenceVulnerabilities(tx, workspaceId, at)
  return { raised: quick.length, paused: surplus.length, resumed: returning.length, silenced }
}

type SlotMonitor = {
  id: string
  status: string
  pause_reason: string | null
  interval_seconds: number
  retry_interval_seconds: number | null
  heartbeat_grace_seconds: number | null
  check_options: Record<string, unknown>
}

/** Monitors in plan slots, the oldest first. */
async function lockSlotMonitors(tx: Transaction, workspaceId: string): Promise<SlotMonitor[]> {
  return tx.query
    .selectFrom('monitors')
    .select(['id', 'status', 'pause_reason', 'interval_seconds', 'retry_interval_seconds', 'heartbeat_grace_seconds'])
    .select(sql<SlotMonitor['check_options']>`check_options`.as('check_options'))
    .where('workspace_id', '=', workspaceId)
    .where('billing', '=', 'plan')
    .orderBy('created_at')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

function shortestOf({ interval_seconds: interval, retry_interval_seconds: retry }: SlotMonitor): number {
  return Math.min(interval, retry ?? interval)
}

async function raiseIntervals(
  tx: Transaction,
  monitor: SlotMonitor,
  { seconds: least, at }: { seconds: number; at: Date },
): Promise<void> {
  const { interval_seconds: interval, retry_interval_seconds: retry } = monitor
  const seconds = Math.max(interval, least)
  await tx.query
    .updateTable('monitors')
    .set({
      interval_seconds: seconds,
      retry_interval_seconds: retry === null ? null : Math.max(retry, least),
      updated_at: at,
    })
    .where('id', '=', monitor.id)
    .execute()
  await refreshVersion(tx, monitor.id)
  await moveDeadline(tx, monitor.id, { from: monitor, to: { ...monitor, interval_seconds: seconds }, at })
}

async function pauseForPlan(tx: Transaction, monitorId: string, at: Date): Promise<void> {
  await tx.query
    .updateTable('monitors')
    .set({ status: 'paused', pause_reason: planReason, updated_at: at })
    .where('id', '=', monitorId)
    .execute()
  await restartMonitors(tx, {
    monitorIds: [monitorId],
    at,
    reason: 'The monitor was paused, because the plan has no slot for it.',
  })
}

async function resumeForPlan(tx: Transaction, monitorId: string, at: Date): Promise<void> {
  await tx.query
    .updateTable('monitors')
    .set({ status: 'enabled', pause_reason: null, updated_at: at })
    .where('id', '=', monitorId)
    .execute()
  await restartMonitors(tx, {
    monitorIds: [monitorId],
    at,
    reason: 'The monitor was resumed, because the plan has a slot for it again.',
  })
}

/** A kind that is always scanned exists to report vulnerabilities, so it keeps these alerts on every plan. */
async function silenceVulnerabilities(tx: Transaction, workspaceId: string, at: Date): Promise<number> {
  const silenced = await tx.query
    .updateTable('monitors')
    .set({ vulnerability_alerts: false, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('kind', 'in', choosablyScannedKinds)
    .where('vulnerability_alerts', '=', true)
    .executeTakeFirst()
  return Number(silenced.numUpdatedRows)
}
