import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { describe, it } from 'node:test'
import { createGuard } from './guard.ts'
import { withOwnNetwork } from './own-network.ts'

describe('the rules for the own network', () => {
  const options = withOwnNetwork({ allowPrivate: 'none', denied: ['10.9.0.0/16'] }, { ownPorts: [3000] })
  const guard = createGuard(options.allowPrivate, options)

  const admitted = [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    'fd12:3456::1',
    '::ffff:192.168.1.1',
    '1.1.1.1',
  ]
  for (const address of admitted) it(`admit ${address}`, () => assert.equal(guard.isAllowed(address), true))

  const refused = `127.0.0.1 ::1 0.0.0.0 :: 169.254.169.254 fe80::1 fec0::1 100.64.0.1 100.100.100.200 224.0.0.1
    255.255.255.255 192.0.0.192 198.18.0.1 168.63.129.16 fd00:ec2::254 fd20:ce::254 fd00:42::42 10.9.1.1 ::ffff:10.9.1.1
    64:ff9b::a9fe:a9fe`.split(/\s+/)
  for (const address of refused) it(`refuse ${address}`, () => assert.equal(guard.isAllowed(address), false))

  it('leave out the ports of this service at the addresses of this machine only', () => {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    assert.ok(own.length > 0)
    for (const { address } of own) {
      assert.equal(guard.isOwnPort(address, 3000), true, address)
      assert.equal(guard.isOwnPort(address, 3001), false, address)
    }
    assert.equal(guard.isOwnPort('192.0.2.1', 3000), false)
  })

  it('do not count where a public address leads', () => {
    assert.equal(guard.afterPublic?.isAllowed('192.168.1.1'), false)
    assert.equal(guard.afterPublic?.isAllowed('1.1.1.1'), true)
  })

  it('keep what the operator admits besides', () => {
    const besides = withOwnNetwork({ allowPrivate: ['127.0.0.0/8'] }, { ownPorts: [] })
    const wider = createGuard(besides.allowPrivate, besides)
    assert.deepEqual(['127.0.0.1', '10.0.0.1', '::1'].map(wider.isAllowed), [true, true, false])
    assert.equal(wider.afterPublic?.isAllowed('127.0.0.1'), true)
  })

  it('change nothing where everything is admitted', () => {
    const all = { allowPrivate: 'all' } as const
    assert.equal(withOwnNetwork(all, { ownPorts: [3000] }), all)
  })
})
