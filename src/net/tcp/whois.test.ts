import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import { dnsServer } from '../../../test/support/dns-server.ts'
import { failureOf, openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { timed } from '../../../test/support/timed.ts'
import type { WhoisOutcome } from './whois.ts'

function ask(port: number, wishes: { timeoutMs?: number; maxBytes?: number } = {}): Promise<WhoisOutcome> {
  const timeoutMs = wishes.timeoutMs ?? 3000
  const request = { host: '127.0.0.1', port, query: 'example.com', maxBytes: 1000, ...wishes, timeoutMs }
  return timed(() => openNet.whois(request, AbortSignal.timeout(timeoutMs)))
}

async function textBehind(onSocket: (socket: Socket) => void, maxBytes?: number): Promise<string> {
  const { port } = await rawServer(onSocket)
  const outcome = await ask(port, maxBytes === undefined ? {} : { maxBytes })
  assert.ok(outcome.ok)
  return outcome.text
}

describe('a question to WHOIS', () => {
  it('is one line, and its answer all that comes', async () => {
    const asked = Promise.withResolvers<string>()
    const text = await textBehind((socket) =>
      socket.once('data', (bytes: Buffer) => {
        asked.resolve(bytes.toString())
        socket.end('Domain: example.com\r\n')
      }),
    )
    assert.equal(await asked.promise, 'example.com\r\n')
    assert.equal(text, 'Domain: example.com\r\n')
  })

  it('is answered alike however the bytes come', async () => {
    const bytes = Buffer.from('Domain: bücher.example\r\nHolder: 株式会社\r\n')
    const text = await textBehind((socket) => {
      socket.setNoDelay(true)
      const rest = [...bytes]
      const timer = setInterval(() => {
        const byte = rest.shift()
        if (byte !== undefined) return void socket.write(Buffer.from([byte]))
        clearInterval(timer)
        socket.end()
      }, 1)
      socket.once('close', () => clearInterval(timer))
    })
    assert.equal(text, bytes.toString())
  })

  it('is answered in Latin-1 where the bytes are no UTF-8', async () => {
    assert.equal(await textBehind(answering(Buffer.from('Titular: Espa\u00f1a', 'latin1'))), 'Titular: España')
  })

  it('keeps no more than it may, and no half character', async () => {
    const { port } = await rawServer(answering('x'.repeat(9) + 'é'.repeat(100_000)))
    const outcome = await ask(port, { maxBytes: 10 })
    assert.deepEqual(outcome.ok && [outcome.text, outcome.isTruncated], ['x'.repeat(9), true])
    const whole = await rawServer(answering('x'.repeat(10)))
    const fits = await ask(whole.port, { maxBytes: 10 })
    assert.deepEqual(fits.ok && [fits.text, fits.isTruncated], ['x'.repeat(10), false])
  })

  it('ends an endless answer', async () => {
    const text = await textBehind((socket) => {
      const piece = Buffer.alloc(64 * 1024, 'x')
      const push = (): void => {
        while (!socket.destroyed && socket.write(piece));
      }
      socket.on('drain', push)
      push()
    }, 100_000)
    assert.equal(text.length, 100_000)
  })

  it('may have an empty answer', async () => {
    assert.equal(await textBehind(answering('')), '')
  })

  it('fails in words when no server answers', async () => {
    const free = await freePort()
    assert.equal(failureOf(await ask(free)).message, `Connection refused by 127.0.0.1:${free}`)
    const silent = await rawServer(() => {})
    const silence = failureOf(await ask(silent.port, { timeoutMs: 300 }))
    assert.equal(silence.message, 'Timed out after 300 ms while waiting for the answer')
    const hanging = await rawServer(answering('Domain:', { staysOpen: true }))
    const half = failureOf(await ask(hanging.port, { timeoutMs: 300 }))
    assert.equal(half.message, 'Timed out after 300 ms while reading the answer')
    const resetting = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const reset = failureOf(await ask(resetting.port))
    assert.match(reset.message, /^The connection was reset by/)
    const breaking = await rawServer((socket) =>
      socket.once('data', () => socket.write('D', () => socket.resetAndDestroy())),
    )
    const broken = failureOf(await ask(breaking.port))
    assert.deepEqual([reset.phase, broken.phase, broken.code], ['request', 'transfer', 'connection_reset'])
  })

  it('is put to the address of a recent look-up, since no check measures it', async () => {
    const { address, questions } = await dnsServer(() => ({ addresses: ['127.0.0.1'], ttlSeconds: 60 }))
    const net = createNet({ allowPrivate: 'all', dnsServers: [address] })
    const { port } = await rawServer(answering('Domain: example.com'))
    const request = { host: 'whois.example', port, query: 'example.com', maxBytes: 100 }
    for (let turn = 0; turn < 2; turn += 1) assert.ok((await net.whois(request, AbortSignal.timeout(5_000))).ok)
    assert.deepEqual(questions.toSorted(), ['A whois.example', 'AAAA whois.example'])
  })

  it('is not put to private addresses where they are not allowed', async () => {
    const net = createNet({ allowPrivate: 'none' })
    const request = { host: '127.0.0.1', port: 43, query: 'x', maxBytes: 10 }
    assert.equal(failureOf(await net.whois(request, AbortSignal.timeout(1000))).code, 'forbidden_address')
  })
})
