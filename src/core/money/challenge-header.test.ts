import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { challengeTerms } from '../../../test/support/challenge-terms.ts'
import { challengesIn } from '../../../test/support/payment-client.ts'
import { type Offer, readChallenges, readOffers } from './challenge-header.ts'
import { createMpp, formatChallenges } from '#payments/mpp.ts'

const expires = '2026-11-21T12:05:00.000Z'
const request = 'eyJhbW91bnQiOiI1MCJ9'
const one = `Payment id="a", realm="r", method="card", intent="charge", request="${request}", expires="${expires}"`
const noRequest = one.replace(`request="${request}", `, '')
const whole: Offer = {
  challenge: { id: 'a', realm: 'r', method: 'card', intent: 'charge', request, expires },
  request: { amount: '50' },
}

describe('the offers of a challenge header', () => {
  const cases: [what: string, header: string, offers: Offer[]][] = [
    ['nothing', '', []],
    ['one', one, [whole]],
    ['two in one field', `${one}, ${one}`, [whole, whole]],
    ['beside other schemes', `Bearer realm="x", ${one}, Basic realm="y, Payment id"`, [whole]],
    ['a scheme of one word', `Negotiate, ${one}`, [whole]],
    ['in other letters, with other spaces', one.replace('Payment', 'PAYMENT').replaceAll(', ', ' ,\t'), [whole]],
    ['without quotes where none are needed', one.replace('"card"', 'card'), [whole]],
    [
      'with a quote, a comma and a backslash inside',
      `${one}, description="a \\"b\\", c\\\\d"`,
      [{ ...whole, challenge: { ...whole.challenge, description: 'a "b", c\\d' } }],
    ],
    ['with a member that nobody knows', `${one}, colour="red"`, [whole]],
    ['without an end', one.replace(`, expires="${expires}"`, ''), []],
    [
      'with an end in the time of another zone',
      one.replace(expires, '2026-11-21T13:05:00+01:00'),
      [{ ...whole, challenge: { ...whole.challenge, expires: '2026-11-21T13:05:00+01:00' } }],
    ],
    ['of another intent', one.replace('charge', 'session'), []],
    ['with a request that is no JSON', one.replace(request, 'AAAA'), []],
    ['with a request that is no object', one.replace(request, 'NTA'), []],
    ['cut off', one.slice(0, -8), []],
  ]
  for (const [what, header, offers] of cases) it(what, () => assert.deepEqual(readOffers(header), offers))

  it('are told from challenges that cannot be read, and from those that ask for no charge', () => {
    const noId = one.replace('id="a", ', '')
    const session = one.replace('charge', 'session')
    assert.deepEqual(readChallenges([noId, session, one].join(', '), 5), [null, whole])
    assert.deepEqual(readChallenges('Payment', 5), [null])
    assert.deepEqual(readChallenges('Bearer', 5), [])
  })

  it('are read up to a number', () => {
    const [, second] = readChallenges([one, noRequest, one].join(', '), 2)
    assert.equal(second, null)
    assert.equal(readChallenges(`${one}, `.repeat(6), 5).length, 5)
  })

  it('are those that we write, as another reader takes them', () => {
    const mpp = createMpp({ realm: 'perigee.test', secrets: () => ['a secret of thirty-two letters and more'] })
    fc.assert(
      fc.property(challengeTerms, ([wish, description]) => {
        const wanted = { method: 'card', request: { ...wish, amount: '50' }, nonce: 'n', at: new Date(0) }
        const challenge = mpp.createChallenge(wanted)
        const header = formatChallenges([challenge, challenge], description)
        const offers = readOffers(header)
        assert.deepEqual(
          offers.map(({ request: read }) => read),
          [wanted.request, wanted.request],
        )
        const [theirs] = challengesIn(header)
        assert.equal(offers[0]?.challenge.id, theirs?.id)
        assert.equal(offers[0]?.challenge.description ?? '', theirs?.description ?? '')
      }),
    )
  })

  it('of any text throw nothing', () => {
    const piece = fc.constantFrom('Payment ', 'id=', '"', '\\', ', ', '=', request, ' ', 'method="card"', one)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((all) => all.join('')),
        ),
        (text) => void readOffers(text),
      ),
    )
  })
})
