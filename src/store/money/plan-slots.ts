import type { Transaction } from '#store/database/database.ts'
import { workspaceGone } from '#store/workspaces/workspaces.ts'

/**
 * The workspace's plan, held until the transaction ends. The same lock guards what depends on several monitors at once,
 * such as which monitor is in which group. Before any monitor is locked.
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

export type Slots = {
  plan: string
  /** How many monitors use a slot of the plan. */
  used: number
  /** How many monitors are paid. */
  paid: number
  /** Whether a payment of the workspace waits for what it was made for. */
  isOwed: boolean
}

/**
 * The workspace's plan and what it is used for, held until the transaction ends: of two creates at once the second counts
 * the first. The lock leaves foreign keys to the workspace free. Refuses a workspace that is closed.
 */
export async function lockSlots(tx: Transaction, workspaceId: string): Promise<Slots> {
  const { plan, closed_at: closedAt } = await tx.query
    .selectFrom('workspaces')
    .select(['plan', 'closed_at'])
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(workspaceGone)
  if (closedAt !== null) throw workspaceGone()
  // A statement of its own: the one that waits for the lock does not see the monitors that were made meanwhile.
  const uses = await tx.client.query<Omit<Slots, 'plan'>>({
    name: 'slot_uses',
    text: slotUsesStatement,
    values: [workspaceId],
  })
  const [use] = uses.rows
  if (use === undefined) throw new Error('An aggregate has one row.')
  return { plan, ...use }
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

const slotUsesStatement = `
select
  count(*) filter (where billing = 'plan')::integer as used,
  count(*) filter (where billing = 'paid')::integer as paid,
  exists (
    select
    from payment_attempts
    where workspace_id = $1
      and state = 'succeeded'
      and done_at is null
  ) as "isOwed"
from monitors
where workspace_id = $1`
