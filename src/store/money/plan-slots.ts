import type { Transaction } from '#store/database/database.ts'
import { assertOpen, countMonitorsByBilling, workspaceGone } from '#store/workspaces/workspaces.ts'

/**
 * The workspace's plan, held until the transaction ends, and with it what else depends on several monitors at once:
 * who is in which group. Before any monitor is locked.
 */
export async function holdPlan(tx: Transaction, workspaceId: string): Promise<string> {
  const { plan } = await tx.query
    .selectFrom('workspaces')
    .select('plan')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(workspaceGone)
  return plan
}

/**
 * The workspace's plan, how many monitors use a slot of it and how many are paid, held until the transaction ends: of two
 * creates at once the second counts the first. The lock leaves foreign keys to the workspace free.
 */
export async function lockSlots(
  tx: Transaction,
  workspaceId: string,
): Promise<{ plan: string; used: number; paid: number }> {
  const { plan } = await tx.query
    .selectFrom('workspaces')
    .select('plan')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(workspaceGone)
  await assertOpen(tx, workspaceId)
  const count = await countMonitorsByBilling(tx, workspaceId)
  return { plan, used: count.plan, paid: count.paid }
}

/**
 * Whether another monitor may run in a slot. After a downgrade more monitors than slots are kept, paused; of two that
 * are resumed at once the second counts the first. Before any monitor is locked.
 */
export async function lockRunningSlots(
  tx: Transaction,
  workspaceId: string,
): Promise<{ plan: string; running: number }> {
  const { plan } = await lockSlots(tx, workspaceId)
  const { running } = await tx.query
    .selectFrom('monitors')
    .select(({ fn }) => fn.countAll<string>().as('running'))
    .where('workspace_id', '=', workspaceId)
    .where('billing', '=', 'plan')
    .where('status', '=', 'enabled')
    .executeTakeFirstOrThrow()
  return { plan, running: Number(running) }
}
