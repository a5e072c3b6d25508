import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseHostPort, portOf } from './host-port.ts'

describe('host and port', () => {
  const good = [
    ['db.example.com:5432', 'db.example.com', 5432],
    ['db.example.com', 'db.example.com', null],
    ['DB.Example.com:1', 'db.example.com', 1],
    ['größe.example:65535', 'xn--gre-6ka8i.example', 65_535],
    ['1.2.3.4:80', '1.2.3.4', 80],
    ['0x7f.1:80', '127.0.0.1', 80],
    ['2130706433:80', '127.0.0.1', 80],
    ['[::1]:80', '::1', 80],
    ['[2001:DB8::1]', '2001:db8::1', null],
    ['[::ffff:127.0.0.1]:80', '::ffff:7f00:1', 80],
    ['under_score.example:1', 'under_score.example', 1],
  ] as const
  for (const [text, host, port] of good)
    it(`reads "${text}"`, () => assert.deepEqual(parseHostPort(text), { host, port }))

  const bad = [
    '',
    ':80',
    'host:',
    'host:0',
    'host:65536',
    'host:999999',
    'host:8a',
    'host:80:90',
    '::1',
    '::1:80',
    '[::1',
    '[::1]80',
    '[host]:80',
    'http://host:80',
    'host/path',
    'user@host:80',
    'a b:80',
    ' host:80',
    'host:80 ',
    'host%41:80',
    'a\\b:80',
    '[fe80::1%eth0]:80',
    '999.1.1.1:80',
  ]
  for (const text of bad) it(`refuses "${text}"`, () => assert.equal(parseHostPort(text), null))

  it('reads any text without throwing, and what it gives back it reads the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.domain(),
          fc.ipV4(),
          fc.ipV6().map((address) => `[${address}]:80`),
        ),
        (text) => {
          const parsed = parseHostPort(text)
          if (parsed === null) return
          const host = parsed.host.includes(':') ? `[${parsed.host}]` : parsed.host
          assert.deepEqual(parseHostPort(parsed.port === null ? host : `${host}:${parsed.port}`), parsed)
        },
      ),
    )
  })
})

describe('the port of an address', () => {
  for (const [address, port] of [
    ['https://a.example', 443],
    ['https://a.example:443/', 443],
    ['https://a.example:80/', 80],
    ['http://a.example/', 80],
    ['http://a.example:443/', 443],
    ['http://a.example:8080/', 8080],
  ] as const)
    it(`${address} is ${port}`, () => assert.equal(portOf(new URL(address)), port))
})
