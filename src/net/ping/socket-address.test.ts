import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { plainAddress, readSocketAddress, writeSocketAddress } from './socket-address.ts'

describe('an address of a socket', () => {
  it('has the bytes of sockaddr_in and sockaddr_in6', () => {
    assert.equal(writeSocketAddress('192.0.2.1', 4).toString('hex'), '02000000c00002010000000000000000')
    const six = '0a0000000000000020010db800000000000000000000000100000000'
    assert.equal(writeSocketAddress('2001:db8::1', 6).toString('hex'), six)
  })

  it('comes back as it went in, spelled plainly', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.equal(readSocketAddress(writeSocketAddress(address, 4), 4), address)
      }),
    )
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        assert.equal(readSocketAddress(writeSocketAddress(address, 6), 6), plainAddress(address))
      }),
    )
  })

  const spellings = [
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::1', '::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['127.0.0.1', '127.0.0.1'],
  ] as const
  for (const [address, plain] of spellings)
    it(`${address} is plainly ${plain}`, () => assert.equal(plainAddress(address), plain))
})
