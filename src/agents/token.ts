import { accessTokenSeconds, agentScopes, assertionGrant, claimGrant } from '#core/people/agent.ts'
import { fail } from '#core/language/error.ts'
import { type Grant, exchangeAssertion, pollClaim } from '#operations/people/agent-tokens.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { unstored } from './answers.ts'
import { required } from './form.ts'
import type { AgentParts } from './agent-parts.ts'

type Parameters = ReadonlyMap<string, string>
type TokenParts = Pick<AgentParts, 'database' | 'assertions'>

/** POST /oauth2/token (RFC 6749 3.2). */
export async function answerToken(parts: TokenParts, parameters: Parameters, now: Date): Promise<Reply> {
  switch (required(parameters, 'grant_type')) {
    case claimGrant:
      return toReply(await pollClaim(parts, required(parameters, 'claim_token'), now))
    case assertionGrant:
      return toReply(await exchangeAssertion(parts, required(parameters, 'assertion'), now))
    default:
      throw fail('unsupported_grant_type', `The grant_type must be ${assertionGrant} or ${claimGrant}.`)
  }
}

/** What every answer has that brings an access token (RFC 6749 5.1). */
export function tokenMembers(accessToken: string): Record<string, string | number> {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    scope: agentScopes.join(' '),
  }
}

function toReply({ accessToken, assertion }: Grant): Reply {
  const body = {
    ...tokenMembers(accessToken),
    identity_assertion: assertion.text,
    assertion_expires: assertion.expiresAt.toISOString(),
  }
  return { status: 200, body, headers: unstored }
}
