import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { type DnsReply, dnsServer } from '../../../test/support/dns-server.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { withoutPing } from '../../../test/support/icmp.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { closedUdpPort, udpServer } from '../../../test/support/udp-server.ts'
import { createNet } from '../create-net.ts'
import type { Net } from '../net.ts'
import { createTraffic, familyOf, type Mark, newTrace, type Trace, type Traffic } from './trace.ts'

const zone: Record<string, DnsReply> = {
  'here.example': { addresses: ['127.0.0.1'] },
  'empty.example': { addresses: [] },
  'broken.example': 'servfail',
  'refused.example': 'refused',
  'silent.example': 'silent',
}
const alone = makeCertificate({ name: 'nobody.example' })

const signal = (ms = 20_000): AbortSignal => AbortSignal.timeout(ms)

describe('the trace of a check', () => {
  const address = '192.0.2.1'
  const fresh = { unresolved: null, isNamed: false, isConclusive: false, noRoute: null, reachedAt: null }

  const told: [what: string, tell: (traffic: Traffic) => void, changes: Partial<Trace>, isHeard: boolean][] = [
    ['of an address', (traffic) => traffic.located([address], false), { addresses: new Set([address]) }, false],
    [
      'of a name',
      (traffic) => traffic.located([address], true),
      { addresses: new Set([address]), isNamed: true },
      false,
    ],
    [
      'of a name without an answer',
      (traffic) => traffic.unresolved('silent'),
      { unresolved: 'silent', isNamed: true },
      false,
    ],
    ['of a name that is none', (traffic) => traffic.notFound(), { isConclusive: true }, false],
    ['of a connection', (traffic) => traffic.connected(address, 1), { reachedAt: address }, true],
    ['of an answer from an address', (traffic) => traffic.heard(address), { reachedAt: address }, true],
    ['of an answer', (traffic) => traffic.heard(), {}, true],
    ['of a refusal', (traffic) => traffic.refused(), { isConclusive: true }, true],
    ['of bytes', (traffic) => traffic.received(), {}, true],
    ['of bytes that end it', (traffic) => traffic.received(true), { isConclusive: true }, true],
    ['of missing ways', (traffic) => traffic.noRoute([address, '192.0.2.2', '::1']), { noRoute: [4, 6] }, false],
  ]
  for (const [what, tell, changes, isHeard] of told)
    it(`is ${what}`, async () => {
      const traffic = createTraffic()
      const trace = newTrace()
      await traffic.during(trace, async () => {
        tell(traffic)
        assert.equal(traffic.isConclusive(), changes.isConclusive === true)
      })
      const { addresses, unresolved, isNamed, isConclusive, noRoute, reachedAt, heardMs } = trace
      assert.deepEqual(
        { addresses, unresolved, isNamed, isConclusive, noRoute, reachedAt },
        { addresses: new Set(), ...fresh, ...changes },
      )
      assert.equal(heardMs !== null, isHeard)
    })

  it('forgets what was said last when it is led somewhere else, but not where it was before', async () => {
    const traffic = createTraffic()
    const trace = newTrace()
    await traffic.during(trace, async () => {
      traffic.connected(address, 1)
      traffic.refused()
      traffic.unresolved('silent')
      assert.equal(trace.isConclusive, false)
      traffic.refused()
      traffic.located(['192.0.2.2'], false)
      traffic.heard('192.0.2.2')
    })
    assert.deepEqual(
      [trace.unresolved, trace.isNamed, trace.isConclusive, trace.reachedAt],
      [null, true, false, address],
    )
    assert.deepEqual(trace.addresses, new Set(['192.0.2.2']))
  })

  it('is that of no other check, and of none what happens outside of all', async () => {
    const entered: (Mark | null)[] = []
    const traffic = createTraffic({ onEntered: (mark) => void entered.push(mark) })
    const mark = { check: 1, text: 'a check', tookMs: 0 }
    const other = newTrace()
    for (const [, tell] of told) tell(traffic)
    assert.deepEqual([traffic.isConclusive(), traffic.sight()], [false, null])
    await traffic.during(newTrace(mark), async () => {
      traffic.refused()
      traffic.entered()
    })
    assert.deepEqual([other.heardMs, other.isConclusive], [null, false])
    assert.deepEqual(entered, [null, null, mark, mark])
  })

  it('has the family of an address', () => assert.deepEqual(['::1', address].map(familyOf), [6, 4]))
})

