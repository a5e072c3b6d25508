import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { UnsecuredJWT } from 'jose'
import { agentBench, publicUrl, textOf } from '../../test/support/agents.ts'
import { type AssertionChanges, startIssuer } from '../../test/support/issuer.ts'

describe('an assertion of a provider', async () => {
  const issuer = await startIssuer(publicUrl)
  const bench = await agentBench({ issuers: [issuer] })
  const now = Math.floor(bench.now().getTime() / 1000)

  const cases: [what: string, changes: AssertionChanges, error: string][] = [
    ['that is good', {}, 'interaction_required'],
    ['for one audience, in a list', { claims: { aud: [publicUrl] } }, 'interaction_required'],
    ['of the full media type', { header: { typ: 'application/oauth-id-jag+jwt' } }, 'interaction_required'],
    ['of another issuer', { claims: { iss: 'https://other.example' } }, 'invalid_issuer'],
    ['of no issuer', { claims: { iss: undefined } }, 'invalid_issuer'],
    ['of another audience', { claims: { aud: `${publicUrl}/api/v1` } }, 'invalid_audience'],
    ['for two audiences', { claims: { aud: [publicUrl, 'https://other.example'] } }, 'invalid_audience'],
    ['for nobody', { claims: { aud: [] } }, 'invalid_audience'],
    ['of no audience', { claims: { aud: undefined } }, 'invalid_audience'],
    ['of the type JWT', { header: { typ: 'JWT' } }, 'invalid_request'],
    ['that expired a moment ago', { claims: { exp: now - 59 } }, 'interaction_required'],
    ['that expired a minute ago', { claims: { exp: now - 60 } }, 'expired'],
    ['that begins in a minute', { claims: { nbf: now + 60 } }, 'interaction_required'],
    ['that begins later', { claims: { nbf: now + 61 } }, 'expired'],
    ['that was made in the future', { claims: { iat: now + 61 } }, 'expired'],
    ['that was made eleven minutes ago', { claims: { iat: now - 660 } }, 'interaction_required'],
    ['that was made longer ago', { claims: { iat: now - 661 } }, 'expired'],
    ['without an end', { claims: { exp: undefined } }, 'invalid_request'],
    ['whose end is text', { claims: { exp: '9999999999' } }, 'invalid_request'],
    ['that does not say when it was made', { claims: { iat: undefined } }, 'invalid_request'],
    ['without a subject', { claims: { sub: undefined } }, 'invalid_request'],
    ['of an empty subject', { claims: { sub: '' } }, 'invalid_request'],
    ['of a subject that no database takes', { claims: { sub: 'a\0b' } }, 'invalid_request'],
    ['of a subject that is too long', { claims: { sub: 'a'.repeat(256) } }, 'invalid_request'],
    ['without an id', { claims: { jti: undefined } }, 'invalid_request'],
    ['without an email', { claims: { email: undefined } }, 'missing_verified_email'],
    ['with an email that is none', { claims: { email: 'alice' } }, 'missing_verified_email'],
    ['with an email that nobody verified', { claims: { email_verified: false } }, 'missing_verified_email'],
    ['that says "true" of the email', { claims: { email_verified: 'true' } }, 'missing_verified_email'],
    ['without a sign-in', { claims: { auth_time: undefined } }, 'login_required'],
    ['with a sign-in that is text', { claims: { auth_time: String(now) } }, 'login_required'],
    ['with a sign-in an hour ago', { claims: { auth_time: now - 3600 } }, 'login_required'],
    ['with a sign-in just before that', { claims: { auth_time: now - 3599 } }, 'interaction_required'],
    ['with a sign-in of a clock that is ahead', { claims: { auth_time: now + 60 } }, 'interaction_required'],
    ['with a sign-in in the future', { claims: { auth_time: now + 61 } }, 'login_required'],
    ['signed with another key', { isForged: true }, 'invalid_signature'],
    ['of a key that is unknown', { header: { kid: 'unknown' } }, 'invalid_signature'],
    ['that is bad in two ways', { isForged: true, claims: { exp: 1 } }, 'invalid_signature'],
  ]
  for (const [what, changes, error] of cases)
    it(`${what} is answered ${error}`, async () => {
      const { body, text } = await bench.vouched(await issuer.assertion(bench.now(), changes))
      assert.equal(body['error'], error, text)
    })

  it('that nobody signed is refused', async () => {
    const [, payload = ''] = (await issuer.assertion(bench.now())).split('.')
    const unsigned = new UnsecuredJWT(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).encode()
    assert.equal((await bench.vouched(unsigned)).body['error'], 'invalid_signature')
  })

  it('that was changed on its way is refused', async () => {
    const [header, payload = '', signature] = (await issuer.assertion(bench.now())).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'somebody else' })).toString('base64url')
    assert.equal((await bench.vouched(`${header}.${changed}.${signature}`)).body['error'], 'invalid_signature')
  })

  it('that was signed with an HMAC of the public key is refused', async () => {
    const [, payload = ''] = (await issuer.assertion(bench.now())).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'oauth-id-jag+jwt' })).toString('base64url')
    assert.equal((await bench.vouched(`${header}.${payload}.AAAA`)).body['error'], 'invalid_signature')
  })

  it('is not used up by a refusal for another reason, and is by its use', async () => {
    const claims = { jti: 'the same', auth_time: now - 3600 }
    const stale = await issuer.assertion(bench.now(), { claims })
    assert.equal((await bench.vouched(stale)).body['error'], 'login_required')
    const good = await issuer.assertion(bench.now(), { claims: { ...claims, auth_time: now } })
    assert.equal((await bench.vouched(good)).body['error'], 'interaction_required')
    assert.equal((await bench.vouched(good)).body['error'], 'replay_detected')
  })

  it('is used once under ten uses at once', async () => {
    const assertion = await issuer.assertion(bench.now())
    const answers = await Promise.all(Array.from({ length: 10 }, () => bench.vouched(assertion)))
    const used = answers.filter(({ body }) => body['error'] === 'interaction_required')
    assert.equal(used.length, 1)
  })

  it('of ours is none of a provider', async () => {
    const { body } = await bench.identity({ type: 'anonymous' })
    assert.equal((await bench.vouched(textOf(body, 'identity_assertion'))).body['error'], 'invalid_issuer')
  })
})

for (const algorithm of ['RS256', 'EdDSA'] as const)
  describe(`a provider that signs with ${algorithm}`, async () => {
    const issuer = await startIssuer(publicUrl, algorithm)
    const bench = await agentBench({ issuers: [issuer] })
    it('is believed', async () => {
      const { body } = await bench.vouched(await issuer.assertion(bench.now()))
      assert.equal(body['error'], 'interaction_required')
    })
  })
