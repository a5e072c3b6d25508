import { partitionOf } from '#core/monitors/schedule.ts'
import type { Transaction } from '#store/database/database.ts'
import { anyOf } from '#store/database/array-literal.ts'
import type { MonitorRow } from './monitor-rows.ts'

/** What decides whether a monitor may run, with what it is called. */
export type HeldMonitor = Pick<
  MonitorRow,
  'id' | 'key' | 'name' | 'partition' | 'status' | 'pause_reason' | 'billing' | 'paid_until'
>

export type Holding = {
  workspaceId: string
  monitorIds: readonly string[]
  /** They are about to be deleted: transactions that write rows which refer to them are waited for as well. */
  isRemoval: boolean
}

/**
 * The monitors among these that the workspace has, by id, held until the transaction ends, in the order of their ids.
 * Before it locks any of their rows it waits for the engines' transactions on their partitions, so neither deadlocks.
 */
export async function holdMonitors(
  tx: Transaction,
  { workspaceId, monitorIds, isRemoval }: Holding,
): Promise<Map<string, HeldMonitor>> {
  await holdPartitions(tx, new Set(monitorIds.map(partitionOf)))
  const held = await tx.query
    .selectFrom('monitors')
    .select(['id', 'key', 'name', 'partition', 'status', 'pause_reason', 'billing', 'paid_until'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', anyOf(monitorIds))
    .orderBy('id')
    .$if(isRemoval, (query) => query.forUpdate())
    .$if(!isRemoval, (query) => query.forNoKeyUpdate())
    .$castTo<HeldMonitor>()
    .execute()
  return new Map(held.map((monitor) => [monitor.id, monitor]))
}

async function holdPartitions({ query }: Transaction, partitions: ReadonlySet<number>): Promise<void> {
  await query
    .selectFrom('partitions')
    .select('partition')
    .where('partition', 'in', [...partitions])
    .orderBy('partition')
    .forShare()
    .execute()
}
