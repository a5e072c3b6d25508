import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createGuard } from './guard.ts'

const forbidden = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '2001:db8::1',
  '2001::1',
  '100::1',
]
const allowed = ['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700::1', '2a00:1450:4001::200e', '::ffff:8.8.8.8']

describe('the guard', () => {
  const strict = createGuard('none')
  for (const address of forbidden) it(`refuses ${address}`, () => assert.equal(strict.isAllowed(address), false))
  for (const address of allowed) it(`lets ${address} pass`, () => assert.equal(strict.isAllowed(address), true))

  it('lets pass what is listed, and nothing beside it', () => {
    const guard = createGuard(['127.0.0.0/8', '10.1.0.0/16', '::1/128', 'fd00::/8'])
    const pass = ['127.0.0.1', '127.9.9.9', '10.1.255.255', '::1', 'fd00::5', '::ffff:127.0.0.1', '8.8.8.8']
    const stay = ['10.2.0.0', '192.168.1.1', '169.254.169.254', 'fe80::1', '::ffff:10.2.0.1']
    assert.deepEqual(
      pass.filter((address) => !guard.isAllowed(address)),
      [],
    )
    assert.deepEqual(
      stay.filter((address) => guard.isAllowed(address)),
      [],
    )
  })

  it('lets everything pass that is an address, if all is allowed', () => {
    const guard = createGuard('all')
    assert.deepEqual(
      [...forbidden, ...allowed].filter((address) => !guard.isAllowed(address)),
      [],
    )
    assert.equal(guard.isAllowed('localhost'), false)
  })

  it('names a range that is none', () => {
    for (const range of ['10.0.0.0', 'localhost', '10.0.0.0/33', ''])
      assert.throws(() => createGuard([range]), new RangeError(`"${range}" is not an address range such as 10.0.0.0/8`))
  })

  const hosts = [
    ['127.0.0.1', true],
    ['[::1]', true],
    ['::1', true],
    ['[fe80::1]', true],
    ['8.8.8.8', false],
    ['[2606:4700::1]', false],
    ['localhost', false],
    ['internal.example', false],
    ['', false],
  ] as const
  for (const [host, expected] of hosts)
    it(`${expected ? 'forbids' : 'does not forbid'} the host "${host}"`, () =>
      assert.equal(strict.isForbiddenAddress(host), expected))

  const spellings = ['0x7f.1', '2130706433', '017700000001', '127.1', '①②⑦.⓪.⓪.①', '[::ffff:7f00:1]', '0']
  for (const spelling of spellings)
    it(`sees through ${spelling} once a URL has read it`, () =>
      assert.equal(strict.isForbiddenAddress(new URL(`http://${spelling}/`).hostname), true))

  it('never lets a private IPv4 address pass in the clothes of IPv6', () => {
    const privateAddress = fc.tuple(fc.constantFrom(10, 127, 0), fc.nat(255), fc.nat(255), fc.nat(255))
    fc.assert(fc.property(privateAddress, (bytes) => !strict.isAllowed(`::ffff:${bytes.join('.')}`)))
  })

  it('answers for any text without throwing', () => {
    fc.assert(fc.property(fc.string(), (text) => typeof strict.isAllowed(text) === 'boolean'))
  })
})
