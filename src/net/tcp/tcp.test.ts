import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { timed } from '../../../test/support/timed.ts'
import { until } from '../../../test/support/until.ts'
import { createNet } from '#net/create-net.ts'
import { newSight } from '#net/ground/sight.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'
import type { TcpOutcome } from './tcp.ts'

function connectTo(port: number, expectedText: string | null = null, timeoutMs = 3000): Promise<TcpOutcome> {
  const request = { host: '127.0.0.1', port, expectedText, maxBytes: 1000, timeoutMs }
  return timed(() => openNet.tcp(request, AbortSignal.timeout(timeoutMs)))
}

function banner(...pieces: string[]): (socket: Socket) => void {
  return (socket) => {
    socket.setNoDelay(true)
    const next = (): void => {
      const piece = pieces.shift()
      if (piece !== undefined) socket.write(piece, () => setImmediate(next))
    }
    next()
  }
}

describe('a connection over TCP', () => {
  it('is enough when nothing is expected, and is closed with a proper farewell', async () => {
    const ended = Promise.withResolvers<boolean>()
    const { port } = await rawServer((socket) => {
      socket.once('error', () => ended.resolve(false))
      socket.once('end', () => ended.resolve(true))
      socket.resume()
    })
    const outcome = await connectTo(port)
    assert.ok(outcome.ok)
    assert.deepEqual([outcome.address, outcome.received, outcome.hasExpectedText], ['127.0.0.1', '', false])
    assert.notEqual(outcome.phases.connectMs, null)
    assert.equal(outcome.phases.ttfbMs, null)
    assert.equal(await ended.promise, true)
  })

  it('reads until the expected text has come, across pieces', async () => {
    const { port } = await rawServer(banner('220 ma', 'il rea', 'dy\r\n'))
    const outcome = await connectTo(port, 'mail ready')
    assert.ok(outcome.ok)
    assert.equal(outcome.hasExpectedText, true)
    assert.equal(outcome.received, '220 mail ready\r\n')
    assert.notEqual(outcome.phases.ttfbMs, null)
  })

  it('tells what came instead of the expected text', async () => {
    const closing = await rawServer((socket) => socket.end('go away'))
    const waiting = await rawServer(banner('still here'))
    const hesitant = await rawServer(banner('x'))
    const flooding = await rawServer((socket) => void socket.write('x'.repeat(5000)))
    const pouring = await rawServer(banner('x'.repeat(600), 'x'.repeat(600)))
    const cases = [
      [closing.port, 'go away'],
      [waiting.port, 'still here'],
      [hesitant.port, 'x'],
      [pouring.port, 'x'.repeat(1000)],
      [flooding.port, 'x'.repeat(1000)],
    ] as const
    for (const [port, received] of cases) {
      const outcome = await connectTo(port, 'welcome', 300)
      assert.ok(outcome.ok)
      assert.deepEqual([outcome.hasExpectedText, outcome.received], [false, received])
    }
  })

  it('ends as soon as it has read as much as it may', async () => {
    const { port } = await rawServer((socket) => void socket.write('x'.repeat(1000)))
    const outcome = await connectTo(port, 'welcome', 20_000)
    assert.deepEqual(outcome.ok && [outcome.received, outcome.hasExpectedText], ['x'.repeat(1000), false])
    assert.ok(outcome.latencyMs < 10_000)
  })

  it('is seen with its failure, and without one where it is well', async () => {
    const traffic = createTraffic()
    const net = createNet({ allowPrivate: 'all', traffic })
    const seen = async (port: number): Promise<string | undefined> => {
      const sight = newSight(false)
      const request = { host: '127.0.0.1', port, expectedText: 'hello', maxBytes: 100, timeoutMs: 300 }
      await traffic.during(newTrace(null, null, sight), () => net.tcp(request, AbortSignal.timeout(300)))
      return sight.failure?.code
    }
    const [silent, well] = [await rawServer(() => {}), await rawServer(banner('hello'))]
    assert.deepEqual([await seen(silent.port), await seen(well.port)], ['timed_out', undefined])
  })

  it('names what failed', async () => {
    const port = await freePort()
    assert.equal(failureOf(await connectTo(port)).message, `Connection refused by 127.0.0.1:${port}`)
    const silent = await rawServer(() => {})
    assert.equal(
      failureOf(await connectTo(silent.port, 'hello', 200)).message,
      'Timed out after 200 ms while waiting for the answer',
    )
    const resetting = await rawServer((socket) => socket.resetAndDestroy())
    assert.match(failureOf(await connectTo(resetting.port, 'hello')).message, /^The connection was reset by /)
  })

  it('names a reset of what was connected', async () => {
    const accepted = Promise.withResolvers<Socket>()
    const { port } = await rawServer((socket) => accepted.resolve(socket))
    const [traffic, trace] = [createTraffic(), newTrace()]
    const net = createNet({ allowPrivate: 'all', traffic })
    const request = { host: '127.0.0.1', port, expectedText: 'hello', maxBytes: 100 }
    const asked = traffic.during(trace, () => net.tcp(request, AbortSignal.timeout(20_000)))
    await until('it to be connected', () => trace.heardMs !== null)
    const socket = await accepted.promise
    socket.resetAndDestroy()
    const { code, phase } = failureOf(await asked)
    assert.deepEqual([code, phase], ['connection_reset', 'request'])
  })

  it('keeps no more than it may, however it comes', async () => {
    const { port } = await rawServer(banner('a'.repeat(600), 'b'.repeat(600)))
    const outcome = await connectTo(port, 'hello')
    assert.equal(outcome.ok && outcome.received, 'a'.repeat(600) + 'b'.repeat(400))
  })

  it('looks its name up afresh', async () => {
    const { address, questions } = await dnsServer(() => ({ addresses: ['127.0.0.1'] }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const { port } = await rawServer(() => {})
    const request = { host: 'here.example', port, expectedText: null, maxBytes: 1 }
    for (const looks of [1, 2]) {
      assert.ok((await net.tcp(request, AbortSignal.timeout(5_000))).ok)
      assert.equal(questions.filter((question) => question.startsWith('A ')).length, looks)
    }
  })

  it('refuses private addresses', async () => {
    const { port, connections } = await rawServer(() => {})
    const request = { host: '127.0.0.1', port, expectedText: null, maxBytes: 1 }
    const outcome = await createNet({ allowPrivate: 'none' }).tcp(request, AbortSignal.timeout(1000))
    assert.equal(failureOf(outcome).code, 'forbidden_address')
    assert.equal(connections(), 0)
  })

  it('leaves no connection behind', async () => {
    const closed = Promise.withResolvers<void>()
    const { port, server } = await rawServer((socket) => {
      socket.once('close', () => closed.resolve())
      socket.write('hello')
    })
    await connectTo(port, 'hello')
    await closed.promise
    server.close()
    await once(server, 'close')
  })
})