describe('what the network says to a check', async () => {
  const names = await dnsServer((name) => zone[name] ?? 'nxdomain')
  const traffic = createTraffic()
  const net = createNet({ allowPrivate: 'all', dnsServers: [names.address], traffic })

  async function traceOf(run: (net: Net, trace: Trace) => Promise<unknown>): Promise<Trace> {
    const trace = newTrace(null, '')
    await traffic.during(trace, () => run(net, trace))
    return trace
  }
  const connectTo = (host: string, port: number): Promise<Trace> =>
    traceOf(() => net.tcp({ host, port, expectedText: null, maxBytes: 1 }, signal()))
  const ask = (name: string): Promise<Trace> => traceOf(() => net.dns({ name, type: 'A', timeoutMs: 400 }, signal()))

  for (const [host, expected] of [
    ['here.example', { unresolved: null, isNamed: true, isConclusive: false }],
    ['127.0.0.1', { unresolved: null, isNamed: false, isConclusive: false }],
    ['gone.example', { unresolved: null, isNamed: false, isConclusive: true }],
    ['empty.example', { unresolved: null, isNamed: false, isConclusive: true }],
    ['broken.example', { unresolved: 'troubled', isNamed: true, isConclusive: false }],
    ['refused.example', { unresolved: 'troubled', isNamed: true, isConclusive: false }],
  ] as const)
    it(`is of the look-up of ${host}: ${JSON.stringify(expected)}`, async () => {
      const { port } = await rawServer(() => {})
      const { unresolved, isNamed, isConclusive } = await connectTo(host, port)
      assert.deepEqual({ unresolved, isNamed, isConclusive }, expected)
    })

  for (const [name, unresolved, isConclusive] of [
    ['here.example', null, false],
    ['gone.example', null, true],
    ['broken.example', 'troubled', false],
    ['refused.example', 'troubled', false],
    ['silent.example', 'silent', false],
  ] as const)
    it(`is of a question for ${name}: ${unresolved}`, async () => {
      const trace = await ask(name)
      assert.deepEqual([trace.unresolved, trace.isConclusive], [unresolved, isConclusive])
    })

  for (const [name, unresolved] of [
    ['gone.example', null],
    ['empty.example', null],
    ['broken.example', 'troubled'],
    ['refused.example', 'troubled'],
    ['silent.example', 'silent'],
  ] as const)
    it(`is of the look-up of the service ${name}: ${unresolved}`, async () => {
      const trace = await traceOf(() => net.findService({ name, timeoutMs: 400 }, signal(400)))
      const isUnnamed = unresolved === null
      assert.deepEqual([trace.unresolved, trace.isNamed, trace.isConclusive], [unresolved, !isUnnamed, false])
    })

  it('forgets a failed look-up of a service when that of the host leads somewhere', async () => {
    const port = await freePort()
    const trace = await traceOf(async (_, running) => {
      await net.findService({ name: 'broken.example', timeoutMs: 400 }, signal(400))
      assert.equal(running.unresolved, 'troubled')
      await net.tcp({ host: 'here.example', port, expectedText: null, maxBytes: 1 }, signal())
    })
    assert.deepEqual([trace.unresolved, trace.isConclusive], [null, true])
  })

  it('forgets a failed look-up when a later one leads somewhere', async () => {
    const port = await freePort()
    const failed = await traceOf(async (_, trace) => {
      await net.dns({ name: 'silent.example', type: 'A', timeoutMs: 400 }, signal())
      assert.equal(trace.unresolved, 'silent')
      await net.tcp({ host: 'here.example', port, expectedText: null, maxBytes: 1 }, signal())
    })
    assert.equal(failed.unresolved, null)
    assert.equal(failed.isConclusive, true, 'and it was refused there')
  })

  it('forgets a refusal when something else is dialled', async () => {
    const port = await freePort()
    const { port: open } = await rawServer(() => {})
    const trace = await traceOf(async () => {
      await net.tcp({ host: '127.0.0.1', port, expectedText: null, maxBytes: 1 }, signal())
      await net.tcp({ host: '127.0.0.1', port: open, expectedText: 'never', maxBytes: 9 }, signal(100))
    })
    assert.equal(trace.isConclusive, false)
  })

  it('is heard with each piece of bytes, and not when the time is over', async () => {
    const said = Promise.withResolvers<Socket>()
    const { port } = await rawServer((socket) => said.resolve(socket))
    const ending = new AbortController()
    let connectedMs: number | null = null
    const trace = await traceOf(async (_, running) => {
      const outcome = net.tcp({ host: '127.0.0.1', port, expectedText: 'later', maxBytes: 99 }, ending.signal)
      const socket = await said.promise
      while (running.heardMs === null) await new Promise((resolve) => setImmediate(resolve))
      connectedMs = running.heardMs
      socket.write('first')
      while (running.heardMs === connectedMs) await new Promise((resolve) => setImmediate(resolve))
      const firstMs = running.heardMs
      ending.abort()
      await outcome
      assert.equal(running.heardMs, firstMs)
    })
    assert.ok(trace.heardMs !== null && connectedMs !== null && trace.heardMs > connectedMs)
  })

  it('is conclusive where the certificate is refused', async () => {
    const { port } = await httpServer((_, response) => response.end('well'), {
      tls: { cert: alone.pem, key: alone.keyPem },
    })
    const trace = await traceOf(() => net.tls({ host: '127.0.0.1', port }, signal()))
    assert.equal(trace.isConclusive, true)
  })

  it('tells what accepted a connection with the share of the check, and of no other connection', async () => {
    const connected: [address: string, share: string][] = []
    const told = createTraffic({ onConnected: (address, _, share) => connected.push([address, share]) })
    const telling = createNet({ allowPrivate: 'all', traffic: told })
    const { port } = await rawServer(() => {})
    const dial = (): Promise<unknown> =>
      telling.tcp({ host: '127.0.0.1', port, expectedText: null, maxBytes: 1 }, signal())
    await dial()
    await told.during(newTrace(), dial)
    await told.during(newTrace(null, 'a share'), dial)
    assert.deepEqual(connected, [['127.0.0.1', 'a share']])
  })

  describe('holds the address that answered first', () => {
    it('of a name, and of what it is sent on to later', async () => {
      const { port: second } = await httpServer((_, response) => response.end('well'), { host: '::1' })
      const { port: first } = await httpServer((_, response) => {
        response.writeHead(302, { location: `http://[::1]:${second}/` }).end()
      })
      const limits = { maxRedirects: 5, headersOnly: true, maxBodyBytes: 0, maxWireBytes: 10_000 }
      const request = { url: new URL(`http://here.example:${first}/`), method: 'GET', headers: {}, body: null }
      const trace = await traceOf(async () => {
        const outcome = await net.http({ ...request, ...limits }, signal())
        assert.equal(outcome.ok && outcome.answer.status, 200)
      })
      assert.equal(trace.reachedAt, '127.0.0.1')
    })

    it('with a datagram, and none where the port is closed', async () => {
      const { port } = await udpServer((_, send) => send(Buffer.from('pong')))
      const request = { host: '127.0.0.1', payload: () => Buffer.from('ping'), isReply: () => true, timeoutMs: 9_000 }
      const answered = await traceOf(() => net.udp({ ...request, port }, signal()))
      assert.equal(answered.reachedAt, '127.0.0.1')
      const closed = await closedUdpPort()
      const refused = await traceOf(() => net.udp({ ...request, port: closed }, signal()))
      assert.equal(refused.reachedAt, null)
      assert.equal((await connectTo('127.0.0.1', await freePort())).reachedAt, null)
    })

    it('with an echo', { skip: withoutPing }, async () => {
      const trace = await traceOf(() => net.ping({ host: 'here.example', packets: 1, timeoutMs: 9_000 }, signal()))
      assert.equal(trace.reachedAt, '127.0.0.1')
    })

    it('and not the one of a name server', async () => {
      assert.equal((await ask('here.example')).reachedAt, null)
    })
  })
})
