import { accessTokenSeconds, agentScopes, assertionGrant, claimGrant } from '#core/people/agent.ts'
import { fail } from '#core/language/error.ts'
import { codeGrant, deviceGrant, refreshGrant } from '#core/people/oauth.ts'
import { type Grant, exchangeAssertion, pollClaim } from '#operations/people/agent-tokens.ts'
import { pollDevice } from '#operations/people/oauth-device.ts'
import { type OauthGrant, exchangeCode, refresh } from '#operations/people/oauth-tokens.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { unstored } from './answers.ts'
import { required } from './form.ts'
import type { AgentParts } from './agent-parts.ts'

type Parameters = ReadonlyMap<string, string>
type TokenParts = Pick<AgentParts, 'database' | 'assertions' | 'publicUrl'>

/** POST /oauth2/token (RFC 6749 3.2). */
export async function answerToken(parts: TokenParts, parameters: Parameters, now: Date): Promise<Reply> {
  switch (required(parameters, 'grant_type')) {
    case claimGrant:
      return toReply(await pollClaim(parts, required(parameters, 'claim_token'), now))
    case assertionGrant:
      return toReply(await exchangeAssertion(parts, required(parameters, 'assertion'), now))
    case codeGrant:
      return toOauthReply(await exchangeCode(parts, codeExchange(parameters), now))
    case refreshGrant:
      return toOauthReply(await refresh(parts, refreshOf(parameters), now))
    case deviceGrant:
      return toOauthReply(await pollDevice(parts, deviceOf(parameters), now))
    default:
      throw fail('unsupported_grant_type', `The grant_type must be one of ${grants.join(', ')}.`)
  }
}

const grants = [codeGrant, refreshGrant, deviceGrant, assertionGrant, claimGrant]

/** RFC 6749 4.1.3 and RFC 7636 4.5. */
function codeExchange(parameters: Parameters) {
  return {
    code: required(parameters, 'code'),
    clientId: required(parameters, 'client_id'),
    redirectUri: parameters.get('redirect_uri'),
    verifier: required(parameters, 'code_verifier'),
    resource: parameters.get('resource'),
  }
}

/** RFC 8628 3.4. */
function deviceOf(parameters: Parameters) {
  return { deviceCode: required(parameters, 'device_code'), clientId: required(parameters, 'client_id') }
}

/** RFC 6749 6. */
function refreshOf(parameters: Parameters) {
  return {
    refreshToken: required(parameters, 'refresh_token'),
    clientId: required(parameters, 'client_id'),
    scope: parameters.get('scope'),
    resource: parameters.get('resource'),
  }
}

/** What every answer has that brings an access token (RFC 6749 5.1). */
export function tokenMembers(
  accessToken: string,
  scopes: readonly string[] = agentScopes,
): Record<string, string | number> {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    scope: scopes.join(' '),
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

function toOauthReply({ accessToken, refreshToken, scopes }: OauthGrant): Reply {
  const body = { ...tokenMembers(accessToken, scopes), refresh_token: refreshToken }
  return { status: 200, body, headers: unstored }
}
