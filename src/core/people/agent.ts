/** The ways in which an agent can register (docs/agents.md). */
export const registrationTypes = ['service_auth', 'identity_assertion', 'anonymous'] as const

/** How an agent came to act here: it registered, or a person was sent here by a program and let it in (OAuth 2.1). */
export const agentTypes = [...registrationTypes, 'authorization_code'] as const
export type AgentType = (typeof agentTypes)[number]

/** The most that the owner of a workspace may let a program take of its credit, in cents. */
export const maxBudgetCents = 100_000_00

export const agentScopes = ['read', 'write'] as const

/**
 * The type of identity assertions, those of providers and our own (draft-ietf-oauth-identity-assertion-authz-grant).
 */
export const assertionType = 'urn:ietf:params:oauth:token-type:id-jag'
export const assertionHeaderType = 'oauth-id-jag+jwt'

export const claimGrant = 'urn:perigee:agent-auth:grant-type:claim'
export const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const accessTokenSeconds = 3600
export const assertionMs = 90 * 86_400_000

/** An identity provider that the operator trusts (PERIGEE_AGENT_ISSUERS). People are shown its `name`. */
export type AgentIssuer = { issuer: string; jwksUri: string; name: string }

/** The name of a registration on the wire: `reg_` and its UUID without dashes. */
export function registrationIdOf(id: string): string {
  return `reg_${id.replaceAll('-', '')}`
}

/** The UUID in the wire name of a registration; null when the text is no such name. */
export function readRegistrationId(text: string): string | null {
  const parts = /^reg_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(text)
  return parts === null ? null : parts.slice(1).join('-')
}

export function claimAttemptIdOf(id: string): string {
  return `cla_${id.replaceAll('-', '')}`
}

/**
 * The name by which people know an agent: its provider, where one vouched for it, and enough of its id to tell two
 * apart.
 */
export function agentNameOf(id: string, providerName: string | null): string {
  const short = id.slice(0, 6)
  return providerName === null ? `Agent ${short}` : `${providerName.slice(0, 100)} agent ${short}`
}
