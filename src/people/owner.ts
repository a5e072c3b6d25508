import type { Actor } from '#core/audit.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { addMember, listMembers } from '#store/people/members.ts'
import { insertPerson } from '#store/people/people.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'

export type NewOwner = {
  workspaceId: string
  email: string
  name: string
  passwordHash: string
  actor: Actor
  at: Date
}

/** A new person who owns a workspace, at the operator's word. Null when the address has an account already. */
export async function insertOwner(tx: Transaction, owner: NewOwner): Promise<string | null> {
  const { workspaceId, email, name, passwordHash, actor, at } = owner
  const personId = await insertPerson(tx, { email, name, passwordHash, at })
  if (personId === null) return null
  await addMember(tx, { workspaceId, personId, role: 'owner', at })
  const target = { kind: 'member', id: personId, name } as const
  await insertAuditEntry(tx, { workspaceId, at, actor, action: 'set_up', target, details: { role: 'owner' } })
  return personId
}

/**
 * PERIGEE_OWNER_EMAIL and _PASSWORD: the owner of the installation's workspace, as long as it has none.
 * `taken`: somebody else signed up with that address before.
 */
export async function ensureOwner(
  database: Database,
  owner: { workspaceId: string; email: string; password: string; now: Date },
): Promise<'present' | 'made' | 'taken'> {
  const { workspaceId, password, now: at } = owner
  const email = owner.email.toLowerCase()
  const hasOwner = async (reader: Transaction | Database): Promise<boolean> =>
    (await listMembers(reader, workspaceId)).some(({ role }) => role === 'owner')
  if (await hasOwner(database)) return 'present'
  // better-auth's own hash, without the rest of it.
  const { hashPassword } = await import('better-auth/crypto')
  const passwordHash = await hashPassword(password)
  return database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    if (await hasOwner(tx)) return 'present'
    const actor = { kind: 'operator', id: null, name: 'PERIGEE_OWNER_EMAIL' } as const
    const name = email.split('@')[0] ?? email
    return (await insertOwner(tx, { workspaceId, email, name, passwordHash, actor, at })) === null ? 'taken' : 'made'
  })
}
