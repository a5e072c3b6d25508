import type { Reader, Transaction } from '#store/database.ts'

export async function readPlan(reader: Reader, workspaceId: string): Promise<string> {
  const { plan } = await reader.query
    .selectFrom('workspaces')
    .select('plan')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return plan
}

/**
 * The workspace's plan and how many monitors use a slot of it, held until the transaction ends: of two creates at once
 * the second counts the first. The lock leaves foreign keys to the workspace free.
 */
export async function lockSlots(tx: Transaction, workspaceId: string): Promise<{ plan: string; used: number }> {
  const { plan } = await tx.query
    .selectFrom('workspaces')
    .select('plan')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { used } = await tx.query
    .selectFrom('monitors')
    .select(({ fn }) => fn.countAll<string>().as('used'))
    .where('workspace_id', '=', workspaceId)
    .where('billing', '=', 'plan')
    .executeTakeFirstOrThrow()
  return { plan, used: Number(used) }
}
