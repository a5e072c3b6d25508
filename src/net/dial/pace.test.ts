import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { once } from 'node:events'
import { createPace, type Pace } from './pace.ts'
import { createNet } from '#net/create-net.ts'
import { createTraffic } from '#net/ground/trace.ts'
import type { Net } from '#net/net.ts'
import { chainPem, makeCertificate } from '../../../test/support/certificates.ts'
import { answerOf, get } from '../../../test/support/net.ts'
import { portOf, rawServer } from '../../../test/support/raw-server.ts'

const root = makeCertificate({ name: 'Root of Pace Tests', isAuthority: true })
const certificate = makeCertificate({ name: 'localhost', names: ['127.0.0.1'], issuer: root })
setDefaultCACertificates([...getCACertificates('default'), root.pem])

const lastingMs = 2_000
/** 64 before it is seen that they come too quickly, then four a second, and what the exchange itself says. */
const maxReads = 100

async function tlsServer(onSocket: (socket: Socket) => void): Promise<{ port: number }> {
  const server = createServer({ cert: chainPem(certificate), key: certificate.keyPem }, (socket) => {
    socket.on('error', () => {})
    after(() => socket.destroy())
    onSocket(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { port: portOf(server) }
}

const open = { http: rawServer, https: tlsServer }

/** Sends pieces for as long as there are any, each as a packet of its own. */
function send(socket: Socket, pieces: Iterator<string>): void {
  socket.setNoDelay(true)
  const next = (): void => {
    const { value, done } = pieces.next()
    if (done === true) return void socket.end()
    if (socket.writable) socket.write(value, () => setImmediate(next))
  }
  next()
}

function* bytesForEver(beginning: string): Generator<string, undefined> {
  yield beginning
  for (;;) yield 'x'
}

const endless = 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n'

/** How often this thread looked at what came, in the time that it is given. */
async function readsOf(look: (net: Net, signal: AbortSignal) => Promise<unknown>): Promise<number> {
  let reads = 0
  const traffic = createTraffic({ onEntered: () => void (reads += 1) })
  const net = createNet({ allowPrivate: 'all', traffic })
  await look(net, AbortSignal.timeout(lastingMs))
  return reads
}

function whenAsked(pieces: () => Iterator<string>): (socket: Socket) => void {
  return (socket) => void socket.once('data', () => send(socket, pieces()))
}

/** A socket that is open to nothing, and its pace after pieces of these lengths. */
function pacedBy(...lengths: number[]): { socket: Socket; pace: Pace } {
  const socket = new Socket()
  const pace = createPace(socket)
  for (const length of lengths) pace.read(length)
  return { socket, pace }
}

const small = (count: number, bytes = 64): number[] => Array.from({ length: count }, () => bytes)

describe('a socket at its pace', () => {
  it('pauses at the 32nd small piece within a second', () => {
    const { socket, pace } = pacedBy(...small(31, 1023))
    assert.equal(socket.isPaused(), false)
    pace.read(1023)
    assert.equal(socket.isPaused(), true)
    pace.end()
    assert.equal(socket.isPaused(), false)
  })

  it('does not pause for large pieces, however many there are', () => {
    assert.equal(pacedBy(...small(100, 1024)).socket.isPaused(), false)
  })

  it('pauses for long where pieces are tiny on average, which each 32 of them decide anew', async () => {
    const tiny = [...small(31), 63]
    const order: string[] = []
    const goesOn = (what: string, ...lengths: number[]): Promise<void> => {
      const { socket, pace } = pacedBy()
      for (const length of lengths) {
        pace.end()
        pace.read(length)
      }
      return new Promise((resolve) => {
        // A pause that was ended above is told of late, when the socket rests again.
        socket.on('resume', () => {
          if (socket.isPaused()) return
          order.push(what)
          resolve()
        })
      })
    }
    await Promise.all([
      goesOn('late', ...tiny),
      goesOn('late', ...tiny, ...tiny),
      goesOn('late', ...tiny, ...small(31)),
      goesOn('soon', ...small(32)),
      goesOn('soon', ...tiny, ...small(32)),
    ])
    assert.deepEqual(order, ['soon', 'soon', 'late', 'late', 'late'])
  })
})

describe('a server that sends single bytes without a pause', () => {
  it('is not read for each of them', async () => {
    const { port } = await rawServer((socket) => send(socket, bytesForEver('')))
    let received = ''
    const reads = await readsOf(async (net, signal) => {
      const outcome = await net.tcp({ host: '127.0.0.1', port, expectedText: 'never', maxBytes: 1_000_000 }, signal)
      assert.ok(outcome.ok)
      received = outcome.received
    })
    assert.ok(reads > 32 && reads < maxReads, `${reads} reads of ${received.length} bytes`)
    assert.ok(received.length > 2 * maxReads, `${received.length} bytes, of which none are lost`)
  })

  for (const scheme of ['http', 'https'] as const)
    it(`is not read for each of them over ${scheme}`, async () => {
      const { port } = await open[scheme](whenAsked(() => bytesForEver(endless)))
      const reads = await readsOf((net, signal) =>
        net.http(
          {
            url: new URL(`${scheme}://127.0.0.1:${port}/`),
            method: 'GET',
            headers: {},
            body: null,
            maxRedirects: 0,
            headersOnly: false,
            maxBodyBytes: 1_000_000,
            maxWireBytes: 1_000_000,
          },
          signal,
        ),
      )
      assert.ok(reads > 32 && reads < maxReads, `${reads} reads`)
    })
})

describe('a server that sends its answer in many small pieces', () => {
  for (const scheme of ['http', 'https'] as const)
    it(`is read to the end, soon and as it was sent, over ${scheme}`, async () => {
      const lines = Array.from({ length: 3_000 }, (_, index) => `${index} ${'x'.repeat(100)}\n`)
      const answer = [`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n`, ...lines]
      const { port } = await open[scheme](whenAsked(() => answer.values()))
      const { text } = answerOf(await get(`${scheme}://127.0.0.1:${port}/`, { timeoutMs: 20_000 }))
      assert.equal(text, lines.join(''))
    })
})
