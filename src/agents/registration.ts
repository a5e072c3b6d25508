import { randomBytes, randomUUID } from 'node:crypto'
import { agentNameOf, agentScopes, registrationIdOf } from '#core/people/agent.ts'
import { claimRules } from '#core/people/claim.ts'
import { createTokenText } from '#core/people/token-format.ts'
import { type NewRegistration, insertRegistration } from '#store/people/agent-registrations.ts'
import type { Transaction } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'

type Wanted = Pick<NewRegistration, 'type' | 'workspaceId' | 'email' | 'identity'> & {
  /** Of the provider that vouches for it. */
  providerName: string | null
  id?: string
  now: Date
}

export type Registered = {
  id: string
  name: string
  /** What every answer to a new registration has. */
  members: {
    registration_id: string
    registration_type: NewRegistration['type']
    claim_url: string
    claim_token: string
    claim_token_expires: string
    post_claim_scopes: typeof agentScopes
  }
}

/** Writes a new registration; its claim token stands nowhere but in the answer. */
export async function register(tx: Transaction, wanted: Wanted, claimUrl: string): Promise<Registered> {
  const { type, workspaceId, email, identity, providerName, now } = wanted
  const id = wanted.id ?? randomUUID()
  const name = agentNameOf(id, providerName)
  const claimToken = createTokenText(randomBytes, 'clm_')
  const claimExpiresAt = new Date(now.getTime() + claimRules.tokenMs)
  await insertRegistration(tx, {
    id,
    type,
    name,
    workspaceId,
    email,
    identity,
    claimHash: hashToken(claimToken),
    claimExpiresAt,
    createdAt: now,
  })
  return {
    id,
    name,
    members: {
      registration_id: registrationIdOf(id),
      registration_type: type,
      claim_url: claimUrl,
      claim_token: claimToken,
      claim_token_expires: claimExpiresAt.toISOString(),
      post_claim_scopes: agentScopes,
    },
  }
}
