import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertionGrant, assertionType, claimGrant } from '#core/people/agent.ts'
import { type AgentAnswer, agentBench, alice, publicUrl, readBlock, textOf } from '../../test/support/agents.ts'
import { startIssuer } from '../../test/support/issuer.ts'

const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/api/v1"`

function assertRefusal(answer: AgentAnswer, status: number, error: string): void {
  assert.deepEqual([answer.status, answer.body['error']], [status, error], answer.text)
  assert.ok(textOf(answer.body, 'error_description').length > 10)
  assert.equal(answer.body['message'], answer.body['error_description'])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  const challenge = answer.headers.get('www-authenticate') ?? ''
  assert.equal(challenge.startsWith(`AgentAuth error="${error}"`), status === 401, challenge)
}

describe('the table of registration and token errors', async () => {
  const issuer = await startIssuer(publicUrl)
  const bench = await agentBench({ issuers: [issuer] })
  const { now } = bench

  async function registered(): Promise<Record<string, unknown>> {
    return (await bench.identity({ type: 'service_auth', login_hint: alice.email })).body
  }
  async function vouched(claims: Record<string, unknown>): Promise<AgentAnswer> {
    return bench.vouched(await issuer.assertion(now(), { claims }))
  }

  const invalidIdentities: [string, unknown][] = [
    ['no type', {}],
    ['an unknown type', { type: 'password' }],
    ['a list', []],
    ['null', null],
    ['no login_hint', { type: 'service_auth' }],
    ['a login_hint that is no text', { type: 'service_auth', login_hint: 7 }],
    ['no assertion_type', { type: 'identity_assertion', assertion: 'a.b.c' }],
    ['another assertion_type', { type: 'identity_assertion', assertion_type: 'saml', assertion: 'a.b.c' }],
    ['no assertion', { type: 'identity_assertion', assertion_type: assertionType }],
    ['an assertion of two parts', { type: 'identity_assertion', assertion_type: assertionType, assertion: 'a.b' }],
    ['an assertion of nonsense', { type: 'identity_assertion', assertion_type: assertionType, assertion: 'a.b.c' }],
  ]
  for (const [what, body] of invalidIdentities)
    it(`invalid_request: /agent/identity with ${what}`, async () =>
      assertRefusal(await bench.identity(body), 400, 'invalid_request'))

  it('invalid_request: a body that is no JSON, or does not say so, or is too large', async () => {
    const headers = { 'Content-Type': 'application/json' }
    for (const path of ['/agent/identity', '/agent/identity/claim']) {
      assertRefusal(await bench.send(path, { method: 'POST', headers, body: '{' }), 400, 'invalid_request')
      assertRefusal(await bench.send(path, { method: 'POST', headers }), 400, 'invalid_request')
      assertRefusal(await bench.send(path, { method: 'POST', body: '{"type":"anonymous"}' }), 400, 'invalid_request')
      const large = { method: 'POST', headers, body: JSON.stringify({ type: 'x'.repeat(70_000) }) }
      assertRefusal(await bench.send(path, large), 413, 'invalid_request')
    }
  })

  for (const hint of ['', 'alice', 'alice@', '@example.com', 'a b@example.com', `${'a'.repeat(250)}@example.com`])
    it(`invalid_login_hint: ${JSON.stringify(hint.slice(0, 20))}`, async () =>
      assertRefusal(await bench.identity({ type: 'service_auth', login_hint: hint }), 400, 'invalid_login_hint'))

  it('invalid_request: /agent/identity/claim without a token, without an email, or with one that is none', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    const claim_token = textOf(body, 'claim_token')
    assertRefusal(await bench.claim({ email: alice.email }), 400, 'invalid_request')
    assertRefusal(await bench.claim({ claim_token }), 400, 'invalid_request')
    assertRefusal(await bench.claim({ claim_token, email: 'alice' }), 400, 'invalid_request')
    assertRefusal(await bench.claim({ claim_token, email: 7 }), 400, 'invalid_request')
  })

  it('invalid_request: an agent that was registered for one person is claimed for no other', async () => {
    const claim_token = textOf(await registered(), 'claim_token')
    assertRefusal(await bench.claim({ claim_token, email: 'eve@example.com' }), 400, 'invalid_request')
    assert.equal((await bench.claim({ claim_token, email: 'ALICE@example.com' })).status, 200)
    assert.equal((await bench.claim({ claim_token, login_hint: alice.email })).status, 200)
    assert.equal((await bench.claim({ claim_token })).status, 200, 'whose it is is known')
  })

  const ofIdJag: [string, string, Record<string, unknown>][] = [
    ['invalid_issuer', 'an issuer that is not trusted', { iss: 'https://evil.example' }],
    ['invalid_audience', 'another audience', { aud: 'https://other.example' }],
    ['expired', 'the end of its time', { exp: 1 }],
    ['missing_verified_email', 'no email', { email: undefined }],
  ]
  for (const [error, what, claims] of ofIdJag)
    it(`${error}: ${what}`, async () => assertRefusal(await vouched(claims), 400, error))

  it('invalid_signature: a key that is not the issuer’s', async () =>
    assertRefusal(await bench.vouched(await issuer.assertion(now(), { isForged: true })), 400, 'invalid_signature'))

  it('replay_detected: the same assertion twice', async () => {
    const assertion = await issuer.assertion(now())
    assertRefusal(await bench.vouched(assertion), 401, 'interaction_required')
    assertRefusal(await bench.vouched(assertion), 400, 'replay_detected')
  })

  it('login_required: the last sign-in is an hour ago', async () => {
    const answer = await vouched({ auth_time: Math.floor(now().getTime() / 1000) - 3600 })
    assertRefusal(answer, 401, 'login_required')
    assert.equal(answer.body['max_age'], 3600)
    assert.match(answer.headers.get('www-authenticate') ?? '', /max_age="3600"/)
  })

  it('interaction_required: an identity that nobody linked', async () => {
    const answer = await vouched({ sub: 'never seen' })
    assertRefusal(answer, 401, 'interaction_required')
    assert.match(readBlock(answer.body['claim']).userCode, /^\d{6}$/)
  })

  it('invalid_claim_token: one that was never made', async () =>
    assertRefusal(
      await bench.claim({ claim_token: `clm_${'a'.repeat(40)}`, email: alice.email }),
      401,
      'invalid_claim_token',
    ))

  it('claimed_or_in_flight: somebody has confirmed the agent, before its poll and after', async () => {
    const body = await registered()
    const claim_token = textOf(body, 'claim_token')
    await bench.complete(body['claim'])
    assertRefusal(await bench.claim({ claim_token, email: alice.email }), 409, 'claimed_or_in_flight')
    assert.equal((await bench.poll(claim_token)).status, 200)
    assertRefusal(await bench.claim({ claim_token, email: alice.email }), 409, 'claimed_or_in_flight')
  })

  const badForms: [string, RequestInit][] = [
    [
      'a JSON body',
      { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ grant_type: claimGrant }) },
    ],
    ['no body', {}],
    ['no grant_type', { body: new URLSearchParams({ claim_token: 'clm_x' }) }],
    ['an empty grant_type', { body: new URLSearchParams({ grant_type: '', claim_token: 'clm_x' }) }],
    [
      'a repeated grant_type',
      {
        body: new URLSearchParams([
          ['grant_type', claimGrant],
          ['grant_type', claimGrant],
          ['claim_token', 'x'],
        ]),
      },
    ],
    [
      'a repeated claim_token',
      {
        body: new URLSearchParams([
          ['grant_type', claimGrant],
          ['claim_token', 'x'],
          ['claim_token', 'y'],
        ]),
      },
    ],
    ['no claim_token', { body: new URLSearchParams({ grant_type: claimGrant }) }],
    ['no assertion', { body: new URLSearchParams({ grant_type: assertionGrant }) }],
    ['an empty assertion', { body: new URLSearchParams({ grant_type: assertionGrant, assertion: '' }) }],
  ]
  for (const [what, request] of badForms)
    it(`invalid_request: /oauth2/token with ${what}`, async () =>
      assertRefusal(await bench.send('/oauth2/token', { method: 'POST', ...request }), 400, 'invalid_request'))

  for (const grant_type of ['password', 'urn:other:agent-auth:grant-type:claim'])
    it(`unsupported_grant_type: ${grant_type}`, async () =>
      assertRefusal(await bench.token({ grant_type, claim_token: 'x' }), 400, 'unsupported_grant_type'))

  it('invalid_grant: an assertion that is none, and a claim token that was used', async () => {
    assertRefusal(await bench.exchange('nonsense'), 400, 'invalid_grant')
    const body = await registered()
    await bench.complete(body['claim'])
    assert.equal((await bench.poll(textOf(body, 'claim_token'))).status, 200)
    assertRefusal(await bench.poll(textOf(body, 'claim_token')), 400, 'invalid_grant')
  })

  it('authorization_pending, slow_down, expired_token: the states of a claim', async () => {
    const claimToken = textOf(await registered(), 'claim_token')
    assertRefusal(await bench.poll(claimToken), 400, 'authorization_pending')
    assertRefusal(await bench.poll(claimToken), 400, 'slow_down')
    assertRefusal(await bench.poll('clm_unknown'), 400, 'expired_token')
  })

  it('claim_expired: after seven days', async () => {
    const claim_token = textOf(await registered(), 'claim_token')
    bench.wait(7 * 86_400 - 1)
    assert.equal((await bench.claim({ claim_token, email: alice.email })).status, 200)
    bench.wait(1)
    assertRefusal(await bench.claim({ claim_token, email: alice.email }), 410, 'claim_expired')
  })
})

