import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isNamed, paymentOf, tokensOf } from './credentials.ts'

describe('the headers of a request', () => {
  const cases: [headers: [string, string][], named: boolean, payment: unknown][] = [
    [[], false, undefined],
    [[['authorization', 'Payment e30']], false, 'e30'],
    [[['authorization', 'payment  e30 ']], false, 'e30'],
    [[['authorization', 'Payment']], true, undefined],
    [[['authorization', 'Payment a b']], true, undefined],
    [[['authorization', '']], true, undefined],
    [[['authorization', 'Payment one, Payment two']], false, ['one', 'two']],
    [
      [
        ['authorization', 'Payment one'],
        ['authorization', 'Payment two'],
      ],
      false,
      ['one', 'two'],
    ],
    [[['authorization', 'Bearer pgk_x']], true, undefined],
    [[['authorization', 'Bearer pgk_x, Payment e30']], true, 'e30'],
    [
      [
        ['x-api-key', 'pgk_x'],
        ['authorization', 'Payment e30'],
      ],
      true,
      'e30',
    ],
    [[['x-api-key', '']], true, undefined],
    [[['x-perigee-workspace', 'w']], true, undefined],
  ]
  for (const [pairs, named, payment] of cases)
    it(`${JSON.stringify(pairs)} ${named ? 'name a caller' : 'name nobody'}`, () => {
      const headers = new Headers(pairs)
      assert.equal(isNamed(headers), named)
      assert.deepEqual(paymentOf(headers), payment)
    })

  it('never hide a token: who sent one is named', () => {
    const text = fc.stringMatching(/^[ -~]{0,60}$/)
    fc.assert(
      fc.property(fc.option(text), fc.option(text), (authorization, key) => {
        const headers = new Headers()
        if (authorization !== null) headers.set('authorization', authorization)
        if (key !== null) headers.set('x-api-key', key)
        if (tokensOf(headers).length > 0) assert.equal(isNamed(headers), true)
        paymentOf(headers)
      }),
    )
  })
})
