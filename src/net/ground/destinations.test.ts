import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createDestinations, type Reach, reachOf } from './destinations.ts'

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
      destinations.accepted(address, 443)
    destinations.accepted('2606:4700:10::1', 443)
    assert.deepEqual(hostsOf('public'), ['8.8.8.8', '9.9.9.9', '2606:4700::1'])
    assert.deepEqual(hostsOf('private'), ['10.0.0.1', '10.0.0.2'])
    assert.deepEqual(hostsOf('machine'), [])
    assert.equal(hostsOf('public', 2).length, 2)
  })

  it('count for ten minutes', () => {
    nowMs = 300_000
    destinations.accepted('9.9.9.9', 443)
    nowMs = 600_001
    assert.deepEqual(hostsOf('public'), ['9.9.9.9'])
  })

  it('tell for good which families of addresses have worked', () => {
    assert.equal(destinations.hasWorked(6, 'public'), true)
    assert.equal(destinations.hasWorked(6, 'private'), false)
    assert.equal(destinations.hasWorked(4, 'private'), true)
  })

  it('are remembered up to a limit', () => {
    for (let third = 0; third < 300; third += 1) destinations.accepted(`11.${third % 256}.${third >> 8}.1`, 443)
    assert.ok(destinations.pick('public', 1_000).length <= 256)
  })
})
