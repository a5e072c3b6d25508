import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { failureOf } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { createNet, type NetOptions } from '#net/create-net.ts'
import { createTraffic, newTrace, type Trace } from '#net/ground/trace.ts'
import type { DnsOutcome } from './dns.ts'

describe('a question to a name server that the request names', async () => {
  const own = await dnsServer((name) => (name === 'a.example' ? { addresses: ['192.0.2.7'] } : 'servfail'))
  const other = await dnsServer(() => 'nxdomain')

  async function ask(
    name: string,
    server: string,
    wishes: Partial<NetOptions> = {},
  ): Promise<{ outcome: DnsOutcome; trace: Trace }> {
    const traffic = createTraffic()
    const trace = newTrace()
    const net = createNet({ allowPrivate: ['127.0.0.0/8'], dnsServers: [other.address], traffic, ...wishes })
    const request = { name, type: 'A', timeoutMs: 5_000, server } as const
    const outcome = await traffic.during(trace, () => net.dns(request, AbortSignal.timeout(5_000)))
    return { outcome, trace }
  }

  it('is put to that one alone', async () => {
    const { outcome, trace } = await ask('a.example', own.address)
    assert.ok(outcome.ok && outcome.answer.answers.length === 1)
    assert.deepEqual([other.questions, own.questions], [[], ['A a.example']])
    assert.deepEqual([trace.isNamed, trace.reachedAt], [false, '127.0.0.1'])
  })

  it('is put to none that may not be dialled', async () => {
    own.questions.length = 0
    const { outcome } = await ask('a.example', own.address, { allowPrivate: 'none' })
    assert.match(failureOf(outcome).message, /^127\.0\.0\.1 is a private or reserved address/)
    const port = Number(own.address.split(':')[1])
    const itself = await ask('a.example', own.address, { ownPorts: [port] })
    assert.equal(failureOf(itself.outcome).message, `${own.address} is Perigee itself, which is not checked`)
    assert.deepEqual(own.questions, [])
  })

  it('says nothing of the name servers of the location where it gets no answer, or a bad one', async () => {
    const bad = await ask('b.example', own.address)
    assert.ok(bad.outcome.ok && bad.outcome.answer.rcode === 'SERVFAIL')
    assert.deepEqual([bad.trace.unresolved, bad.trace.heardMs === null], [null, false])
    const away = await ask('a.example', `127.0.0.1:${await freePort()}`)
    assert.equal(failureOf(away.outcome).code, 'dns_unreachable')
    assert.deepEqual([away.trace.unresolved, away.trace.heardMs], [null, null])
    assert.deepEqual([...away.trace.addresses], ['127.0.0.1'])
  })
})
