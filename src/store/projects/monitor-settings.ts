import { sql } from 'kysely'
import type { MonitorSettings, SettingField } from '#core/monitors/monitor.ts'
import type { Reader } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { type MonitorRow, settingColumns, toSettings } from '#store/monitors/monitor-rows.ts'

export type SetMonitor = Pick<MonitorRow, 'id' | 'status' | 'billing_period'> & { settings: MonitorSettings }

/**
 * What monitors of a workspace are set to, the oldest first: all of them, whose number slots and the cap on paid ones
 * bound, or those that are named.
 */
export async function listMonitorSettings(
  { query }: Reader,
  secrets: Secrets,
  { workspaceId, ids }: { workspaceId: string; ids?: readonly string[] },
): Promise<SetMonitor[]> {
  const rows = await query
    .selectFrom('monitors')
    .select([...settingColumns, 'id', 'content', 'status', 'billing_period'])
    .where('workspace_id', '=', workspaceId)
    .$if(ids !== undefined, (all) => all.where(sql<boolean>`id = any(${ids}::uuid[])`))
    .orderBy('created_at')
    .orderBy('id')
    .$castTo<Pick<MonitorRow, SettingField | 'id' | 'content' | 'status' | 'billing_period'>>()
    .execute()
  return rows.map(({ status, billing_period, ...row }) => ({
    id: row.id,
    status,
    billing_period,
    settings: toSettings(row, secrets),
  }))
}
