import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  admitsLoopback,
  createGuard,
  guardAfter,
  isInternalAddress,
  isPublicAddress,
  withoutBrackets,
} from './guard.ts'

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
  '100:0:0:1::1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '::7f00:1',
  '::8.8.8.8',
  '::808:808',
  '::2:0:0',
  '64:ff9b:1::1',
  '2620:4f:8000::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  '1000::1',
  '8000::1',
  'e000::1',
  'fec0::1',
  '2606:4700::5efe:10.0.0.1',
  '2606:4700::200:5efe:a00:1',
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

  describe('with ranges that are denied', () => {
    const denied = ['10.1.0.0/16', '203.0.113.0/24', '93.184.216.34/32', '2606:4700::/32', '::ffff:192.168.7.0/120']
    const stay = ['10.1.2.3', '::ffff:10.1.2.3', '93.184.216.34', '2606:4700::1', '192.168.7.7']
    const inDisguise = ['64:ff9b::a01:203', '::10.1.2.3', '2002:a01:203::1', 'fd00::5efe:10.1.2.3']
    const pass = ['10.2.0.1', '8.8.8.8', '2a00:1450:4001::200e', '192.168.8.1', '192.168.6.1', '64:ff9b::a02:1']

    it('refuses them although all is allowed, also as the IPv6 address that leads to them', () => {
      const guard = createGuard('all', { denied })
      assert.deepEqual(stay.concat(inDisguise).filter(guard.isAllowed), [])
      assert.deepEqual(
        pass.filter((address) => !guard.isAllowed(address)),
        [],
      )
      assert.equal(guard.isForbiddenAddress('[::ffff:10.1.2.3]'), true)
      assert.equal(guard.isForbiddenAddress('names.example'), false)
    })

    it('refuses them although they are listed, or public', () => {
      const guard = createGuard(['10.0.0.0/8', '192.168.0.0/16'], { denied })
      assert.deepEqual(stay.filter(guard.isAllowed), [])
      assert.equal(guard.isAllowed('10.2.0.1'), true)
      assert.equal(createGuard('none', { denied }).isAllowed('93.184.216.34'), false)
    })
  })

  it('lets all of IPv4 pass where all that is mapped into IPv6 is listed, or more', () => {
    for (const range of ['::ffff:0.0.0.0/96', '::ffff:0.0.0.0/90']) {
      const guard = createGuard([range])
      for (const address of ['10.0.0.1', '192.168.1.1', '::ffff:192.168.1.1'])
        assert.equal(guard.isAllowed(address), true, `${address} with ${range}`)
      assert.equal(guard.isAllowed('fd00::1'), false)
    }
  })

  it('hides nothing, and has the same rules after a public address, unless it is told otherwise', () => {
    assert.deepEqual([strict.hidesInternal, strict.afterPublic], [false, null])
    const hiding = createGuard('all', { hidesInternal: true, afterPublic: strict })
    assert.deepEqual([hiding.hidesInternal, hiding.afterPublic], [true, strict])
  })

  it('follows the stricter rules once a public address has answered, and not before', () => {
    const guard = createGuard('all', { afterPublic: strict })
    for (const address of ['93.184.216.34', '2606:2800:220:1::1']) assert.equal(guardAfter(guard, address), strict)
    for (const address of [null, '127.0.0.1', '10.1.2.3', 'fd00::1']) assert.equal(guardAfter(guard, address), guard)
    for (const address of [null, '93.184.216.34']) assert.equal(guardAfter(strict, address), strict)
  })

  it('knows its own ports at every address of this machine, and at no other', () => {
    const guard = createGuard('all', { ownPorts: [8080] })
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1'])
      assert.deepEqual([guard.isOwnPort(address, 8080), guard.isOwnPort(address, 8081)], [true, false], address)
    assert.equal(guard.isOwnPort('192.0.2.1', 8080), false)
    assert.equal(strict.isOwnPort('127.0.0.1', 8080), false)
  })

  it('lets pass what is special and listed', () => {
    const listed = ['168.63.129.16/32', '4000::/3', '::/96', '64:ff9b::/96']
    const guard = createGuard(listed)
    for (const address of ['168.63.129.16', '4000::1', '::8.8.8.8', '64:ff9b::a00:1'])
      assert.equal(guard.isAllowed(address), true, address)
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

describe('loopback', () => {
  const admitting = [
    'all',
    ['127.0.0.0/8'],
    ['10.0.0.0/8', '127.0.0.2/32'],
    ['0.0.0.0/0'],
    ['64.0.0.0/2'],
    ['0.0.0.0/32'],
    ['::1/128'],
    ['::/0'],
    ['::ffff:127.0.0.0/104'],
  ] as const
  for (const ranges of admitting)
    it(`may be reached with ${String(ranges)}`, () => assert.equal(admitsLoopback(ranges), true))

  for (const ranges of ['none', [], ['10.0.0.0/8', '192.168.0.0/16', '126.0.0.0/8', 'fc00::/7', '::2/128']] as const)
    it(`may not be reached with ${String(ranges) || 'no range'}`, () => assert.equal(admitsLoopback(ranges), false))
})

describe('an address', () => {
  it('is public where no registry of special addresses names it', () => {
    for (const text of allowed) assert.ok(isPublicAddress(text), text)
    for (const text of [...forbidden, 'a.example', '']) assert.ok(!isPublicAddress(text), text)
  })

  it('is taken out of its brackets, of which there have to be two', () => {
    const texts = ['[::1]', '::1', '[::1', '::1]', 'a.example', '']
    assert.deepEqual(texts.map(withoutBrackets), ['::1', '::1', '[::1', '::1]', 'a.example', ''])
  })

  const internal = [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:1',
    'fc00::1',
    'FD12::1',
    'fe80::1',
    'febf::1',
  ]
  const others = [
    '',
    '8.8.8.8',
    '127.0.0.2',
    '172.32.0.1',
    '192.169.0.1',
    '100.128.0.1',
    '::1',
    '::ffff:8.8.8.8',
    '2606:4700::1',
    'fec0::1',
    'ff02::1',
    'fc::1',
    '10.0.0.1.5',
    'fd.example',
  ]
  it('of a network inside is told from others', () => {
    for (const text of internal) assert.ok(isInternalAddress(text), text)
    for (const text of others) assert.ok(!isInternalAddress(text), text)
  })
})
