// How an agent comes to a token, with a client that takes nothing but what OAuth allows.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { assertionGrant, claimGrant } from '#core/people/agent.ts'
import { agentBench, alice, publicUrl, textOf } from '../support/agents.ts'

type Sent = { method: string; headers: Record<string, string>; body?: RequestInit['body'] | undefined }

describe('discovery', async () => {
  const bench = await agentBench()
  const { api } = bench
  const insecure = { [oauth.allowInsecureRequests]: true } as const
  const through = {
    ...insecure,
    [oauth.customFetch]: async (url: string, { method, headers, body }: Sent) =>
      api.app.request(url, { method, headers, body: body ?? null }, { address: '192.0.2.1' }),
  }
  const client: oauth.Client = { client_id: 'perigee-test', token_endpoint_auth_method: 'none' }

  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(publicUrl)
    const response = await oauth.discoveryRequest(issuer, { ...through, algorithm: 'oauth2' })
    return oauth.processDiscoveryResponse(issuer, response)
  }

  it('leads a strict client from a 401 to a token, and from there to its revocation', async () => {
    const resource = new URL(`${publicUrl}/api/v1`)
    const account = new URL(`${publicUrl}/api/v1/account`)
    const challenged = await oauth
      .protectedResourceRequest(`pga_${'x'.repeat(40)}`, 'GET', account, undefined, null, through)
      .catch((error: unknown) => error)
    assert.ok(challenged instanceof oauth.WWWAuthenticateChallengeError)
    const [challenge] = challenged.cause
    assert.equal(challenge?.scheme, 'bearer')
    assert.equal(challenge?.parameters.error, 'invalid_token')
    const metadata = await oauth.resourceDiscoveryRequest(resource, through)
    assert.equal(challenge?.parameters['resource_metadata'], `${publicUrl}/.well-known/oauth-protected-resource/api/v1`)
    const known = await oauth.processResourceDiscoveryResponse(resource, metadata)
    assert.deepEqual(known.authorization_servers, [publicUrl])
    const server = await discover()
    const { body } = await bench.identity({ type: 'anonymous' })
    const parameters = { assertion: textOf(body, 'identity_assertion') }
    const granted = await oauth.genericTokenEndpointRequest(
      server,
      client,
      oauth.None(),
      assertionGrant,
      parameters,
      through,
    )
    const token = await oauth.processGenericTokenEndpointResponse(server, client, granted)
    assert.equal(token.expires_in, 3600)
    assert.equal(token.scope, 'read write')
    assert.equal(typeof token['identity_assertion'], 'string')
    const answer = await oauth.protectedResourceRequest(token.access_token, 'GET', account, undefined, null, through)
    assert.equal(answer.status, 200)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), token.access_token, through),
    )
    assert.equal(await bench.account(token.access_token), 401)
  })

  it('shows a strict client the states of a claim as errors of OAuth', async () => {
    const server = await discover()
    const { body } = await bench.identity({ type: 'service_auth', login_hint: alice.email })
    const parameters = { claim_token: textOf(body, 'claim_token') }
    const poll = async (): Promise<unknown> => {
      const response = await oauth.genericTokenEndpointRequest(
        server,
        client,
        oauth.None(),
        claimGrant,
        parameters,
        through,
      )
      return oauth.processGenericTokenEndpointResponse(server, client, response).catch((error: unknown) => error)
    }
    const pending = await poll()
    assert.ok(pending instanceof oauth.ResponseBodyError)
    assert.equal(pending.error, 'authorization_pending')
    await bench.complete(body['claim'])
    const token = await poll()
    assert.ok(typeof token === 'object' && token !== null && 'access_token' in token)
  })

  for (const path of ['', '/api/v1', '/mcp', '/mcp/monitors'])
    it(`has a document of ${path === '' ? 'the origin' : path} that names it`, async () => {
      const resource = new URL(`${publicUrl}${path}`)
      const response = await oauth.resourceDiscoveryRequest(resource, through)
      assert.match(response.headers.get('cache-control') ?? '', /public/)
      const document = await oauth.processResourceDiscoveryResponse(resource, response)
      assert.deepEqual(document.scopes_supported, ['read', 'write'])
      assert.deepEqual(document.bearer_methods_supported, ['header'])
    })
})
