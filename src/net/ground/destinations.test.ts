import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDestinations, farthestOf, type Reach, reachOf } from './destinations.ts'

describe('how far away an address lies', () => {
  const table: [address: string, reach: Reach][] = [
    ['127.0.0.1', 'machine'],
    ['::1', 'machine'],
    ['::ffff:127.0.0.1', 'machine'],
    ['10.0.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.1.1', 'private'],
    ['fd00::1', 'private'],
    ['fe80::1', 'private'],
    ['8.8.8.8', 'public'],
    ['2606:4700::1', 'public'],
    ['one.example', 'public'],
  ]
  for (const [address, reach] of table) it(`${address}: ${reach}`, () => assert.equal(reachOf(address), reach))
})

describe('destinations that accepted a connection', () => {
  let nowMs = 0
  const destinations = createDestinations(
    () => 0,
    () => nowMs,
  )
  const hostsOf = (reach: Reach, count = 8): string[] => destinations.pick(reach, count).map(({ host }) => host)

  it('are picked from different networks, each as far away as is asked', () => {
    for (const address of ['8.8.8.8', '8.8.4.4', '9.9.9.9', '10.0.0.1', '10.0.0.2', '127.0.0.1', '2606:4700::1'])
      destinations.accepted(address, 443, '')
    destinations.accepted('2606:4700:10::1', 443, '')
    assert.deepEqual(hostsOf('public'), ['8.8.8.8', '9.9.9.9', '2606:4700::1'])
    assert.deepEqual(hostsOf('private'), ['10.0.0.1', '10.0.0.2'])
    assert.deepEqual(hostsOf('machine'), [])
    assert.equal(hostsOf('public', 2).length, 2)
  })

  it('count for ten minutes', () => {
    nowMs = 300_000
    destinations.accepted('9.9.9.9', 443, '')
    nowMs = 600_000
    assert.deepEqual(hostsOf('public'), ['9.9.9.9'])
  })

  it('tell for good which families of addresses have worked', () => {
    assert.equal(destinations.hasWorked(6, 'public'), true)
    assert.equal(destinations.hasWorked(6, 'private'), false)
    assert.equal(destinations.hasWorked(4, 'private'), true)
  })

  it('are remembered up to a limit', () => {
    for (let third = 0; third < 300; third += 1) destinations.accepted(`11.${third % 256}.${third >> 8}.1`, 443, '')
    assert.ok(destinations.pick('public', 1_000).length <= 64)
    for (let third = 0; third < 300; third += 1)
      destinations.accepted(`12.${third % 256}.${third >> 8}.1`, 443, `${third}`)
    assert.ok(destinations.pick('public', 1_000).length <= 32)
  })
})

const random = (): number => 0

function hosts(list: readonly { host: string }[]): string[] {
  return list.map(({ host }) => host)
}

describe('destinations that are picked', () => {
  it('are of different shares by turns, however many one of them has', () => {
    const destinations = createDestinations(random)
    destinations.accepted('7.7.0.1', 443, 'small')
    for (let second = 0; second < 200; second += 1) destinations.accepted(`8.${second}.0.1`, 443, 'large')
    destinations.accepted('9.9.0.1', 443, 'other')
    const picked = hosts(destinations.pick('public', 4))
    assert.equal(picked.length, 4)
    for (const host of ['7.7.0.1', '9.9.0.1']) assert.ok(picked.includes(host), host)
  })

  it('are each of another network: a /16 of IPv4, a /32 of IPv6', () => {
    const destinations = createDestinations(random)
    const four = ['8.7.0.1', '9.7.0.1', '8.6.0.1']
    for (const host of [...four, '8.7.255.1']) destinations.accepted(host, 443, '')
    assert.deepEqual(hosts(destinations.pick('public', 8)), four)
    const six = createDestinations(random)
    for (const host of ['2606:4700::1', '2606:4700:1000::1', '2606:4701::1']) six.accepted(host, 443, '')
    assert.deepEqual(hosts(six.pick('public', 8)), ['2606:4700::1', '2606:4701::1'])
  })

  it('come in an order that chance decides', () => {
    const drawn = [0.5, 0.9, 0.1]
    const destinations = createDestinations(() => drawn.shift() ?? 0)
    for (const host of ['7.7.7.7', '8.8.8.8', '9.9.9.9']) destinations.accepted(host, 443, '')
    assert.deepEqual(hosts(destinations.pick('public', 8)), ['9.9.9.9', '7.7.7.7', '8.8.8.8'])
  })

  it('stand for their network in place of a target in doubt', () => {
    const destinations = createDestinations(random)
    for (const host of ['8.8.8.8', '8.8.4.4', '9.9.9.9']) destinations.accepted(host, 443, '')
    assert.deepEqual(hosts(destinations.pick('public', 8, new Set(['8.8.8.8']))), ['8.8.4.4', '9.9.9.9'])
    assert.deepEqual(hosts(destinations.pick('public', 1, new Set(['8.8.8.8', '8.8.4.4']))), ['9.9.9.9'])
  })

  it('are targets in doubt where nothing else is known', () => {
    const destinations = createDestinations(random)
    for (const host of ['8.8.8.8', '9.9.9.9']) destinations.accepted(host, 443, '')
    const picked = destinations.pick('public', 8, new Set(['8.8.8.8', '9.9.9.9']))
    assert.deepEqual(hosts(picked), ['8.8.8.8', '9.9.9.9'])
  })

  it('are two of one network where all are of one, so that each has another beside it', () => {
    const destinations = createDestinations(random)
    for (const host of ['8.8.8.8', '8.8.4.4', '8.8.6.6']) destinations.accepted(host, 443, '')
    assert.deepEqual(hosts(destinations.pick('public', 8)), ['8.8.8.8', '8.8.4.4'])
  })
})

describe('the farthest of some addresses', () => {
  const table: [addresses: string[], reach: Reach | null][] = [
    [[], null],
    [['127.0.0.1'], 'machine'],
    [['127.0.0.1', '10.0.0.1'], 'private'],
    [['10.0.0.1', '127.0.0.1'], 'private'],
    [['10.0.0.1', '8.8.8.8', '127.0.0.1'], 'public'],
  ]
  for (const [addresses, reach] of table)
    it(`${addresses.join(', ')}: ${reach}`, () => assert.equal(farthestOf(addresses), reach))
})