describe('limits of registration', async () => {
  const bench = await agentBench({ rates: { registrationsPerMinute: 3, anonymousPerDay: 2 } })

  it('rate_limited: with seconds to wait, by address, and only for what registers', async () => {
    for (let count = 0; count < 20; count += 1) assert.equal((await bench.identity({})).status, 400)
    const body = { type: 'service_auth', login_hint: alice.email }
    for (let count = 0; count < 3; count += 1) assert.equal((await bench.identity(body)).status, 200)
    const refused = await bench.identity(body)
    assertRefusal(refused, 429, 'rate_limited')
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds))
    assert.equal((await bench.identity(body, '198.51.100.7')).status, 200)
  })

  it('counts a /64 of IPv6 as one address, and anonymous agents by the day', async () => {
    assert.equal((await bench.identity({ type: 'anonymous' }, '2001:db8:1:2::1')).status, 200)
    assert.equal((await bench.identity({ type: 'anonymous' }, '2001:db8:1:2:ffff::2')).status, 200)
    const refused = await bench.identity({ type: 'anonymous' }, '2001:db8:1:2::3')
    assertRefusal(refused, 429, 'rate_limited')
    assert.ok(Number(refused.headers.get('retry-after')) > 80_000)
    assert.equal((await bench.identity({ type: 'anonymous' }, '2001:db8:1:3::1')).status, 200)
  })
})

