import type { Database } from '#store/database/database.ts'
import { StartError } from '#store/database/start-error.ts'
import { restoreWorkspace, revokeWorkspace } from '#store/workspaces/workspace-closing.ts'
import { type Workspace, readWorkspace } from '#store/workspaces/workspaces.ts'

export type ClosingOrder = { verb: 'revoke' | 'restore'; workspaceId: string }

/** Ends a workspace for abuse, or takes that back. Returns what to tell the operator. */
export async function changeClosing(
  database: Database,
  { verb, workspaceId }: ClosingOrder,
  at: Date,
): Promise<string> {
  const workspace = await readWorkspace(database, workspaceId)
  if (workspace === null)
    throw new StartError(`There is no workspace ${workspaceId}. List them with "perigee workspace list".`)
  return verb === 'revoke' ? revoke(database, workspace, at) : restore(database, workspace, at)
}

async function revoke(database: Database, { id: workspaceId, name }: Workspace, at: Date): Promise<string> {
  const paused = await revokeWorkspace(database, { workspaceId, at })
  if (paused === null) throw new StartError(`The workspace ${JSON.stringify(name)} is already closed.`)
  return `The workspace ${JSON.stringify(name)} is revoked; ${counted(paused)} paused.\n`
}

async function restore(
  database: Database,
  { id: workspaceId, name, closedReason }: Workspace,
  at: Date,
): Promise<string> {
  const resumed = await restoreWorkspace(database, { workspaceId, at })
  if (resumed !== null) return `The workspace ${JSON.stringify(name)} is open again; ${counted(resumed)} resumed.\n`
  const why = closedReason === 'claimed' ? 'was claimed by another workspace' : 'is open'
  throw new StartError(`The workspace ${JSON.stringify(name)} ${why}.`)
}

function counted(monitors: number): string {
  return monitors === 1 ? '1 monitor is' : `${monitors} monitors are`
}
