import { randomUUID } from 'node:crypto'
import type { MemberRole } from '#core/people/person.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'

export type Invitation = {
  id: string
  workspaceId: string
  email: string
  role: MemberRole
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

export type NewInvitation = Omit<Invitation, 'id'> & { tokenHash: Buffer }

export const invitationDays = 7
export const invitationLimit = 100
const forgetAtOnce = 1000

/** A new one to the same address takes the place of the earlier, whose link ends. Null when too many wait. */
export async function insertInvitation(tx: Transaction, invitation: NewInvitation): Promise<Invitation | null> {
  const { workspaceId, email, role, tokenHash, invitedBy, createdAt, expiresAt } = invitation
  await lockWorkspace(tx, workspaceId)
  const waiting = await listInvitations(tx, { workspaceId, now: createdAt })
  if (waiting.filter((other) => other.email !== email).length >= invitationLimit) return null
  const id = randomUUID()
  const values = {
    id,
    role,
    token_hash: tokenHash,
    invited_by: invitedBy,
    created_at: createdAt,
    expires_at: expiresAt,
  }
  await tx.query
    .insertInto('invitations')
    .values({ workspace_id: workspaceId, email, ...values })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'email']).doUpdateSet(values))
    .execute()
  return { id, workspaceId, email, role, invitedBy, createdAt, expiresAt }
}

/** Invitations that still wait, newest first. */
export async function listInvitations(
  reader: Reader,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<Invitation[]> {
  return selectInvitations(reader)
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(2 * invitationLimit)
    .execute()
}

/** The invitation that a link names while it waits, with the name of its workspace. */
export async function findInvitation(
  reader: Reader,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<(Invitation & { workspaceName: string }) | null> {
  const found = await selectInvitations(reader)
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
    .select('workspaces.name as workspaceName')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('closed_at', 'is', null)
    .$castTo<Invitation & { workspaceName: string }>()
    .executeTakeFirst()
  return found ?? null
}

/** Removes an invitation; of two at once one gets it. */
export async function takeInvitation(
  tx: Transaction,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<Invitation | null> {
  const taken = await tx.query
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .returning(columns)
    .$castTo<Invitation>()
    .executeTakeFirst()
  return taken ?? null
}

/** Removes invitations that were not accepted in time, at most 1,000 a call; returns how many. */
export async function forgetInvitations(database: Database, now: Date): Promise<number> {
  const forgotten = await database.query
    .deleteFrom('invitations')
    .where(
      'id',
      'in',
      database.query
        .selectFrom('invitations')
        .select('id')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(forgetAtOnce),
    )
    .executeTakeFirst()
  return Number(forgotten.numDeletedRows)
}

const columns = [
  'invitations.id',
  'workspace_id as workspaceId',
  'email',
  'role',
  'invited_by as invitedBy',
  'invitations.created_at as createdAt',
  'expires_at as expiresAt',
] as const

function selectInvitations(reader: Reader) {
  return reader.query.selectFrom('invitations').select(columns).$castTo<Invitation>()
}
