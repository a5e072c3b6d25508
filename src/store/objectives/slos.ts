import { sql } from 'kysely'
import type { EscalationPlace } from '#core/contacts/escalation.ts'
import type { AlarmReason } from '#core/objectives/alarm.ts'
import { maxSlos, type SloChange, type SloInput } from '#core/objectives/slo.ts'
import type { Reader, Transaction } from '#store/database/database.ts'

type OfWorkspace = { workspaceId: string; id: string }

export type StoredAlarm = {
  reason: AlarmReason
  id: string
  since: Date
  acknowledged: { at: Date; by: string } | null
  escalation: AlarmEscalation | null
}

/** The policy with which an alarm began, which may be deleted by now, and the step that is next; `at` null: none waits. */
export type AlarmEscalation = EscalationPlace & { policyId: string; at: Date | null }

export type StoredSlo = SloInput & {
  id: string
  workspaceId: string
  alarm: StoredAlarm | null
  createdAt: Date
}

/** The oldest first. */
export async function listSlos({ query }: Reader, workspaceId: string): Promise<StoredSlo[]> {
  const rows = await query
    .selectFrom('slos')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxSlos)
    .$castTo<SloRow>()
    .execute()
  return rows.map(toSlo)
}

export async function findSlo({ query }: Reader, { workspaceId, id }: OfWorkspace): Promise<StoredSlo | null> {
  const row = await query
    .selectFrom('slos')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .$castTo<SloRow>()
    .executeTakeFirst()
  return row === undefined ? null : toSlo(row)
}

/** False, and nothing written, when the workspace has all it may have. */
export async function insertSlo(tx: Transaction, slo: SloInput & OfWorkspace): Promise<boolean> {
  const { id, workspaceId, ...given } = slo
  await tx.query
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { count } = await tx.query
    .selectFrom('slos')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxSlos) return false
  await tx.query
    .insertInto('slos')
    // Creates that waited for their turn come after the one they waited for.
    .values({ ...given, id, workspace_id: workspaceId, created_at: sql<Date>`clock_timestamp()` })
    .execute()
  return true
}

/** What is left out stays. False where there is none. */
export async function updateSlo({ query }: Transaction, of: OfWorkspace, change: SloChange): Promise<boolean> {
  const updated = await query
    .updateTable('slos')
    .set(change)
    .where('workspace_id', '=', of.workspaceId)
    .where('id', '=', of.id)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

export async function deleteSlo({ query }: Transaction, { workspaceId, id }: OfWorkspace): Promise<void> {
  await query.deleteFrom('slos').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** The ids among these that the workspace has. */
export async function knownMonitors({ query }: Reader, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await query
    .selectFrom('monitors')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

export type SloRow = SloInput & {
  id: string
  workspace_id: string
  alarm: AlarmReason | null
  alarm_id: string | null
  alarm_at: Date | null
  alarm_acknowledged_at: Date | null
  alarm_acknowledged_by: string | null
  alarm_policy_id: string | null
  alarm_step: number
  alarm_turn: number
  alarm_step_at: Date | null
  created_at: Date
}

export const columns = [
  'id',
  'workspace_id',
  'name',
  'monitor_ids',
  'tags',
  'objective',
  'window_days',
  'alerts',
  'alert_channel_ids',
  'escalation_policy_id',
  'alarm',
  'alarm_id',
  'alarm_at',
  'alarm_acknowledged_at',
  'alarm_acknowledged_by',
  'alarm_policy_id',
  'alarm_step',
  'alarm_turn',
  'alarm_step_at',
  'created_at',
] as const

export function toSlo(row: SloRow): StoredSlo {
  const { id, name, monitor_ids, tags, objective, window_days, alerts, alert_channel_ids, escalation_policy_id } = row
  const given = { name, monitor_ids, tags, objective, window_days, alerts, alert_channel_ids, escalation_policy_id }
  return { ...given, id, workspaceId: row.workspace_id, alarm: alarmOf(row), createdAt: row.created_at }
}

function alarmOf(row: SloRow): StoredAlarm | null {
  const { alarm: reason, alarm_id: id, alarm_at: since, alarm_policy_id: policyId } = row
  if (reason === null || id === null || since === null) return null
  const { alarm_acknowledged_at: at, alarm_acknowledged_by: by } = row
  return {
    reason,
    id,
    since,
    acknowledged: at === null || by === null ? null : { at, by },
    escalation:
      policyId === null ? null : { policyId, step: row.alarm_step, turn: row.alarm_turn, at: row.alarm_step_at },
  }
}
