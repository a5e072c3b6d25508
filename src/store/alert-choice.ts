import { type RawBuilder, sql } from 'kysely'
import type { Reader, Transaction } from '#store/database.ts'

/** The ids of all contacts of a workspace, oldest first: whom a monitor alerts that names nobody (decisions.md C25). */
export async function listChannelIds(reader: Reader, workspaceId: string): Promise<string[]> {
  const { ids } = await reader.query.selectNoFrom(channelIdsOf(workspaceId).as('ids')).executeTakeFirstOrThrow()
  return ids
}

/** The same within a statement about something else. */
export function channelIdsOf(workspaceId: string): RawBuilder<string[]> {
  return sql<string[]>`array(select id from alert_channels where workspace_id = ${workspaceId} order by created_at, id)`
}

/** Which of these are contacts of the workspace; none of them goes before the transaction has written who names it. */
export async function holdChannels(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]> {
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
