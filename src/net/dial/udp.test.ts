import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { timed } from '../../../test/support/timed.ts'
import { closedUdpPort, udpServer } from '../../../test/support/udp-server.ts'
import { createNet } from '#net/create-net.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'
import type { UdpOutcome, UdpRequest } from './udp.ts'

function ask(
  port: number,
  wishes: Partial<UdpRequest> = {},
  net: Pick<typeof openNet, 'udp'> = openNet,
): Promise<UdpOutcome> {
  const request = { host: '127.0.0.1', port, payload: () => Buffer.from('ping'), isReply: () => true, timeoutMs: 2000 }
  const whole = { ...request, ...wishes }
  return timed(() => net.udp(whole, AbortSignal.timeout(whole.timeoutMs)))
}

function replyOf(outcome: UdpOutcome): string {
  assert.ok(outcome.ok)
  return Buffer.from(outcome.reply).toString()
}

describe('an exchange of datagrams', () => {
  it('gives the answer, and how long it took', async () => {
    const { port } = await udpServer((datagram, send) => send(Buffer.from(`${String(datagram)} pong`)))
    const startedAt = Date.now()
    const outcome = await ask(port)
    assert.equal(replyOf(outcome), 'ping pong')
    assert.ok(outcome.ok)
    assert.equal(outcome.address, '127.0.0.1')
    assert.ok(outcome.rttMs > 0 && outcome.rttMs < 2000)
    assert.ok(outcome.sentAtMs >= startedAt && outcome.sentAtMs <= Date.now())
    assert.deepEqual([outcome.phases.dnsMs, outcome.phases.connectMs], [0, null])
    assert.notEqual(outcome.phases.ttfbMs, null)
  })

  it('takes an empty answer and the largest one', async () => {
    for (const size of [0, 65_507]) {
      const { port } = await udpServer((_, send) => send(Buffer.alloc(size, 'x')))
      assert.equal(replyOf(await ask(port)).length, size)
    }
  })

  it('sends no secret to a public address', async () => {
    for (const host of ['8.8.8.8', '2001:4860:4860::8888']) {
      const outcome = await ask(53, { host, staysPrivate: true })
      assert.equal(failureOf(outcome).code, 'encryption_required')
      assert.match(failureOf(outcome).message, /is at a public address, to which nothing is sent in clear text$/)
    }
    const { port } = await udpServer((_, send) => send(Buffer.from('pong')))
    assert.equal(replyOf(await ask(port, { staysPrivate: true })), 'pong')
  })

  it('sends once more after a time of its own', async () => {
    const { port } = await udpServer((_, send, count) => {
      if (count === 2) send(Buffer.from('again'))
    })
    const outcome = await ask(port, { timeoutMs: 20_000, resendMs: 50 })
    assert.equal(replyOf(outcome), 'again')
    assert.ok(outcome.latencyMs >= 40 && outcome.latencyMs < 5000)
  })

  it('reaches IPv6', async () => {
    const { port } = await udpServer((_, send) => send(Buffer.from('six')), { host: '::1' })
    assert.equal(replyOf(await ask(port, { host: '::1' })), 'six')
  })

  it('sends once more at half time, and tells which of both was answered', async () => {
    const { port, received } = await udpServer((datagram, send, count) => {
      if (count === 2) send(datagram)
    })
    let made = 0
    const outcome = await ask(port, {
      timeoutMs: 600,
      payload: () => Buffer.from(String(made++)),
      isReply: (reply, sent) => Buffer.compare(reply, sent) === 0,
    })
    assert.equal(replyOf(outcome), '1')
    assert.deepEqual(received.map(String), ['0', '1'])
    assert.ok(outcome.ok)
    assert.ok(outcome.latencyMs >= 290 && outcome.rttMs < 290, `${outcome.latencyMs} ms, of which ${outcome.rttMs}`)
  })

  it('passes over what is no answer, and shows the first of it when nothing else comes', async () => {
    const { port } = await udpServer((_, send) => {
      send(Buffer.from('one'))
      send(Buffer.from('two'))
      send(Buffer.from('three'))
    })
    assert.equal(replyOf(await ask(port, { isReply: (reply) => String(reply) !== 'one' })), 'two')
    const outcome = await ask(port, { isReply: () => false, timeoutMs: 200 })
    assert.equal(failureOf(outcome).message, 'Timed out after 200 ms while waiting for the answer')
    assert.ok(!outcome.ok)
    assert.equal(String(outcome.other), 'one')
  })

  const floods = [
    ['of many small datagrams', 1, 64],
    ['of a few large ones', 60_000, 2],
  ] as const
  for (const [name, size, count] of floods)
    it(`breaks off at a flood ${name}`, async () => {
      const { port } = await udpServer((_, send) => {
        for (let sent = 0; sent < count; sent += 1) send(Buffer.alloc(size))
      })
      const outcome = await ask(port, { isReply: () => false })
      assert.equal(failureOf(outcome).code, 'udp_flood')
      assert.ok(outcome.latencyMs < 1000)
    })

  it('names a refusal, which comes at once', async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const port = await closedUdpPort(host)
      const outcome = await ask(port, { host })
      const label = host === '::1' ? `[::1]:${port}` : `127.0.0.1:${port}`
      assert.equal(failureOf(outcome).message, `Connection refused by ${label}: nothing listens on this UDP port`)
      assert.ok(outcome.latencyMs < 1000)
    }
  })

  it('goes on to the next address when one refuses or is silent', async () => {
    const { address } = await dnsServer(() => ({ addresses: ['127.0.0.1', '::1'] }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const four = await udpServer((_, send) => send(Buffer.from('four')))
    assert.equal(replyOf(await ask(four.port, { host: 'both.example' }, net)), 'four')
    const { address: silentFirst } = await dnsServer(() => ({ addresses: ['127.0.0.2', '127.0.0.1'] }))
    const last = createNet({ allowPrivate: 'all', dnsServers: [silentFirst] })
    const one = await udpServer((_, send) => send(Buffer.from('one')))
    const silent = await udpServer(() => {}, { host: '127.0.0.2', port: one.port })
    const outcome = await ask(one.port, { host: 'silent.example' }, last)
    assert.equal(replyOf(outcome), 'one')
    assert.equal(silent.received.length, 1)
    assert.ok(outcome.latencyMs >= 240 && outcome.latencyMs < 1000, `${outcome.latencyMs} ms`)
  })

  it('refuses private addresses, port 0 and names that do not exist', async () => {
    const { port, received } = await udpServer(() => {})
    const closed = createNet({ allowPrivate: 'none' })
    assert.equal(failureOf(await ask(port, {}, closed)).code, 'forbidden_address')
    assert.equal(failureOf(await ask(0)).code, 'forbidden_port')
    const { address } = await dnsServer(() => 'nxdomain')
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    assert.match(failureOf(await ask(port, { host: 'missing.example' }, net)).message, /NXDOMAIN/)
    assert.equal(received.length, 0)
  })

  it('rejects when a callback throws, instead of ending the process', async () => {
    const { port } = await udpServer((_, send) => send(Buffer.from('x')))
    const bug = new Error('a bug')
    const throwing = (): never => {
      throw bug
    }
    await assert.rejects(ask(port, { isReply: throwing }), bug)
    await assert.rejects(ask(port, { payload: throwing }), bug)
  })

  it('tells its check what was heard: a datagram that is no answer, a refusal, or nothing', async () => {
    const traffic = createTraffic()
    const net = createNet({ allowPrivate: 'all', traffic })
    const traceOf = async (port: number): Promise<[isHeard: boolean, isConclusive: boolean]> => {
      const trace = newTrace()
      await traffic.during(trace, () => ask(port, { isReply: () => false, timeoutMs: 150 }, net))
      return [trace.heardMs !== null, trace.isConclusive]
    }
    const other = await udpServer((_, send) => send(Buffer.from('other')))
    const silent = await udpServer(() => {})
    assert.deepEqual(await Promise.all([other.port, silent.port, await closedUdpPort()].map(traceOf)), [
      [true, false],
      [false, false],
      [true, true],
    ])
  })

  it('looks a name up afresh for each check, since a check measures that too', async () => {
    const { address, questions } = await dnsServer(() => ({ addresses: ['127.0.0.1'] }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const { port } = await udpServer((_, send) => send(Buffer.from('pong')))
    assert.equal(replyOf(await ask(port, { host: 'here.example' }, net)), 'pong')
    const before = questions.length
    assert.equal(replyOf(await ask(port, { host: 'here.example' }, net)), 'pong')
    assert.equal(questions.length, 2 * before)
  })

  it('does nothing after its deadline', async () => {
    const { port, received } = await udpServer(() => {})
    const request = { host: '127.0.0.1', port, payload: () => Buffer.from('x'), isReply: () => true, timeoutMs: 1000 }
    assert.equal(failureOf(await openNet.udp(request, AbortSignal.abort())).code, 'timed_out')
    assert.equal(received.length, 0)
  })
})
