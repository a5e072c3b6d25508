import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalIpv6, isIpv4, leadsEverywhere, plainAddress } from './ip-address.ts'

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

  it('has one spelling, whichever way it was reached', () => {
    const cases = [
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['::FFFF:CB00:7107', '203.0.113.7'],
      ['0:0:0:0:0:ffff:a:1', '0.10.0.1'],
      ['2001:DB8:0::7', '2001:db8::7'],
      ['::203.0.113.7', '::cb00:7107'],
      ['fe80::1%eth0', null],
      ['203.0.113.07', null],
      ['shop.example', null],
      ['', null],
    ] as const
    for (const [text, plain] of cases) assert.equal(plainAddress(text), plain, text)
    fc.assert(
      fc.property(fc.ipV4(), (four) => {
        assert.equal(plainAddress(`::ffff:${four}`), four)
      }),
    )
  })

  it('leads to one machine from everywhere, unless it is of a network of its own', () => {
    const everywhere = ['203.0.113.7', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.0.0.1']
    const public4 = ['128.0.0.1', '169.253.0.1', '172.15.255.255', '172.32.0.0', '192.167.0.1', '192.169.0.0']
    for (const address of [...everywhere, ...public4, '223.255.255.255', '2001:db8::1', '3fff::1'])
      assert.ok(leadsEverywhere(address), address)
    const own = ['0.0.0.0', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '169.254.169.254']
    const private4 = ['172.16.0.1', '172.31.255.255', '192.168.0.1', '224.0.0.1', '255.255.255.255']
    for (const address of [...own, ...private4, '::1', '::', 'fd00::1', 'fe80::1', '4000::1', '64:ff9b::1', '2::1'])
      assert.ok(!leadsEverywhere(address), address)
  })
})
