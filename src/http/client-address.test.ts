import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addressGroup, clientAddress, isLocal, mayBeProxied, parseProxies } from './client-address.ts'

const proxies = ['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48']

describe('the client address', () => {
  const cases = [
    ['the socket without proxies', '203.0.113.5', undefined, '203.0.113.5'],
    ['the socket of a stranger who forges the header', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
    ['the hop before a trusted proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the right-most hop that is not trusted', '10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.9', '198.51.100.1'],
    ['a proxy named by its address', '192.0.2.7', '198.51.100.1', '198.51.100.1'],
    ['a trusted proxy that forwards nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['a trusted proxy whose header is garbled', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['the last readable hop before garbage', '10.0.0.1', '"; drop, 10.0.0.2', '10.0.0.2'],
    ['an IPv4 client on an IPv6 socket', '::ffff:203.0.113.5', undefined, '203.0.113.5'],
    ['an IPv4 proxy on an IPv6 socket', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['an IPv6 proxy', '2001:db8:ffff::1', '2001:db8::5', '2001:db8::5'],
    ['all hops trusted: the left-most', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a socket that has no address any more', '', '198.51.100.1', ''],
  ] as const
  for (const [what, socket, header, expected] of cases)
    it(`is ${what}`, () => assert.equal(clientAddress(socket, header, parseProxies(proxies)), expected))

  it('is found in whatever a client writes', () => {
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string())
    fc.assert(
      fc.property(hop, fc.array(hop), (socket, hops) => {
        assert.equal(typeof clientAddress(socket, hops.join(','), parseProxies(['0.0.0.0/0', '::/0'])), 'string')
      }),
    )
  })

  it('refuses a range that is none', () => assert.throws(() => parseProxies(['10.0.0.0/99'])))
})

describe('the group of an address', () => {
  const cases = [
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:3:4:5:6', '8193:3512:1:2/64'],
    ['2001:db8:1:2:ffff::', '8193:3512:1:2/64'],
    ['', ''],
  ] as const
  for (const [address, group] of cases)
    it(`of "${address}" is "${group}"`, () => assert.equal(addressGroup(address), group))
})

describe('a local request', () => {
  const cases = [
    ['127.0.0.1', {}, true],
    ['::1', {}, true],
    ['::ffff:127.0.0.1', {}, true],
    ['203.0.113.5', {}, false],
    ['127.0.0.1', { 'X-Forwarded-For': '203.0.113.5' }, false],
    ['127.0.0.1', { Forwarded: 'for=203.0.113.5' }, false],
    ['', {}, false],
  ] as const
  for (const [socket, headers, expected] of cases)
    it(`from ${socket || 'nowhere'} with ${JSON.stringify(headers)} is ${expected ? '' : 'not '}one`, () =>
      assert.equal(isLocal(socket, new Headers(headers)), expected))
})

describe('a proxy that may stand before the service', () => {
  const cases: [what: string, host: string, publicUrl: string | null, expected: boolean][] = [
    ['no public address', '127.0.0.1', null, true],
    ['its own address', '127.0.0.1', 'http://127.0.0.1:3000', false],
    ['its own name', '::1', 'http://localhost:3000', false],
    ['an address of the machine at its port, where it listens everywhere', '0.0.0.0', 'http://192.168.0.7:3000', false],
    ['a name at its port, where it listens everywhere', '::', 'http://up.example.com:3000', false],
    ['a name at its port, where it listens for itself', '127.0.0.1', 'http://up.example.com:3000', true],
    ['another port', '0.0.0.0', 'http://up.example.com', true],
    ['another port that only this machine reaches', '127.0.0.1', 'http://localhost:8080', false],
    ['https, which it does not speak', '0.0.0.0', 'https://up.example.com:3000', true],
  ]
  for (const [what, host, publicUrl, expected] of cases)
    it(`is ${expected ? '' : 'not '}there with ${what}`, () =>
      assert.equal(mayBeProxied({ host, port: 3000, publicUrl, proxies: [] }), expected))

  it('is there when one is trusted', () =>
    assert.equal(
      mayBeProxied({ host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000', proxies: ['10.0.0.0/8'] }),
      true,
    ))
})
