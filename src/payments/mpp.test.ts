import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { challengesIn, credentialText, receiptIn } from '../../test/support/payment-client.ts'
import { createMpp, formatChallenges, formatReceipt, issuedAt, plainChallenge, readCredential } from './mpp.ts'

const secret = 'a secret of more than thirty-two characters'
const realm = 'perigee.test'
const at = new Date('2026-11-21T14:21:16.199Z')
const request = {
  externalId: 'Zm9v',
  currency: 'usd',
  amount: '50',
  methodDetails: { paymentMethodTypes: ['card'], networkId: 'profile_test' },
}
const mpp = createMpp({ realm, secrets: () => [secret] })
const challenge = mpp.createChallenge({ method: 'card', request, nonce: 'n1', at })

describe('a challenge', () => {
  it('has an id that is the HMAC of its seven slots', () => {
    // printf '{"amount":"50","currency":"usd",…}' | basenc --base64url, joined by |, openssl dgst -sha256 -hmac
    const requestText =
      'eyJhbW91bnQiOiI1MCIsImN1cnJlbmN5IjoidXNkIiwiZXh0ZXJuYWxJZCI6IlptOXYiLCJtZXRob2REZXRhaWxzIjp7Im5ldHdvcmtJZCI6InByb2ZpbGVfdGVzdCIsInBheW1lbnRNZXRob2RUeXBlcyI6WyJjYXJkIl19fQ'
    const slots = `perigee.test|card|charge|${requestText}|2026-11-21T14:26:16.199Z||eyJub25jZSI6Im4xIn0`
    assert.equal(challenge.id, createHmac('sha256', secret).update(slots).digest('base64url'))
    assert.equal(challenge.id, 'hamm1HKQ1BuR9MgRl8ioRc7bBxOSCUFJ67EnjPuZQmY')
  })

  it('reads on the wire as it always has', () => {
    assert.equal(
      formatChallenges([challenge], '1 location for 30 days'),
      'Payment id="hamm1HKQ1BuR9MgRl8ioRc7bBxOSCUFJ67EnjPuZQmY", realm="perigee.test", method="card", intent="charge", request="' +
        `${challenge.requestText}", description="1 location for 30 days", expires="2026-11-21T14:26:16.199Z", ` +
        'opaque="eyJub25jZSI6Im4xIn0"',
    )
  })

  it('is plain where JSON carries it', () => {
    const { requestText: _, opaque, ...plain } = challenge
    assert.deepEqual(plainChallenge(challenge, 'one'), { ...plain, description: 'one', opaque })
    assert.deepEqual(plainChallenge({ ...plain, requestText: '' }, 'one'), { ...plain, description: 'one' })
  })

  it('says of itself, where nobody can change it, that its payer has an account', () => {
    const named = mpp.createChallenge({ method: 'card', request, nonce: 'n1', at, isForAccount: true })
    assert.deepEqual([mpp.isForAccount(named), mpp.isForAccount(challenge)], [true, false])
    const { opaque = '' } = challenge
    assert.equal(mpp.isOurs({ ...named, opaque }), false)
    for (const text of ['', '!', 'bnVsbA']) assert.equal(mpp.isForAccount({ ...named, opaque: text }), false)
  })

  it('tells when it was made', () => assert.deepEqual(issuedAt(challenge), at))

  it('differs from another of the same moment', () => {
    const other = mpp.createChallenge({ method: 'card', request, nonce: 'n3', at })
    assert.notEqual(other.id, challenge.id)
  })

  it('still holds when another secret signs', () => {
    const next = createMpp({ realm, secrets: () => ['another secret of more than thirty-two characters', secret] })
    assert.equal(next.isOurs(challenge), true)
    assert.notEqual(next.createChallenge({ method: 'card', request, nonce: 'n1', at }).id, challenge.id)
    assert.equal(
      createMpp({ realm, secrets: () => ['another secret of more than thirty-two characters'] }).isOurs(challenge),
      false,
    )
  })

  const changed: [what: string, change: Partial<typeof challenge>][] = [
    ['id', { id: `A${challenge.id.slice(1)}` }],
    ['id, cut short', { id: challenge.id.slice(0, 20) }],
    ['realm', { realm: 'other.test' }],
    ['method', { method: 'chain' }],
    ['intent', { intent: 'session' }],
    ['request', { requestText: Buffer.from('{"amount":"1"}').toString('base64url') }],
    ['end', { expires: '2027-11-21T14:26:16.199Z' }],
    ['nonce', { opaque: 'eyJub25jZSI6Im40In0' }],
  ]
  for (const [what, change] of changed)
    it(`is not ours with another ${what}`, () => assert.equal(mpp.isOurs({ ...challenge, ...change }), false))
})

