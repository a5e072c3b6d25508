import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { assertionGrant, claimGrant } from '#core/people/agent.ts'
import { codeGrant, deviceGrant, refreshGrant } from '#core/people/oauth.ts'
import { agentBench, publicUrl } from '../../test/support/agents.ts'

const agentAuthSchema = z.object({
  skill: z.url(),
  identity_endpoint: z.url(),
  claim_endpoint: z.url(),
  registration_endpoint: z.url(),
  register_uri: z.url(),
  claim_uri: z.url(),
  identity_types_supported: z.array(z.string()),
})

/** Every address that a discovery document names must be served, and be the same in every document. */
describe('discovery', async () => {
  const bench = await agentBench()

  it('tells of all ways to register, and only of addresses that are served', async () => {
    const { body } = await bench.send('/.well-known/oauth-authorization-server', {})
    assert.equal(body['issuer'], publicUrl)
    assert.deepEqual(body['response_types_supported'], ['code'])
    assert.deepEqual(body['code_challenge_methods_supported'], ['S256'])
    assert.deepEqual(body['token_endpoint_auth_methods_supported'], ['none'])
    assert.deepEqual(body['grant_types_supported'], [assertionGrant, claimGrant, codeGrant, refreshGrant, deviceGrant])
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
      body['registration_endpoint'],
      body['device_authorization_endpoint'],
      body['introspection_endpoint'],
    ]
    for (const address of posted) {
      const { pathname } = new URL(String(address))
      const refused = await bench.send(pathname, { method: 'GET' })
      assert.equal(refused.status, 405, pathname)
      assert.equal(refused.headers.get('allow'), 'POST')
    }
    const { pathname } = new URL(String(body['authorization_endpoint']))
    assert.equal((await bench.send(pathname, { redirect: 'manual' })).status, 302)
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
