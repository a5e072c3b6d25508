/** How an agent registered (specification, Agent self-registration). */
export const registrationTypes = ['service_auth', 'identity_assertion', 'anonymous'] as const
export type RegistrationType = (typeof registrationTypes)[number]

export const agentScopes = ['read', 'write'] as const

/** What assertions are: those of providers, and ours (specification, L493; draft-ietf-oauth-identity-assertion-authz-grant). */
export const assertionType = 'urn:ietf:params:oauth:token-type:id-jag'
export const assertionHeaderType = 'oauth-id-jag+jwt'

export const claimGrant = 'urn:perigee:agent-auth:grant-type:claim'
export const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const accessTokenSeconds = 3600
export const assertionMs = 90 * 86_400_000

/** A provider whose word counts (PERIGEE_AGENT_ISSUERS). `name` is what people are shown. */
export type AgentIssuer = { issuer: string; jwksUri: string; name: string }

/** How a registration is named on the wire: `reg_` and its UUID without dashes. */
export function registrationIdOf(id: string): string {
  return `reg_${id.replaceAll('-', '')}`
}

/** The UUID of a registration's name on the wire; null when it is none. */
export function readRegistrationId(text: string): string | null {
  const parts = /^reg_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(text)
  return parts === null ? null : parts.slice(1).join('-')
}

export function claimAttemptIdOf(id: string): string {
  return `cla_${id.replaceAll('-', '')}`
}

/** What people call an agent: its provider, where one vouched for it, and enough of its id to tell two apart. */
export function agentNameOf(id: string, providerName: string | null): string {
  const short = id.slice(0, 6)
  return providerName === null ? `Agent ${short}` : `${providerName.slice(0, 100)} agent ${short}`
}
