import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { claimRules } from '#core/people/claim.ts'
import { createMonitor } from '../../test/support/monitors.ts'
import { agentBench, alice, publicUrl, readBlock, textOf } from '../../test/support/agents.ts'
import { startIssuer } from '../../test/support/issuer.ts'

describe('agents that register', async () => {
  const issuer = await startIssuer(publicUrl)
  const bench = await agentBench({ issuers: [issuer] })
  const { api } = bench
  const claimUrl = `${publicUrl}/agent/identity/claim`

  it('are told exactly what the profile says, when they name a person', async () => {
    const { status, headers, body } = await bench.identity({ type: 'service_auth', login_hint: 'Alice@Example.com' })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(body).toSorted(), [
      'claim',
      'claim_token',
      'claim_token_expires',
      'claim_url',
      'post_claim_scopes',
      'registration_id',
      'registration_type',
    ])
    assert.match(textOf(body, 'registration_id'), /^reg_[0-9a-f]{32}$/)
    assert.match(textOf(body, 'claim_token'), /^clm_[A-Za-z0-9]{40}$/)
    assert.equal(body['registration_type'], 'service_auth')
    assert.equal(body['claim_url'], claimUrl)
    assert.deepEqual(body['post_claim_scopes'], ['read', 'write'])
    assert.equal(Date.parse(textOf(body, 'claim_token_expires')), bench.now().getTime() + claimRules.tokenMs)
    const { claim } = body
    const { userCode, attemptToken } = readBlock(claim)
    assert.match(userCode, /^\d{6}$/)
    assert.deepEqual(claim, {
      user_code: userCode,
      verification_uri: `${publicUrl}/claim?claim_attempt_token=${attemptToken}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('are given a workspace of their own, when they name nobody', async () => {
    const { status, body } = await bench.identity({ type: 'anonymous' })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), [
      'access_token',
      'assertion_expires',
      'claim_token',
      'claim_token_expires',
      'claim_url',
      'expires_in',
      'identity_assertion',
      'post_claim_scopes',
      'pre_claim_scopes',
      'registration_id',
      'registration_type',
      'scope',
      'token_type',
      'workspace',
    ])
    assert.deepEqual([body['token_type'], body['expires_in'], body['scope']], ['Bearer', 3600, 'read write'])
    assert.equal(await bench.account(textOf(body, 'access_token')), 200, 'the first token works at once')
    assert.deepEqual(body['pre_claim_scopes'], ['read', 'write'])
    assert.equal(Date.parse(textOf(body, 'assertion_expires')), bench.now().getTime() + 90 * 86_400_000)
    const exchanged = await bench.exchange(textOf(body, 'identity_assertion'))
    assert.deepEqual(Object.keys(exchanged.body).toSorted(), [
      'access_token',
      'assertion_expires',
      'expires_in',
      'identity_assertion',
      'scope',
      'token_type',
    ])
    assert.match(textOf(exchanged.body, 'access_token'), /^pga_[A-Za-z0-9]{40}$/)
    assert.equal(exchanged.body['token_type'], 'Bearer')
    assert.equal(exchanged.body['expires_in'], 3600)
    assert.equal(exchanged.body['scope'], 'read write')
    assert.equal(exchanged.headers.get('cache-control'), 'no-store')
    assert.equal(exchanged.headers.get('pragma'), 'no-cache')
    const account = await api.get('/account', { token: textOf(exchanged.body, 'access_token') })
    assert.equal(account.status, 200)
    assert.match(account.text, /"plan":"pay_as_you_go".*"limit":0/)
    const billing = await api.request('PUT', '/account/billing', {
      token: textOf(exchanged.body, 'access_token'),
      body: { billing_name: 'Agent' },
    })
    assert.equal(billing.status, 200)
  })

  it('need their person once, when a provider vouches for them, and from then on nobody', async () => {
    const first = await bench.vouched(await issuer.assertion(bench.now()))
    assert.equal(first.status, 401)
    assert.match(
      first.headers.get('www-authenticate') ?? '',
      /^AgentAuth error="interaction_required", error_description="[^"]+"$/,
    )
    assert.deepEqual(Object.keys(first.body).toSorted(), [
      'claim',
      'claim_token',
      'claim_token_expires',
      'claim_url',
      'error',
      'error_description',
      'message',
      'post_claim_scopes',
      'registration_id',
      'registration_type',
    ])
    assert.equal(first.body['error'], 'interaction_required')
    assert.equal((await bench.complete(first.body['claim'])).type, 'claimed')
    const again = await bench.vouched(await issuer.assertion(bench.now(), { claims: { email: 'alice@other.example' } }))
    assert.equal(again.status, 200)
    assert.deepEqual(Object.keys(again.body).toSorted(), [
      'assertion_expires',
      'identity_assertion',
      'registration_id',
      'registration_type',
      'scopes',
    ])
    assert.equal(again.body['registration_id'], first.body['registration_id'])
    const { body } = await bench.exchange(textOf(again.body, 'identity_assertion'))
    assert.equal(await bench.account(textOf(body, 'access_token')), 200)
    const stranger = await bench.vouched(await issuer.assertion(bench.now(), { claims: { sub: 'user-2' } }))
    assert.equal(stranger.status, 401)
    const tenant = await bench.vouched(await issuer.assertion(bench.now(), { claims: { tenant: 'other' } }))
    assert.equal(tenant.status, 401, 'a tenant is another identity')
  })

  it('are named by what they do, and seen by when they were last heard of', async () => {
    const { body } = await bench.identity({ type: 'service_auth', login_hint: alice.email })
    await bench.complete(body['claim'])
    const { body: granted } = await bench.poll(textOf(body, 'claim_token'))
    const token = textOf(granted, 'access_token')
    const monitor = await createMonitor(api, {}, token)
    assert.equal((await api.get(`/monitors/${monitor.id}`)).status, 200, 'it acts in the workspace of its person')
  })

  it('act by either header, and until their token is an hour old', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    const { body: granted } = await bench.exchange(textOf(body, 'identity_assertion'))
    const token = textOf(granted, 'access_token')
    const bearer = { token: null, headers: { Authorization: `Bearer ${token}` } }
    assert.equal((await api.get('/account', bearer)).status, 200)
    assert.equal((await api.get('/account', { token, headers: { Authorization: 'Payment abc' } })).status, 200)
    bench.wait(3599)
    assert.equal((await api.get('/account', bearer)).status, 200)
    bench.wait(1)
    const expired = await api.get('/account', bearer)
    assert.equal(expired.status, 401)
    assert.match(expired.text, /token_expired/)
    const refreshed = await bench.exchange(textOf(granted, 'identity_assertion'))
    assert.equal(await bench.account(textOf(refreshed.body, 'access_token')), 200)
  })

  it('are no members of a workspace that another of their tokens names', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    const { body: granted } = await bench.exchange(textOf(body, 'identity_assertion'))
    const headers = { Authorization: `Bearer ${textOf(granted, 'access_token')}` }
    assert.equal((await api.get('/account', { headers })).status, 401)
  })
})
