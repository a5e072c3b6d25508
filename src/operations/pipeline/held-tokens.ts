import type { Audience } from '#core/people/oauth.ts'
import { isAgentTokenText, isTokenText } from '#core/people/token-format.ts'
import { type AgentToken, findAgentTokens, touchAgent } from '#store/people/agent-tokens.ts'
import type { Database } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { type StoredToken, findTokens, touchToken } from '#store/people/tokens.ts'
import type { Caller } from './operation.ts'

/** A token that exists: an API token of a workspace, or an access token of an agent. */
export type HeldToken = {
  hash: Buffer
  isRevoked: boolean
  expiresAt: Date | null
  lastUsedAt: Date | null
  /** The part of the service that it is for; null is all of it. */
  audience: Audience
  caller: Caller
  /** Writes the time of its last use. */
  touch: (at: Date) => Promise<void>
}

/** The tokens among these texts, revoked and expired ones too. A text without the form of a token is not looked for. */
export async function findHeldTokens(database: Database, texts: readonly string[]): Promise<HeldToken[]> {
  const own = texts.filter(isTokenText).map(hashToken)
  const agents = texts.filter(isAgentTokenText).map(hashToken)
  const [ofWorkspaces, ofAgents] = await Promise.all([
    own.length === 0 ? [] : findTokens(database, own),
    agents.length === 0 ? [] : findAgentTokens(database, agents),
  ])
  return [
    ...ofWorkspaces.map((token) => fromWorkspace(token, database)),
    ...ofAgents.map((token) => fromAgent(token, database)),
  ]
}

function fromWorkspace(token: StoredToken, database: Database): HeldToken {
  const { id, workspaceId, scope, name, hash, revokedAt, expiresAt, lastUsedAt } = token
  const actor = { actor: name, actorKind: 'token', actorId: id } as const
  return {
    hash,
    isRevoked: revokedAt !== null,
    expiresAt,
    lastUsedAt,
    audience: null,
    caller: { workspaceId, scope, tokenId: id, ...actor, person: null, role: null },
    touch: (at) => touchToken(database, { tokenId: id, at }),
  }
}

/** Requests count for the agent and not for its token, so a fresh token brings no fresh limit. */
function fromAgent(token: AgentToken, database: Database): HeldToken {
  const { registrationId, workspaceId, name, hash, expiresAt, lastUsedAt, audience, scope } = token
  const actor = { actor: name, actorKind: 'agent', actorId: registrationId } as const
  return {
    hash,
    isRevoked: false,
    expiresAt,
    lastUsedAt,
    audience,
    caller: { workspaceId, scope, tokenId: registrationId, ...actor, person: null, role: null },
    touch: (at) => touchAgent(database, { registrationId, at }),
  }
}
