import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type AgentIssuer, agentNameOf } from '#core/people/agent.ts'
import { claimRules } from '#core/people/claim.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { fail } from '#core/language/error.ts'
import type { RateState } from '#core/language/rate-limit.ts'
import { noteSeen } from '#store/people/agent-claims.ts'
import {
  type Identity,
  type NewRegistration,
  findLinkedRegistration,
  insertRegistration,
  noteAssertion,
} from '#store/people/agent-registrations.ts'
import { createAgentToken } from '#store/people/agent-tokens.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'
import type { AgentServices, Assertion } from './agent-assertions.ts'
import { type StartedAttempt, startAttempt } from './claim-start.ts'

/** A registration that was just made. Its claim token stands nowhere but in the answer. */
export type RegisteredAgent = {
  id: string
  type: NewRegistration['type']
  claimToken: string
  claimExpiresAt: Date
}

/** When the agent asked, and from which address, as limits count addresses. */
export type AgentCall = { now: Date; address: string }

/** An agent that names a person, who has to agree. `email` in lower case. */
export async function registerForPerson(
  { database, secrets, limits }: AgentServices,
  email: string,
  { now, address }: AgentCall,
): Promise<{ agent: RegisteredAgent; attempt: StartedAttempt }> {
  await assertWithin(limits.countRegistration(address))
  const wanted = { type: 'service_auth', workspaceId: null, email, identity: null, providerName: null, now } as const
  return database.transaction(async (tx) => {
    const agent = await register(tx, wanted)
    return { agent, attempt: await startAttempt(tx, secrets, { registrationId: agent.id, email, now }) }
  })
}

export type AnonymousAgent = {
  agent: RegisteredAgent
  /** For its first hour; the assertion brings the next one. */
  accessToken: string
  assertion: Assertion
  workspace: { id: string; name: string }
}

/** An agent that begins in a workspace of its own, with all it may do there. */
export async function registerAnonymous(
  { database, assertions, limits }: AgentServices,
  { now, address }: AgentCall,
): Promise<AnonymousAgent> {
  await assertWithin(limits.countRegistration(address))
  await assertWithin(limits.countAnonymous(address))
  const sign = await assertions.ready(now)
  const id = randomUUID()
  const workspace = { id: randomUUID(), name: agentNameOf(id, null) }
  const wanted = { id, workspaceId: workspace.id, email: null, identity: null, providerName: null, now } as const
  return database.transaction(async (tx) => {
    await createWorkspace(tx, { ...workspace, plan: 'pay_as_you_go' })
    const agent = await register(tx, { ...wanted, type: 'anonymous' })
    await insertAuditEntry(tx, {
      workspaceId: workspace.id,
      at: now,
      actor: { kind: 'agent', id, name: workspace.name },
      action: 'register_agent',
      target: { kind: 'workspace', ...workspace },
      details: {},
    })
    const fresh = { id, type: 'anonymous', email: null, claimedAt: null, generation: 1 } as const
    const assertion = await sign(fresh, now)
    await noteAssertion(tx, { id, expiresAt: assertion.expiresAt })
    const accessToken = await createAgentToken(tx, { registrationId: id, now })
    return { agent, accessToken, assertion, workspace }
  })
}

/** What a provider vouches for, by an assertion that may be used once. */
export type Vouched = {
  issuer: AgentIssuer
  identity: Identity
  email: string
  jti: string
  /** From then on the assertion could not be used any more. */
  endsAt: Date
}

export type VouchedAgent =
  | { type: 'linked'; id: string; assertion: Assertion }
  | { type: 'unconfirmed'; agent: RegisteredAgent; attempt: StartedAttempt }

/** An agent that a provider vouches for. Its person agrees once; later agents get an assertion at once. */
export async function registerVouched(
  { database, secrets, assertions, limits }: AgentServices,
  { issuer, identity, email, jti, endsAt }: Vouched,
  { now, address }: AgentCall,
): Promise<VouchedAgent> {
  await assertWithin(limits.countRegistration(address))
  const sign = await assertions.ready(now)
  return database.transaction(async (tx): Promise<VouchedAgent> => {
    const jtiHash = createHash('sha256').update(jti).digest()
    if (!(await noteSeen(tx, { issuer: identity.issuer, jtiHash, expiresAt: endsAt })))
      throw fail('replay_detected', 'This assertion was already used. Get a new one.')
    const linked = await findLinkedRegistration(tx, identity)
    if (linked === null) {
      const wanted = { type: 'identity_assertion', workspaceId: null, providerName: issuer.name } as const
      const agent = await register(tx, { ...wanted, email, identity, now })
      const attempt = await startAttempt(tx, secrets, { registrationId: agent.id, email, now })
      return { type: 'unconfirmed', agent, attempt }
    }
    const assertion = await sign(linked, now)
    await noteAssertion(tx, { id: linked.id, expiresAt: assertion.expiresAt })
    return { type: 'linked', id: linked.id, assertion }
  })
}

type Wanted = Pick<NewRegistration, 'type' | 'workspaceId' | 'email' | 'identity'> & {
  /** Null where no provider vouches for the agent. */
  providerName: string | null
  id?: string
  now: Date
}

async function register(tx: Transaction, wanted: Wanted): Promise<RegisteredAgent> {
  const { type, workspaceId, email, identity, providerName, now } = wanted
  const id = wanted.id ?? randomUUID()
  const claimToken = createTokenText(randomBytes, 'clm_')
  const claimExpiresAt = new Date(now.getTime() + claimRules.tokenMs)
  await insertRegistration(tx, {
    id,
    type,
    name: agentNameOf(id, providerName),
    workspaceId,
    email,
    identity,
    claimHash: hashToken(claimToken),
    claimExpiresAt,
    createdAt: now,
  })
  return { id, type, claimToken, claimExpiresAt }
}

async function assertWithin(counted: Promise<RateState>): Promise<void> {
  const { isExceeded, resetSeconds } = await counted
  if (!isExceeded) return
  const message = `Too many agents register from this address. Try again in ${resetSeconds} s.`
  throw fail('rate_limited', message, { retryAfterSeconds: resetSeconds })
}
