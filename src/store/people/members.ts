import type { MemberRole } from '#core/people/person.ts'
import { deleteRegistrationsOf } from './agent-registrations.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'

export type Member = { personId: string; name: string; email: string; role: MemberRole; joinedAt: Date }

export type Membership = { workspaceId: string; name: string; plan: string; role: MemberRole }

type MemberScope = { workspaceId: string; personId: string }

export const memberLimit = 100
/** Workspaces that a person owns: each has the free slots of its plan. */
export const ownedLimit = 10
const maxListed = 1000

/** Null for strangers, and in a closed workspace for every person. */
export async function readRole(reader: Reader, { workspaceId, personId }: MemberScope): Promise<MemberRole | null> {
  const row = await reader.query
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .where('closed_at', 'is', null)
    .$castTo<{ role: MemberRole }>()
    .executeTakeFirst()
  return row?.role ?? null
}

/** In the order of joining. */
export async function listMembers(reader: Reader, workspaceId: string): Promise<Member[]> {
  return selectMembers(reader)
    .where('workspace_id', '=', workspaceId)
    .orderBy('joined_at')
    .orderBy('person_id')
    .limit(maxListed)
    .execute()
}

export async function findMember(reader: Reader, { workspaceId, personId }: MemberScope): Promise<Member | null> {
  const member = await selectMembers(reader)
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return member ?? null
}

/** The open workspaces of a person, in the order of joining. */
export async function listMemberships(reader: Reader, personId: string): Promise<Membership[]> {
  return reader.query
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(['workspace_id as workspaceId', 'workspaces.name', 'plan', 'role'])
    .where('person_id', '=', personId)
    .where('closed_at', 'is', null)
    .orderBy('joined_at')
    .orderBy('workspace_id')
    .limit(maxListed)
    .$castTo<Membership>()
    .execute()
}

export async function countOwned(reader: Reader, personId: string): Promise<number> {
  const { owned } = await reader.query
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .select(({ fn }) => fn.countAll<string>().as('owned'))
    .where('person_id', '=', personId)
    .where('role', '=', 'owner')
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(owned)
}

/** `full`: the workspace has as many members as it can. One who is a member already keeps the role. */
export async function addMember(
  tx: Transaction,
  { workspaceId, personId, role, at }: MemberScope & { role: MemberRole; at: Date },
): Promise<'added' | 'present' | 'full'> {
  await lockWorkspace(tx, workspaceId)
  const members = await listMembers(tx, workspaceId)
  if (members.some((member) => member.personId === personId)) return 'present'
  if (members.length >= memberLimit) return 'full'
  await tx.query
    .insertInto('members')
    .values({ workspace_id: workspaceId, person_id: personId, role, joined_at: at })
    .execute()
  return 'added'
}

/** `last_owner`: nothing changed, for a workspace is never without an owner. Null when there is no such member. */
export async function changeRole(
  tx: Transaction,
  { workspaceId, personId, role }: MemberScope & { role: MemberRole },
): Promise<'changed' | 'last_owner' | null> {
  const state = await lockMember(tx, { workspaceId, personId })
  if (state === null) return null
  if (state.isLastOwner && role !== 'owner') return 'last_owner'
  await tx.query
    .updateTable('members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('person_id', '=', personId)
    .execute()
  return 'changed'
}

/**
 * The agents that the person let into the workspace go with them: they act on that person's behalf, and a provider's
 * word would bring them new tokens for ever.
 */
export async function removeMember(tx: Transaction, scope: MemberScope): Promise<'removed' | 'last_owner' | null> {
  const state = await lockMember(tx, scope)
  if (state === null) return null
  if (state.isLastOwner) return 'last_owner'
  await tx.query
    .deleteFrom('members')
    .where('workspace_id', '=', scope.workspaceId)
    .where('person_id', '=', scope.personId)
    .execute()
  await deleteRegistrationsOf(tx, scope)
  return 'removed'
}

/** Whatever is left of a person's memberships, in workspaces that were closed. */
export async function removeMemberships(tx: Transaction, personId: string): Promise<void> {
  await tx.query.deleteFrom('members').where('person_id', '=', personId).execute()
}

/** When two owners leave at once, the second finds that it is the last. */
async function lockMember(
  tx: Transaction,
  { workspaceId, personId }: MemberScope,
): Promise<{ isLastOwner: boolean } | null> {
  await lockWorkspace(tx, workspaceId)
  const members = await listMembers(tx, workspaceId)
  if (!members.some((member) => member.personId === personId)) return null
  const owners = members.filter(({ role }) => role === 'owner')
  return { isLastOwner: owners.length === 1 && owners[0]?.personId === personId }
}

function selectMembers(reader: Reader) {
  return reader.query
    .selectFrom('members')
    .innerJoin('people.user as person', 'person.id', 'members.person_id')
    .select(['person_id as personId', 'person.name', 'person.email', 'role', 'joined_at as joinedAt'])
    .$castTo<Member>()
}
