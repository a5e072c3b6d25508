import type { Transaction } from '#store/database/database.ts'

/** Which of these are contacts of the workspace; none of them goes before the transaction has written who names it. */
export async function holdContacts(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const channels = await tx.query
    .selectFrom('alert_channels')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return channels.map(({ id }) => id)
}
