import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { timed } from '../../../test/support/timed.ts'
import { createNet } from '#net/create-net.ts'
import type { TcpExchangeOutcome, TcpExchangeRequest } from './tcp-exchange.ts'

function exchange(port: number, wishes: Partial<TcpExchangeRequest> = {}, net = openNet): Promise<TcpExchangeOutcome> {
  const request = {
    host: '127.0.0.1',
    port,
    payload: Buffer.from('question'),
    isEnough: (received: Uint8Array) => received.length >= 10,
    maxBytes: 100_000,
    timeoutMs: 2000,
    ...wishes,
  }
  return timed(() => net.tcpExchange(request, AbortSignal.timeout(request.timeoutMs)))
}

function receivedBy(outcome: TcpExchangeOutcome): [string, string] {
  assert.ok(outcome.ok)
  return [Buffer.from(outcome.received).toString(), outcome.end]
}

describe('an exchange of bytes over TCP', () => {
  it('sends its question and reads until enough has come', async () => {
    const asked = Promise.withResolvers<string>()
    const { port } = await rawServer((socket) => {
      socket.once('data', (bytes) => {
        asked.resolve(bytes.toString())
        socket.write('0123456789abc')
      })
    })
    const outcome = await exchange(port)
    assert.deepEqual(receivedBy(outcome), ['0123456789abc', 'enough'])
    assert.ok(outcome.ok)
    assert.equal(outcome.address, '127.0.0.1')
    assert.notEqual(outcome.phases.ttfbMs, null)
    assert.notEqual(outcome.phases.transferMs, null)
    assert.equal(await asked.promise, 'question')
  })

  it('gives all that came when the server closes, or sends more than is read', async () => {
    const closing = await rawServer(answering('half'))
    assert.deepEqual(receivedBy(await exchange(closing.port)), ['half', 'closed'])
    const flooding = await rawServer(answering('x'.repeat(500_000)))
    const [text, end] = receivedBy(await exchange(flooding.port, { isEnough: () => false }))
    assert.deepEqual([text, end], ['x'.repeat(100_000), 'full'])
  })

  it('shows all that has come so far, however it is split', async () => {
    const text = Array.from({ length: 3000 }, (_, index) => index % 10).join('')
    for (const size of [1, 7, 1000, 5000]) {
      const { port } = await rawServer((socket) => {
        socket.setNoDelay(true)
        const next = (offset: number): void => {
          if (offset < text.length)
            socket.write(text.slice(offset, offset + size), () => setImmediate(next, offset + size))
        }
        next(0)
      })
      const seen: string[] = []
      const isEnough = (received: Uint8Array): boolean => {
        seen.push(Buffer.from(received).toString())
        return received.length === text.length
      }
      assert.deepEqual(receivedBy(await exchange(port, { isEnough })), [text, 'enough'])
      assert.ok(seen.every((each) => text.startsWith(each)))
    }
  })

  it('names what failed, and where it stood', async () => {
    const free = await freePort()
    assert.equal(failureOf(await exchange(free)).message, `Connection refused by 127.0.0.1:${free}`)
    const silent = await rawServer(() => {})
    const late = failureOf(await exchange(silent.port, { timeoutMs: 200 }))
    assert.deepEqual([late.phase, late.message], ['request', 'Timed out after 200 ms while waiting for the answer'])
    const stopping = await rawServer(answering('half', { staysOpen: true }))
    const stuck = failureOf(await exchange(stopping.port, { timeoutMs: 200 }))
    assert.deepEqual([stuck.phase, stuck.message], ['transfer', 'Timed out after 200 ms while reading the answer'])
    const resetting = await rawServer((socket) => void socket.once('data', () => socket.resetAndDestroy()))
    assert.equal(failureOf(await exchange(resetting.port)).code, 'connection_reset')
  })

  it('looks its name up afresh', async () => {
    const { address, questions } = await dnsServer(() => ({ addresses: ['127.0.0.1'] }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const { port } = await rawServer(answering('0123456789'))
    for (const looks of [1, 2]) {
      assert.deepEqual(receivedBy(await exchange(port, { host: 'here.example' }, net)), ['0123456789', 'enough'])
      assert.equal(questions.filter((question) => question.startsWith('A ')).length, looks)
    }
  })

  it('refuses private addresses', async () => {
    const { port, connections } = await rawServer(() => {})
    const outcome = await exchange(port, {}, createNet({ allowPrivate: 'none' }))
    assert.equal(failureOf(outcome).code, 'forbidden_address')
    assert.equal(connections(), 0)
  })

  it('rejects with what its question throws', async () => {
    const { port } = await rawServer(answering('x'))
    const bug = new Error('a bug')
    const isEnough = (): never => {
      throw bug
    }
    await assert.rejects(exchange(port, { isEnough }), bug)
  })
})
