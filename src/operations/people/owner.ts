import type { Actor } from '#core/audit.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { readSetting } from '#store/installation/settings.ts'
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

export type ConfiguredOwner = {
  workspaceId: string
  email: string
  /** Called only where the owner has to be made: a hash takes a while. */
  hashPassword: () => Promise<string>
  now: Date
}

/** `taken`: a person who is no owner has an account with that address. */
export type OwnerOutcome = 'present' | 'made' | 'taken'

/** PERIGEE_OWNER_EMAIL and _PASSWORD: makes the owner of the installation's workspace, as long as it has none. */
export async function ensureOwner(database: Database, owner: ConfiguredOwner): Promise<OwnerOutcome> {
  const { workspaceId, hashPassword, now: at } = owner
  const email = owner.email.toLowerCase()
  if (await hasOwner(database, workspaceId)) return 'present'
  const passwordHash = await hashPassword()
  return database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    if (await hasOwner(tx, workspaceId)) return 'present'
    const actor = { kind: 'operator', id: null, name: 'PERIGEE_OWNER_EMAIL' } as const
    const name = email.split('@')[0] ?? email
    return (await insertOwner(tx, { workspaceId, email, name, passwordHash, actor, at })) === null ? 'taken' : 'made'
  })
}

/**
 * Tells whether nobody owns the installation yet. It reads nothing any more once somebody does, because a workspace is
 * never again without an owner.
 */
export function createOwnerWatch(database: Database): () => Promise<boolean> {
  let isOwned = false
  return async () => {
    if (isOwned) return false
    const workspaceId = await readSetting(database, 'owner_workspace')
    isOwned = typeof workspaceId === 'string' && (await hasOwner(database, workspaceId))
    return !isOwned
  }
}

async function hasOwner(reader: Reader, workspaceId: string): Promise<boolean> {
  return (await listMembers(reader, workspaceId)).some(({ role }) => role === 'owner')
}
