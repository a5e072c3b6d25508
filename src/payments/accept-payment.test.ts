import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { preferred } from './accept-payment.ts'

const offers = [
  { method: 'card', intent: 'charge' },
  { method: 'chain', intent: 'charge' },
]

describe('Accept-Payment', () => {
  const cases: [header: string | null, methods: string][] = [
    [null, 'card chain'],
    ['', 'card chain'],
    [' , ', 'card chain'],
    ['*/*', 'card chain'],
    ['chain/charge', 'chain'],
    ['chain/*', 'chain'],
    ['*/charge', 'card chain'],
    ['chain/charge, card/charge', 'card chain'],
    ['chain/charge,card/charge;q=0.5', 'chain card'],
    ['chain/charge, card/charge ; Q=0.999', 'chain card'],
    ['chain/charge;q=1.000\t,\tcard/charge;q=0.', 'chain'],
    ['card/charge;q=0, */*', 'chain'],
    ['*/*;q=1, card/*;q=0', 'chain'],
    ['*/*;q=0.1, chain/charge', 'chain card'],
    ['card/*;q=0.2, */charge;q=0.8, chain/*;q=0.9', 'chain card'],
    ['card/*;q=0.9, */charge;q=0.2, chain/charge;q=0.5', 'card chain'],
    ['*/charge;q=0.2, card/*;q=0.9, chain/charge;q=0.5', 'card chain'],
    ['card/session, tempo/charge, chain/charge;q=0.001', 'chain'],
    // A header that accepts no offer, or cannot be read, is ignored.
    ['tempo/charge', 'card chain'],
    ['card/charge;q=0, chain/charge;q=0', 'card chain'],
    ['card/session', 'card chain'],
    ['chain', 'card chain'],
    ['chain/charge, card', 'card chain'],
    ['chain/charge;q=2', 'card chain'],
    ['chain/charge;q=0.0001', 'card chain'],
    ['chain/charge;q', 'card chain'],
    ['Chain/charge', 'card chain'],
    ['chain/charge card/charge', 'card chain'],
  ]
  for (const [header, methods] of cases)
    it(`${JSON.stringify(header)} is answered with ${methods}`, () => {
      const taken = preferred(offers, header).map(({ method }) => method)
      assert.equal(taken.join(' '), methods)
    })

  it('of any text leaves something to pay with', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const taken = preferred(offers, header)
        assert.ok(taken.length > 0 && taken.every((offer) => offers.includes(offer)))
      }),
    )
  })
})
