import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { zoneReply } from '../../../test/support/dns-zone.ts'
import { failureOf } from '../../../test/support/net.ts'
import { createNet } from '#net/create-net.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'

describe('looking up a service', async () => {
  const { address } = await dnsServer(
    zoneReply({
      'SRV _a._tcp.example': ['10 5 5060 second.example', '10 50 5061 first.example.', '20 99 1 last.example'],
      'SRV _none._tcp.example': '0 0 0 .',
      'A _b._tcp.example': '127.0.0.1',
      'SRV _broken._tcp.example': 'servfail',
      'SRV _silent._tcp.example': 'silent',
    }),
  )
  const net = createNet({ allowPrivate: 'none', dnsServers: [address] })
  const find = (name: string, timeoutMs = 2000): ReturnType<typeof net.findService> =>
    net.findService({ name, timeoutMs }, AbortSignal.timeout(timeoutMs))

  it('gives the places in the order in which to try them', async () => {
    const found = await find('_a._tcp.example')
    assert.ok(found.ok)
    assert.deepEqual(
      found.records.map(({ target, port }) => `${target}:${port}`),
      ['first.example:5061', 'second.example:5060', 'last.example:1'],
    )
  })

  it('gives an empty target where there is decidedly no service', async () => {
    const found = await find('_none._tcp.example')
    assert.ok(found.ok)
    assert.deepEqual(
      found.records.map(({ target }) => target),
      [''],
    )
  })

  const failures = [
    ['_missing._tcp.example', 'dns_not_found'],
    ['_b._tcp.example', 'dns_no_address'],
    ['_broken._tcp.example', 'dns_server_failed'],
    [`${'a'.repeat(64)}.example`, 'dns_bad_name'],
  ] as const
  for (const [name, code] of failures)
    it(`says ${code} of ${name.slice(0, 30)}`, async () => assert.equal(failureOf(await find(name)).code, code))

  for (const [name, unresolved] of [
    ['_missing._tcp.example', null],
    ['_b._tcp.example', null],
    ['_broken._tcp.example', 'troubled'],
  ] as const)
    it(`tells the check of ${name} that name servers ${unresolved === null ? 'are well' : 'have trouble'}`, async () => {
      const traffic = createTraffic()
      const told = createNet({ allowPrivate: 'none', dnsServers: [address], traffic })
      const trace = newTrace()
      await traffic.during(trace, () => told.findService({ name, timeoutMs: 2000 }, AbortSignal.timeout(2000)))
      assert.deepEqual([trace.unresolved, trace.isConclusive], [unresolved, false])
    })

  it('ends at its deadline', async () => {
    const failure = failureOf(await find('_silent._tcp.example', 200))
    assert.equal(failure.message, 'Timed out after 200 ms while looking up the name of _silent._tcp.example')
  })
})
