// What goes over the wire when a payment is due, as the public client writes and reads it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Challenge, Credential, Receipt } from 'mppx'
import { readOffers } from '#core/money/challenge-header.ts'
import { createMpp, formatChallenges, formatReceipt, readCredential } from '#payments/mpp.ts'
import { challengeTerms } from '../support/challenge-terms.ts'
import { challengesIn, credentialText, receiptIn } from '../support/payment-client.ts'

const secret = 'a secret of more than thirty-two characters'
const at = new Date('2026-11-21T14:21:16.199Z')
const request = { amount: '50', currency: 'usd', methodDetails: { paymentMethodTypes: ['card'], networkId: 'n' } }
const mpp = createMpp({ realm: 'perigee.test', secrets: () => [secret] })
const challenge = mpp.createChallenge({ method: 'card', request, nonce: 'n1', at })

describe('a challenge', () => {
  it('is one of mppx, which finds it well signed', () => {
    const chain = mpp.createChallenge({ method: 'chain', request: { ...request, amount: '1' }, nonce: 'n2', at })
    const read = Challenge.deserializeList(formatChallenges([challenge, chain], 'a "quoted" \\ text'))
    assert.deepEqual(
      read.map(({ method, request: asked, description }) => [method, asked['amount'], description]),
      [
        ['card', '50', 'a "quoted" \\ text'],
        ['chain', '1', 'a "quoted" \\ text'],
      ],
    )
    for (const each of read) assert.equal(Challenge.verify(each, { secretKey: secret }), true)
  })

  it('is read as the public client reads it, by our command and by the client of the tests', () => {
    fc.assert(
      fc.property(challengeTerms, ([wish, description]) => {
        const made = mpp.createChallenge({ method: 'card', request: { ...wish, amount: '50' }, nonce: 'n', at })
        const header = formatChallenges([made, made], description)
        const theirs = Challenge.deserializeList(header)
        assert.deepEqual(challengesIn(header).map(withDescription), theirs.map(withDescription))
        assert.deepEqual(
          readOffers(header).map(({ challenge: read }) => [read.id, read.description ?? '']),
          theirs.map((read) => [read.id, read.description ?? '']),
        )
      }),
    )
  })
})

describe('a credential', () => {
  const [sent] = Challenge.deserializeList(formatChallenges([challenge], 'one'))
  assert.ok(sent !== undefined)
  const answer = { challenge: sent, payload: { spt: 'spt_test_ok' }, source: 'did:x' }
  const header = Credential.serialize(Credential.from(answer))

  it('of mppx is read with a challenge that is ours', () => {
    const read = readCredential(header.replace('Payment ', ''))
    assert.ok(read.type === 'one')
    assert.deepEqual(read.credential, { challenge, payload: { spt: 'spt_test_ok' }, source: 'did:x' })
    assert.equal(mpp.isOurs(read.credential.challenge), true)
  })

  it('of the client of the tests is that of mppx', () => {
    assert.deepEqual(Credential.deserialize(`Payment ${credentialText(answer)}`), Credential.deserialize(header))
  })
})

describe('a receipt', () => {
  it('is one of mppx', () => {
    const text = formatReceipt({ method: 'card', reference: 'pi_1', at, challengeId: 'c1' })
    const read = Receipt.deserialize(text)
    assert.deepEqual(read, {
      challengeId: 'c1',
      method: 'card',
      reference: 'pi_1',
      status: 'success',
      timestamp: at.toISOString(),
    })
    assert.deepEqual(receiptIn(text), read)
  })
})

/** The public client drops an empty one. */
function withDescription(read: { description?: string | undefined }): object {
  return { ...read, description: read.description ?? '' }
}
