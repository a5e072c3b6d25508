import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DnsReply, dnsServer } from '../../../test/support/dns-server.ts'
import { noNet } from '../../../test/support/net.ts'
import { noPhases } from '#core/results/result.ts'
import { createDestinations } from './destinations.ts'
import type { Standing } from './ground.ts'
import { openGround } from './open-ground.ts'
import { createTraffic, newTrace, type Trace } from './trace.ts'

const roots: DnsReply = { records: [{ type: 'NS', name: '.', data: 'a.root-servers.net' }] }

describe('the name servers that are asked for those of the root', { concurrency: true }, () => {
  const table: [what: string, reply: DnsReply, standing: Standing][] = [
    ['know them', roots, 'held'],
    ['know none', { records: [] }, 'held'],
    ['say that there are none', 'nxdomain', 'held'],
    ['have trouble', 'servfail', 'unverified'],
    ['refuse', 'refused', 'unverified'],
    ['are silent', 'silent', 'unverified'],
  ]
  for (const [what, reply, expected] of table)
    it(`${what}: ${expected}`, async () => {
      const { address } = await dnsServer(() => reply)
      const traffic = createTraffic()
      const ground = openGround({
        net: noNet,
        traffic,
        destinations: createDestinations(),
        configured: [],
        usesRoots: false,
        dnsServers: [address],
      })
      const failed: Trace = { ...newTrace(null, ''), unresolved: 'troubled', isNamed: true }
      assert.equal(await ground.standing(failed), expected)
      ground.stop()
    })
})

describe('a reference that is asked', () => {
  it('is no destination of checks by that', async () => {
    let nowMs = 0
    const destinations = createDestinations(
      () => 0,
      () => nowMs,
    )
    const traffic = createTraffic({ onConnected: destinations.accepted })
    const asked: string[] = []
    const ground = openGround({
      net: {
        tcp: async ({ host, port }) => {
          asked.push(`${host} ${port}`)
          traffic.located([host], false)
          traffic.connected(host, port)
          return { ok: true, address: host, received: '', hasExpectedText: false, latencyMs: 1, phases: noPhases }
        },
      },
      traffic,
      destinations,
      configured: [{ host: '7.7.7.7', port: 443 }],
      usesRoots: true,
      dnsServers: [],
    })
    destinations.accepted('8.8.8.8', 443, '')
    nowMs = 590_000
    const failed: Trace = { ...newTrace(null, ''), addresses: new Set(['5.9.9.9']) }
    assert.equal(await ground.standing(failed), 'held')
    ground.stop()
    assert.deepEqual(asked.slice(0, 3), ['8.8.8.8 443', '7.7.7.7 443', '192.5.5.241 53'])
    assert.deepEqual(destinations.pick('public', 8), [{ host: '8.8.8.8', port: 443 }])
    nowMs = 600_001
    assert.deepEqual(destinations.pick('public', 8), [])
  })
})
