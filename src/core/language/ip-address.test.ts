import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalIpv6, isIpv4 } from './ip-address.ts'

describe('an address', () => {
  it('of version 4 is four decimal numbers', () => {
    for (const text of ['0.0.0.0', '192.0.2.10', '255.255.255.255']) assert.ok(isIpv4(text), text)
    for (const text of ['', '1.2.3', '1.2.3.4.5', '256.0.0.1', '01.2.3.4', '1.2.3.4 ', '0x7f.0.0.1', '1.2.3.', '::1'])
      assert.ok(!isIpv4(text), text)
    fc.assert(
      fc.property(fc.oneof(fc.ipV4Extended(), fc.ipV4(), fc.string()), (text) =>
        assert.equal(isIpv4(text), isIPv4(text)),
      ),
    )
  })

  it('of version 6 has one spelling', () => {
    const cases = [
      ['2001:DB8:0:0:0:0:0:10', '2001:db8::10'],
      ['::', '::'],
      ['0:0::1', '::1'],
      ['::ffff:192.0.2.1', '::ffff:c000:201'],
    ] as const
    for (const [text, canonical] of cases) assert.equal(canonicalIpv6(text), canonical)
    for (const text of [
      '',
      ':',
      ':::',
      '1::2::3',
      '192.0.2.1',
      '::1%eth0',
      '[::1]',
      'g::',
      '::1/64',
      '1:2:3:4:5:6:7:8:9',
    ])
      assert.equal(canonicalIpv6(text), null, text)
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), fc.string()), (text) => {
        assert.equal(canonicalIpv6(text) !== null, isIPv6(text) && !text.includes('%'))
      }),
    )
  })
})
