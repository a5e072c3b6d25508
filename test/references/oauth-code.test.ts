// How a program that signs its person in comes to tokens, with clients that take nothing but what the standards allow.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { agentsAt, publicUrl } from '../support/agents.ts'
import type { TestApi } from '../support/api.ts'
import { callback, returned } from '../support/oauth.ts'
import { peopleApi } from '../support/people.ts'

type Sent = { method: string; headers: Record<string, string>; body?: RequestInit['body'] | undefined }

describe('a program that signs its person in', async () => {
  const people = await peopleApi()
  const { api } = people
  const owner = await people.newcomer('olga@example.com', 'Olga')
  const agents = agentsAt(api, null)

  /** Does what the page does with the address to which a program sends, and gives the address that takes the answer. */
  async function agree(address: URL, scopes: string[]): Promise<URL> {
    const sent = await agents.send(address.pathname + address.search, { redirect: 'manual' })
    const page = new URL(sent.headers.get('location') ?? '')
    assert.equal(page.pathname, '/connect')
    const body = { request: Object.fromEntries(page.searchParams), scopes }
    return returned(await owner.browser.api('POST', '/authorization', { workspace: owner.workspaceId, body }))
  }

  it('passes oauth4webapi, from registration to revocation', async () => {
    const through = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: fetchOf(api) } as const
    const issuer = new URL(publicUrl)
    const discovered = await oauth.discoveryRequest(issuer, { ...through, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    const metadata = { redirect_uris: [callback], client_name: 'Strict', token_endpoint_auth_method: 'none' }
    const program = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, metadata, through),
    )
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const address = new URL(server.authorization_endpoint ?? assert.fail())
    address.search = new URLSearchParams({
      client_id: program.client_id,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'read',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: `${publicUrl}/api/v1`,
    }).toString()
    const back = await agree(address, ['read'])
    const answer = oauth.validateAuthResponse(server, program, back, state)
    const authentication = oauth.None()
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      program,
      await oauth.authorizationCodeGrantRequest(server, program, authentication, answer, callback, verifier, through),
    )
    assert.deepEqual([granted.scope, granted.expires_in], ['read', 3600])
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      program,
      await oauth.refreshTokenGrantRequest(server, program, authentication, granted.refresh_token ?? '', through),
    )
    const account = new URL(`${publicUrl}/api/v1/account`)
    const ask = async (token: string): Promise<Response> =>
      oauth.protectedResourceRequest(token, 'GET', account, undefined, null, through)
    assert.equal((await ask(refreshed.access_token)).status, 200)
    const told = await oauth.processIntrospectionResponse(
      server,
      program,
      await oauth.introspectionRequest(server, program, asking(api.token), refreshed.access_token, through),
    )
    assert.equal(told.active, false, 'of another workspace')
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, program, authentication, refreshed.refresh_token ?? '', through),
    )
    await assert.rejects(ask(refreshed.access_token), oauth.WWWAuthenticateChallengeError)
  })

  it('passes openid-client, which is told an address alone', async () => {
    const program = await client.dynamicClientRegistration(
      new URL(publicUrl),
      { redirect_uris: [callback], client_name: 'Strict' },
      client.None(),
      { algorithm: 'oauth2', execute: [client.allowInsecureRequests], [client.customFetch]: fetchOf(api) },
    )
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const address = client.buildAuthorizationUrl(program, {
      redirect_uri: callback,
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const back = await agree(address, ['read', 'write'])
    const granted = await client.authorizationCodeGrant(program, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    const refreshed = await client.refreshTokenGrant(program, granted.refresh_token ?? '')
    const account = new URL(`${publicUrl}/api/v1/account`)
    assert.equal((await client.fetchProtectedResource(program, refreshed.access_token, account, 'GET')).status, 200)
    await assert.rejects(
      client.authorizationCodeGrant(program, back, { pkceCodeVerifier: verifier, expectedState: state }),
      { error: 'invalid_grant' },
    )
  })
})

/** The token of somebody who may ask, as a client authenticates that has one. */
function asking(token: string): oauth.ClientAuth {
  return (...[, , , headers]) => headers.set('authorization', `Bearer ${token}`)
}

function fetchOf({ app }: TestApi) {
  return async (url: string, { method, headers, body }: Sent): Promise<Response> =>
    app.request(url, { method, headers, body: body ?? null }, { address: '192.0.2.1' })
}
