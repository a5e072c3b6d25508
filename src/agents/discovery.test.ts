import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { assertionGrant, claimGrant } from '#core/people/agent.ts'
import { agentBench, alice, publicUrl, textOf } from '../../test/support/agents.ts'

const agentAuthSchema = z.object({
  skill: z.url(),
  identity_endpoint: z.url(),
  claim_endpoint: z.url(),
  registration_endpoint: z.url(),
  register_uri: z.url(),
  claim_uri: z.url(),
  identity_types_supported: z.array(z.string()),
})

type Sent = { method: string; headers: Record<string, string>; body?: RequestInit['body'] | undefined }

/** Every address that a discovery document names must be served, and be the same in every document. */
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

  for (const path of ['', '/api/v1', '/mcp'])
    it(`has a document of ${path === '' ? 'the origin' : path} that names it`, async () => {
      const resource = new URL(`${publicUrl}${path}`)
      const response = await oauth.resourceDiscoveryRequest(resource, through)
      assert.match(response.headers.get('cache-control') ?? '', /public/)
      const document = await oauth.processResourceDiscoveryResponse(resource, response)
      assert.deepEqual(document.scopes_supported, ['read', 'write'])
      assert.deepEqual(document.bearer_methods_supported, ['header'])
    })

  it('tells of all ways to register, and only of addresses that are served', async () => {
    const { body } = await bench.send('/.well-known/oauth-authorization-server', {})
    assert.equal(body['issuer'], publicUrl)
    assert.deepEqual(body['response_types_supported'], [])
    assert.deepEqual(body['token_endpoint_auth_methods_supported'], ['none'])
    assert.deepEqual(body['grant_types_supported'], [assertionGrant, claimGrant])
    const agentAuth = agentAuthSchema.parse(body['agent_auth'])
    assert.deepEqual(agentAuth.identity_types_supported, ['service_auth', 'identity_assertion', 'anonymous'])
    assert.equal(agentAuth.registration_endpoint, agentAuth.identity_endpoint)
    assert.equal(agentAuth.register_uri, agentAuth.identity_endpoint)
    assert.equal(agentAuth.claim_uri, agentAuth.claim_endpoint)
    const posted = [
      agentAuth.identity_endpoint,
      agentAuth.claim_endpoint,
      body['token_endpoint'],
      body['revocation_endpoint'],
    ]
    for (const address of posted) {
      const { pathname } = new URL(String(address))
      const refused = await bench.send(pathname, { method: 'GET' })
      assert.equal(refused.status, 405, pathname)
      assert.equal(refused.headers.get('allow'), 'POST')
    }
    for (const address of [agentAuth.skill, body['jwks_uri'], body['service_documentation']])
      assert.equal((await bench.send(new URL(String(address)).pathname, {})).status, 200, String(address))
  })

  it('shows the public keys of the assertions, and nothing of the private ones', async () => {
    await bench.identity({ type: 'anonymous' })
    const { text, body } = await bench.send('/.well-known/jwks.json', {})
    const keys = z.array(z.record(z.string(), z.string())).parse(body['keys'])
    assert.equal(keys.length, 1)
    assert.deepEqual(Object.keys(keys[0] ?? {}).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    assert.ok(!text.includes('"d"'))
  })

  it('has a recipe in which every address is one of the documents', async () => {
    const { status, headers, text } = await bench.send('/auth.md', {})
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.ok(!/\{[a-z_]+\}/.test(text), 'a placeholder is left')
    assert.ok(text.includes(claimGrant) && text.includes(assertionGrant))
    const document = (await bench.send('/.well-known/oauth-authorization-server', {})).text
    const known = /\/agent\/identity(?:\/claim)?$|\/oauth2\/(?:token|revoke)$/
    const addresses = [...text.matchAll(/curl -s (\S+)/g)].map(([, address = '']) => address)
    assert.ok(addresses.length >= 9)
    for (const address of addresses.filter((one) => known.test(one)))
      assert.ok(document.includes(`"${address}"`), address)
    for (const error of ['login_required', 'interaction_required', 'claim_expired', 'replay_detected', 'slow_down'])
      assert.ok(text.includes(error), error)
  })
})
