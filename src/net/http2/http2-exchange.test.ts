import assert from 'node:assert/strict'
import type { ServerHttp2Stream } from 'node:http2'
import { describe, it } from 'node:test'
import { createSecureContext, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { openNet } from '../../../test/support/net.ts'
import { grpcStandIn } from '../../../test/support/grpc-stand-in.ts'
import { chainPem } from '../../../test/support/certificates.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'
import type { Http2Outcome, Http2Request } from './http2-request.ts'

const { root, good } = testCertificates()
setDefaultCACertificates([root.pem])

/** Frames of HTTP/2: the length, the type, the flags and the stream (RFC 9113 4.1). */
function frame(type: number, payload: readonly number[], { flags = 0, stream = 0 } = {}): Buffer {
  return Buffer.from([0, payload.length >> 8, payload.length & 0xff, type, flags, 0, 0, 0, stream, ...payload])
}

const settings = frame(4, [])

function exchange(port: number, wish: Partial<Http2Request> = {}, timeoutMs = 3000): Promise<Http2Outcome> {
  const request = { path: '/a', headers: {}, body: Buffer.from('hello'), maxBytes: 65_536, ...wish }
  return openNet.http2({ host: '127.0.0.1', port, isTls: false, timeoutMs, ...request }, AbortSignal.timeout(timeoutMs))
}

/** A server that says these bytes once it was spoken to. */
async function saying(...bytes: readonly Buffer[]): Promise<Http2Outcome> {
  const { port } = await rawServer((socket) => void socket.once('data', () => socket.write(Buffer.concat(bytes))))
  return exchange(port, {}, 1000)
}

function messageOf({ outcome }: Http2Outcome): string | null {
  return outcome.ok ? null : outcome.failure.message
}

function answering(stream: ServerHttp2Stream): void {
  stream.additionalHeaders({ ':status': 103 })
  stream.respond({ ':status': 201, 'x-a': '1', 'set-cookie': ['b=1', 'c=2'] }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-end': 'z' }))
  stream.write('good ')
  stream.end('day')
}

describe('an exchange by HTTP/2', () => {
  it('sends one request, and reads the answer to its end', async () => {
    const { port, calls } = await grpcStandIn(answering)
    const { outcome, answer } = await exchange(port, { headers: { 'x-b': 'ü', host: 'other.example' } })
    assert.ok(outcome.ok)
    assert.equal(outcome.address, '127.0.0.1')
    const { date: _, ...headers } = answer.headers
    assert.deepEqual(headers, { 'x-a': '1', 'set-cookie': 'b=1' })
    assert.deepEqual([answer.status, answer.body.toString(), answer.trailers], [201, 'good day', { 'x-end': 'z' }])
    const [call] = calls
    assert.equal(call?.body.toString(), 'hello')
    assert.equal(call?.headers[':authority'], 'other.example')
  })

  it('is whole where the server says that it goes away, and answers all the same', async () => {
    const { port } = await grpcStandIn((stream) => {
      stream.session?.goaway(0)
      answering(stream)
    })
    assert.equal(messageOf(await exchange(port)), null)
  })

  it('ends with the connection of the server', async () => {
    const { port } = await grpcStandIn((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('half')
      setTimeout(() => stream.session?.socket.destroy(), 50)
    })
    const found = await exchange(port)
    assert.match(String(messageOf(found)), /closed the connection instead of sending the answer|reset the connection/)
    assert.equal(found.answer.status, 200)
  })

  it('begins within TLS where the server agrees to it', async () => {
    const { port } = await grpcStandIn(answering, good)
    const { outcome, answer } = await exchange(port, { isTls: true })
    assert.deepEqual([outcome.ok, outcome.tls?.protocol, answer.status], [true, 'TLSv1.3', 201])
  })

  it('says nothing to a server that does not agree to HTTP/2 within TLS', async () => {
    const secureContext = createSecureContext({ cert: chainPem(good), key: good.keyPem })
    let heard = 0
    const { port } = await rawServer((socket) => {
      const secured = new TLSSocket(socket, { isServer: true, secureContext })
      secured.on('error', () => {})
      secured.on('data', (bytes: Buffer) => (heard += bytes.length))
    })
    const found = await exchange(port, { isTls: true })
    assert.equal(messageOf(found), `127.0.0.1:${port} does not agree to speak h2 within TLS`)
    assert.equal(heard, 0)
  })
})

describe('a server of HTTP/2 that is no good', () => {
  const cases: [name: string, bytes: readonly Buffer[], error: RegExp][] = [
    ['begins with another frame', [frame(6, [1, 2, 3, 4, 5, 6, 7, 8])], /^The server does not speak HTTP\/2/],
    ['sends a frame of another length', [settings, frame(6, [1])], /^The server breaks the protocol of HTTP\/2/],
    [
      'answers what was not asked',
      [settings, frame(1, [0x88], { flags: 5, stream: 3 })],
      /^The server breaks the protocol of HTTP\/2/,
    ],
    [
      'sends headers that cannot be read',
      [settings, frame(1, [0xff], { flags: 4, stream: 1 })],
      /^The server breaks the protocol of HTTP\/2/,
    ],
    ['resets', [settings, frame(3, [0, 0, 0, 7], { stream: 1 })], /^The request was reset with REFUSED_STREAM$/],
    ['resets with a code of its own', [settings, frame(3, [0, 0, 1, 0], { stream: 1 })], /with the code 256$/],
    [
      'goes away',
      [settings, frame(7, [0, 0, 0, 0, 0, 0, 0, 11])],
      /^The server ended the connection with ENHANCE_YOUR_CALM$/,
    ],
    ['says nothing more', [settings], /^Timed out after 1000 ms while waiting for the answer$/],
  ]
  for (const [name, bytes, error] of cases)
    it(name, async () => assert.match(String(messageOf(await saying(...bytes))), error))

  it('sends more headers than are read', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x-${index}`, 'a']))
    const { port } = await grpcStandIn((stream) => {
      stream.respond({ ':status': 200, ...many })
      stream.end()
    })
    const found = await exchange(port)
    assert.equal(messageOf(found), 'The request was reset with ENHANCE_YOUR_CALM')
    assert.equal(found.answer.status, null)
  })
})
