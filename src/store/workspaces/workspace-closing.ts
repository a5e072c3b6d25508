import { insertAuditEntry } from './audit.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { holdPartitionsOf } from '#store/monitors/monitor-removal.ts'
import { setMonitorStatuses } from '#store/monitors/monitors.ts'

export type Closing = { workspaceId: string; at: Date }

/** Why a monitor is paused whose workspace was revoked: with the workspace it starts again. */
const revokedPause = 'workspace_revoked'

/**
 * Ends a workspace for abuse: its tokens and agents are gone, its checks stop, and its people
 * cannot act in it. Everything it has stays. Returns how many monitors were paused; null when it is closed already.
 */
export function revokeWorkspace(database: Database, { workspaceId, at }: Closing): Promise<number | null> {
  return database.transaction(async (tx) => {
    if (!(await close(tx, { workspaceId, at }))) return null
    await tx.query
      .updateTable('api_tokens')
      .set({ revoked_at: at })
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', 'is', null)
      .execute()
    await tx.query.deleteFrom('agent_registrations').where('workspace_id', '=', workspaceId).execute()
    const monitorIds = await holdMonitors(tx, { workspaceId, status: 'enabled', pauseReason: null })
    await setMonitorStatuses(tx, { monitorIds, status: 'paused', pauseReason: revokedPause, at })
    await note(tx, { workspaceId, at, action: 'revoke_workspace', monitors: monitorIds.length })
    return monitorIds.length
  })
}

/**
 * Opens a revoked workspace again and resumes the monitors that its end had paused. Tokens and agents stay ended: who
 * has them is not known any more. Returns how many monitors were resumed; null when the workspace is not a revoked one.
 */
export function restoreWorkspace(database: Database, { workspaceId, at }: Closing): Promise<number | null> {
  return database.transaction(async (tx) => {
    const opened = await tx.query
      .updateTable('workspaces')
      .set({ closed_at: null, closed_reason: null })
      .where('id', '=', workspaceId)
      .where('closed_reason', '=', 'revoked')
      .executeTakeFirst()
    if (opened.numUpdatedRows !== 1n) return null
    const monitorIds = await holdMonitors(tx, { workspaceId, status: 'paused', pauseReason: revokedPause })
    await setMonitorStatuses(tx, { monitorIds, status: 'enabled', at })
    await note(tx, { workspaceId, at, action: 'restore_workspace', monitors: monitorIds.length })
    return monitorIds.length
  })
}

async function close(tx: Transaction, { workspaceId, at }: Closing): Promise<boolean> {
  const closed = await tx.query
    .updateTable('workspaces')
    .set({ closed_at: at, closed_reason: 'revoked' })
    .where('id', '=', workspaceId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return closed.numUpdatedRows === 1n
}

async function note(
  tx: Transaction,
  { workspaceId, at, action, monitors }: Closing & { action: string; monitors: number },
): Promise<void> {
  const actor = { kind: 'operator', id: null, name: 'perigee workspace' } as const
  const target = { kind: 'workspace', id: workspaceId, name: null } as const
  await insertAuditEntry(tx, { workspaceId, at, actor, action, target, details: { monitors } })
}

/** Waits for the engines' transactions on these monitors first, as every transaction does that locks several. */
async function holdMonitors(
  tx: Transaction,
  wanted: { workspaceId: string; status: 'enabled' | 'paused'; pauseReason: string | null },
): Promise<string[]> {
  await holdPartitionsOf(tx, wanted.workspaceId)
  const held = await tx.client.query<{ id: string }>(
    `select id
    from monitors
    where workspace_id = $1
      and status = $2
      and pause_reason is not distinct from $3
    order by id
    for no key update`,
    [wanted.workspaceId, wanted.status, wanted.pauseReason],
  )
  return held.rows.map(({ id }) => id)
}