describe('a credential', () => {
  const [sent] = challengesIn(formatChallenges([challenge], 'one'))
  assert.ok(sent !== undefined)
  const text = credentialText({ challenge: sent, payload: { spt: 'spt_test_ok' }, source: 'did:x' })

  it('is read with a challenge that is ours', () => {
    const read = readCredential(text)
    assert.ok(read.type === 'one')
    assert.deepEqual(read.credential, { challenge, payload: { spt: 'spt_test_ok' }, source: 'did:x' })
    assert.equal(mpp.isOurs(read.credential.challenge), true)
  })

  it('of MCP is read with its request and opaque as they are', () => {
    const { requestText: _, ...wire } = challenge
    const read = readCredential({ challenge: { ...wire, request, opaque: { nonce: 'n1' } }, payload: 1 })
    assert.ok(read.type === 'one')
    assert.deepEqual(read.credential, { challenge, payload: 1 })
  })

  const { request: _, ...wire } = { ...challenge, request: challenge.requestText }
  const deep = `${'['.repeat(6_000)}${']'.repeat(6_000)}`
  const broken: [what: string, sent: unknown, type: string][] = [
    ['nothing', undefined, 'none'],
    ['a list', [text, text], 'malformed'],
    ['no base64', '%%%', 'malformed'],
    ['no JSON', Buffer.from('{').toString('base64url'), 'malformed'],
    ['null', null, 'malformed'],
    ['no challenge', {}, 'malformed'],
    ['no request', { challenge: wire, payload: 1 }, 'malformed'],
    ['a request that is no object', { challenge: { ...wire, request: 'WzFd' }, payload: 1 }, 'malformed'],
    ['a request beyond 16 KiB', { challenge: { ...wire, request: 'e'.repeat(16_385) }, payload: 1 }, 'malformed'],
    ['no end', { challenge: { ...wire, request, expires: undefined }, payload: 1 }, 'malformed'],
    ['a payload of 6,000 levels', base64url(`{"challenge":${JSON.stringify(sent)},"payload":${deep}}`), 'malformed'],
    [
      'a request of 6,000 levels',
      base64url(`{"challenge":${JSON.stringify(wire).slice(0, -1)},"request":{"a":${deep}}},"payload":1}`),
      'malformed',
    ],
    ['a digest', { challenge: { ...wire, request, digest: 'sha-256=:x:' }, payload: 1 }, 'malformed'],
  ]
  for (const [what, given, type] of broken)
    it(`with ${what} is ${type}`, () => assert.equal(readCredential(given).type, type))

  const texts: [what: string, change: object, type: string][] = [
    ['an id of one character', { id: 'i' }, 'one'],
    ['an id of 1,000', { id: 'i'.repeat(1000) }, 'one'],
    ['an id of 1,001', { id: 'i'.repeat(1001) }, 'malformed'],
    ['an id of none', { id: '' }, 'malformed'],
    ['an opaque of one character', { opaque: 'o' }, 'one'],
    ['an opaque of 16 KiB', { opaque: 'o'.repeat(16_384) }, 'one'],
    ['an opaque beyond that', { opaque: 'o'.repeat(16_385) }, 'malformed'],
    ['an opaque of none', { opaque: '' }, 'malformed'],
  ]
  for (const [what, change, type] of texts)
    it(`with ${what} is ${type}`, () =>
      assert.equal(readCredential({ challenge: { ...wire, request, ...change }, payload: 1 }).type, type))

  it('has a source of up to 1,000 characters', () => {
    const sources = [0, 1000, 1001].map((length) => ({
      challenge: { ...wire, request },
      payload: 1,
      source: 's'.repeat(length),
    }))
    assert.deepEqual(
      sources.map((given) => readCredential(given).type),
      ['one', 'one', 'malformed'],
    )
  })

  it('may be anything without an exception', () => {
    fc.assert(fc.property(fc.anything(), (anything) => readCredential(anything).type !== undefined))
    fc.assert(
      fc.property(fc.json(), (json) => readCredential(Buffer.from(json).toString('base64url')).type !== undefined),
    )
  })
})

describe('a receipt', () => {
  it('is what its payer reads', () => {
    const text = formatReceipt({ method: 'card', reference: 'pi_1', at, challengeId: 'c1' })
    assert.equal(
      text,
      'eyJjaGFsbGVuZ2VJZCI6ImMxIiwibWV0aG9kIjoiY2FyZCIsInJlZmVyZW5jZSI6InBpXzEiLCJzdGF0dXMiOiJzdWNjZXNzIiwidGltZXN0YW1wIjoiMjAyNi0xMS0yMVQxNDoyMToxNi4xOTlaIn0',
    )
    assert.deepEqual(receiptIn(text), {
      challengeId: 'c1',
      method: 'card',
      reference: 'pi_1',
      status: 'success',
      timestamp: at.toISOString(),
    })
  })
})

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}