describe('anonymous agents that are switched off', async () => {
  const bench = await agentBench({ rates: { anonymousPerDay: 0 } })

  it('are refused with what else an agent can do, and named nowhere', async () => {
    const refused = await bench.identity({ type: 'anonymous' })
    assertRefusal(refused, 400, 'invalid_request')
    assert.match(refused.text, /The type must be service_auth or identity_assertion\./)
    const { rows } = await bench.api.database.pool.query('select from agent_registrations')
    assert.equal(rows.length, 0)
    const { text } = await bench.send('/.well-known/oauth-authorization-server', {})
    assert.match(text, /"identity_types_supported":\["service_auth","identity_assertion"\]/)
    const recipe = await bench.send('/auth.md', {})
    assert.doesNotMatch(recipe.text, /["`]anonymous["`]/)
    assert.match(recipe.text, /`identity_assertion`/)
  })

  it('leave the other ways open', async () => {
    assert.equal((await bench.identity({ type: 'service_auth', login_hint: alice.email })).status, 200)
  })
})

describe('the limit of other calls', async () => {
  const bench = await agentBench()

  it('rate_limited: six hundred claims, polls, exchanges, revocations and looks at the keys a minute', async () => {
    const { body } = await bench.identity({ type: 'anonymous' }, '192.0.2.7')
    const { body: granted } = await bench.exchange(textOf(body, 'identity_assertion'))
    const token = textOf(granted, 'access_token')
    const calls = [
      () => bench.claim({}),
      () => bench.token({ grant_type: claimGrant }),
      () => bench.token({ grant_type: assertionGrant }),
      () => bench.revoke('none of ours'),
      () => bench.send('/.well-known/jwks.json', {}),
    ]
    const answered = new Set<number>()
    for (let count = 1; count < 600; count += calls.length)
      for (const call of calls) answered.add((await call()).status)
    assert.deepEqual(
      [...answered].toSorted((a, b) => a - b),
      [200, 400, 429],
    )
    for (const call of [...calls, () => bench.revoke(token)]) assertRefusal(await call(), 429, 'rate_limited')
    assert.ok(Number((await bench.revoke(token)).headers.get('retry-after')) >= 1)
    assert.equal(await bench.account(token), 200, 'nobody was told that it has ended')
    const form = { method: 'POST', body: new URLSearchParams({ token }), address: '198.51.100.7' }
    assert.equal((await bench.send('/oauth2/revoke', form)).status, 200)
    assert.equal(await bench.account(token), 401)
  })
})

describe('the table of authentication errors', async () => {
  const bench = await agentBench({ rates: { readsPerMinute: 3 } })
  const { api } = bench

  async function token(): Promise<string> {
    const { body } = await bench.identity({ type: 'anonymous' })
    return textOf((await bench.exchange(textOf(body, 'identity_assertion'))).body, 'access_token')
  }

  const cases: [string, string | null][] = [
    ['missing_api_key', null],
    ['invalid_api_key', `pga_${'a'.repeat(40)}`],
    ['invalid_api_key', 'pga_short'],
  ]
  for (const [error, sent] of cases)
    it(`401 ${error}: ${sent ?? 'nothing'}`, async () => {
      const answer = await api.get('/account', { token: sent })
      assert.equal(answer.status, 401)
      assert.match(answer.text, new RegExp(`"error":"${error}"`))
      const named = error === 'missing_api_key' ? '' : 'error="invalid_token", '
      assert.equal(answer.headers.get('www-authenticate'), `Bearer realm="perigee", ${named}${metadata}`)
    })

  it('401 invalid_api_key: a token that was revoked', async () => {
    const text = await token()
    await bench.revoke(text)
    assert.match((await api.get('/account', { token: text })).text, /invalid_api_key/)
  })

  it('401 token_expired: a token an hour old', async () => {
    const text = await token()
    bench.wait(3600)
    assert.match((await api.get('/account', { token: text })).text, /token_expired/)
  })

  it('403 insufficient_scope: a read token that writes', async () => {
    const answer = await api.request('PUT', '/account/billing', { token: api.readToken, body: {} })
    assert.equal(answer.status, 403)
    assert.match(answer.text, /insufficient_scope/)
  })

  it('429 rate_limited: an agent has one limit, however many tokens it fetches', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    const assertion = textOf(body, 'identity_assertion')
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1)
      statuses.push(await bench.account(textOf((await bench.exchange(assertion)).body, 'access_token')))
    assert.deepEqual(statuses, [200, 200, 200, 429])
  })
})
