import type { Selectable } from 'kysely'
import { agentTypes, type AgentType } from '#core/people/agent.ts'
import type { Scope } from '#core/people/oauth.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import type { AgentRegistrations } from '#store/database/schema.ts'

export type Registration = {
  id: string
  type: AgentType
  name: string
  /** The workspace in which it acts; null until a person has chosen one. */
  workspaceId: string | null
  /** Whose confirmation it needs, in lower case. */
  email: string | null
  identity: Identity | null
  claimExpiresAt: Date
  claimedAt: Date | null
  spentAt: Date | null
  polledAt: Date | null
  pollSeconds: number
  generation: number
  createdAt: Date
  lastUsedAt: Date | null
  /** The program that a person let in, and where its code was sent, if it was; null of agents that registered. */
  client: { id: string; redirectHost: string | null } | null
  scopes: readonly Scope[]
  /** What it may take of the workspace's credit; null is all of it. */
  budgetCents: number | null
  spentCents: number
}

/** Who vouched for whom. `tenant` is empty where a provider has none. */
export type Identity = { issuer: string; subject: string; tenant: string }

export type NewRegistration = Pick<
  Registration,
  'id' | 'type' | 'name' | 'workspaceId' | 'email' | 'identity' | 'claimExpiresAt' | 'createdAt'
> & { claimHash: Buffer } & Partial<Pick<Registration, 'client' | 'scopes' | 'budgetCents'>>

/** Agents shown at once. */
const maxListed = 500

export async function insertRegistration(reader: Reader, registration: NewRegistration): Promise<void> {
  const { identity } = registration
  await reader.query
    .insertInto('agent_registrations')
    .values({
      id: registration.id,
      type: registration.type,
      name: registration.name,
      workspace_id: registration.workspaceId,
      email: registration.email,
      issuer: identity?.issuer ?? null,
      subject: identity?.subject ?? null,
      tenant: identity?.tenant ?? null,
      claim_hash: registration.claimHash,
      claim_expires_at: registration.claimExpiresAt,
      created_at: registration.createdAt,
      client_id: registration.client?.id ?? null,
      redirect_host: registration.client?.redirectHost ?? null,
      budget_cents: registration.budgetCents ?? null,
      ...(registration.scopes === undefined ? {} : { scopes: [...registration.scopes] }),
    })
    .execute()
}

/** How a registration is found: by its id, or by what the agent holds. */
export type RegistrationKey = { id: string } | { claimHash: Buffer }

export async function findRegistration(reader: Reader, key: RegistrationKey): Promise<Registration | null> {
  const row = await selectBy(reader, key).executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** No other transaction hands out, claims or ends it until this one ends. */
export async function lockRegistration(tx: Transaction, key: RegistrationKey): Promise<Registration | null> {
  const row = await selectBy(tx, key).forUpdate().executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** The agent that a person linked this identity to; it acts in a workspace. */
export async function findLinkedRegistration(reader: Reader, identity: Identity): Promise<Registration | null> {
  const row = await reader.query
    .selectFrom('agent_identities')
    .innerJoin('agent_registrations', 'agent_registrations.id', 'agent_identities.registration_id')
    .selectAll('agent_registrations')
    .where('agent_identities.issuer', '=', identity.issuer)
    .where('agent_identities.subject', '=', identity.subject)
    .where('agent_identities.tenant', '=', identity.tenant)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** Agents that act in a workspace, the newest first. A program that never came for its tokens is none. */
export async function listRegistrations(reader: Reader, workspaceId: string): Promise<Registration[]> {
  const rows = await reader.query
    .selectFrom('agent_registrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where((where) => where.or([where('type', '<>', 'authorization_code'), where('spent_at', 'is not', null)]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute()
  return rows.map(fromRow)
}

/** Sets what an agent may take of the workspace's credit; null is all of it. Null when it is not in the workspace. */
export async function setBudget(
  reader: Reader,
  { workspaceId, id, cents }: { workspaceId: string; id: string; cents: number | null },
): Promise<{ name: string } | null> {
  const changed = await reader.query
    .updateTable('agent_registrations')
    .set({ budget_cents: cents })
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .returning('name')
    .executeTakeFirst()
  return changed ?? null
}

/** Ends an agent with its tokens, assertions and links, and says which it was; null when it is not in the workspace. */
export async function deleteRegistration(
  reader: Reader,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ name: string } | null> {
  const deleted = await reader.query
    .deleteFrom('agent_registrations')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .returning('name')
    .executeTakeFirst()
  return deleted ?? null
}

/** Ends all agents that act in a workspace. */
export async function deleteRegistrations(reader: Reader, workspaceId: string): Promise<void> {
  await reader.query.deleteFrom('agent_registrations').where('workspace_id', '=', workspaceId).execute()
}

/** Ends the agents that a person let into a workspace. */
export async function deleteRegistrationsOf(
  reader: Reader,
  { workspaceId, personId }: { workspaceId: string; personId: string },
): Promise<void> {
  await reader.query
    .deleteFrom('agent_registrations')
    .where('claimed_by', '=', personId)
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** Ends the assertions made so far: later ones belong to another generation. Returns it. */
export async function raiseGeneration(reader: Reader, id: string): Promise<number> {
  const { generation } = await reader.query
    .updateTable('agent_registrations')
    .set((row) => ({ generation: row('generation', '+', 1) }))
    .where('id', '=', id)
    .returning('generation')
    .executeTakeFirstOrThrow()
  return generation
}

export async function noteAssertion(reader: Reader, { id, expiresAt }: { id: string; expiresAt: Date }): Promise<void> {
  await reader.query
    .updateTable('agent_registrations')
    .set({ assertion_expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

/** Whether this would be a person's first agent, and the first that this provider vouches for. */
export async function countClaimed(
  reader: Reader,
  { personId, issuer }: { personId: string; issuer: string | null },
): Promise<{ all: number; ofIssuer: number }> {
  const { all, of_issuer: ofIssuer } = await reader.query
    .selectFrom('agent_registrations')
    .select(({ fn }) => [
      fn.countAll<string>().as('all'),
      fn.countAll<string>().filterWhere('issuer', '=', issuer).as('of_issuer'),
    ])
    .where('claimed_by', '=', personId)
    .executeTakeFirstOrThrow()
  return { all: Number(all), ofIssuer: Number(ofIssuer) }
}

function selectBy(reader: Reader, key: RegistrationKey) {
  const query = reader.query.selectFrom('agent_registrations').selectAll()
  return 'id' in key ? query.where('id', '=', key.id) : query.where('claim_hash', '=', key.claimHash)
}

function fromRow(row: Selectable<AgentRegistrations>): Registration {
  return {
    id: row.id,
    type: typeOf(row.type),
    name: row.name,
    workspaceId: row.workspace_id,
    email: row.email,
    identity:
      row.issuer === null || row.subject === null
        ? null
        : { issuer: row.issuer, subject: row.subject, tenant: row.tenant ?? '' },
    claimExpiresAt: row.claim_expires_at,
    claimedAt: row.claimed_at,
    spentAt: row.spent_at,
    polledAt: row.polled_at,
    pollSeconds: row.poll_seconds,
    generation: row.generation,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    client: row.client_id === null ? null : { id: row.client_id, redirectHost: row.redirect_host },
    scopes: row.scopes.includes('write') ? ['read', 'write'] : ['read'],
    budgetCents: row.budget_cents,
    spentCents: row.spent_cents,
  }
}

function typeOf(text: string): AgentType {
  const type = agentTypes.find((one) => one === text)
  if (type === undefined) throw new Error(`A registration has the unknown type ${text}.`)
  return type
}
