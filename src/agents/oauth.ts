import { fail } from '#core/language/error.ts'
import { claimRules } from '#core/people/claim.ts'
import { codeGrant, deviceGrant, oauthRules, refreshGrant, shownCode } from '#core/people/oauth.ts'
import { tokensOf } from '#http/credentials.ts'
import type { AgentCall } from '#operations/people/agent-registration.ts'
import { registerOauthClient } from '#operations/people/oauth-clients.ts'
import { startDevice } from '#operations/people/oauth-device.ts'
import { introspect } from '#operations/people/oauth-tokens.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { consentUri, deviceUri } from './addresses.ts'
import type { AgentParts } from './agent-parts.ts'
import { unstored } from './answers.ts'
import { required } from './form.ts'

const maxQueryLength = 8_000

/**
 * GET /oauth2/authorize (RFC 6749 4.1.1): leads the browser to the page where its person decides. Everything is judged
 * there, because only a person who is signed in makes us fetch what a program names.
 */
export function toConsent(request: Request, publicUrl: string): Response {
  const { search } = new URL(request.url)
  if (search.length > maxQueryLength)
    throw fail('invalid_request', `The query is longer than ${maxQueryLength} letters.`)
  return new Response(null, { status: 302, headers: { ...unstored, Location: consentUri(publicUrl, search) } })
}

/** POST /oauth2/register (RFC 7591 3.2.1): members that the client asked for otherwise are told as they are. */
export async function answerOauthClient(parts: AgentParts, body: unknown, call: AgentCall): Promise<Reply> {
  const { id, name, redirectUris } = await registerOauthClient(parts, body, call)
  return {
    status: 201,
    body: {
      client_id: id,
      client_id_issued_at: Math.floor(call.now.getTime() / 1000),
      client_name: name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: redirectUris.length === 0 ? [refreshGrant, deviceGrant] : [codeGrant, refreshGrant, deviceGrant],
      response_types: redirectUris.length === 0 ? [] : ['code'],
    },
    headers: unstored,
  }
}

/** POST /oauth2/device_authorization (RFC 8628 3.2). */
export async function answerDevice(
  parts: AgentParts,
  form: ReadonlyMap<string, string>,
  call: AgentCall,
): Promise<Reply> {
  const asked = { clientId: required(form, 'client_id'), scope: form.get('scope'), resource: form.get('resource') }
  const { deviceCode, userCode } = await startDevice(parts, asked, call)
  const shown = shownCode(userCode)
  return {
    status: 200,
    body: {
      device_code: deviceCode,
      user_code: shown,
      verification_uri: deviceUri(parts.publicUrl),
      verification_uri_complete: deviceUri(parts.publicUrl, shown),
      expires_in: oauthRules.deviceCodeMs / 1000,
      interval: claimRules.intervalSeconds,
    },
    headers: unstored,
  }
}

export type Asking = { form: ReadonlyMap<string, string>; asking: readonly string[] }

/** Who asks is told by a token in the headers, and not by the one in question. */
export function askingOf(request: Request, form: ReadonlyMap<string, string>): Asking {
  return { form, asking: tokensOf(request.headers) }
}

/** POST /oauth2/introspect (RFC 7662 2). */
export async function answerIntrospection(parts: AgentParts, { form, asking }: Asking, now: Date): Promise<Reply> {
  const told = await introspect(parts, { token: required(form, 'token'), asking }, now)
  if (told === null) return { status: 200, body: { active: false }, headers: unstored }
  const { scope, workspaceId, name, expiresAt } = told
  return {
    status: 200,
    body: {
      active: true,
      scope: scope === 'write' ? 'read write' : 'read',
      token_type: 'Bearer',
      iss: parts.publicUrl,
      sub: workspaceId,
      username: name,
      ...(expiresAt === null ? {} : { exp: Math.floor(expiresAt.getTime() / 1000) }),
    },
    headers: unstored,
  }
}
