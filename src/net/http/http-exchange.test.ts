import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { createNet } from '#net/create-net.ts'
import { newSight, type Sight } from '#net/ground/sight.ts'
import { createTraffic, newTrace } from '#net/ground/trace.ts'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { decodeSeenBody } from './seen-body.ts'

const traffic = createTraffic()
const net = createNet({ allowPrivate: 'all', traffic })

async function look(url: string, { sight = newSight(true), timeoutMs = 30_000 } = {}): Promise<Sight> {
  const request = {
    url: new URL(url),
    method: 'GET',
    headers: {},
    body: null,
    maxRedirects: 10,
    headersOnly: false,
    maxBodyBytes: 0,
    maxWireBytes: 10 * 1024 * 1024,
    timeoutMs,
  }
  await traffic.during(newTrace(null, null, sight), () => net.http(request, AbortSignal.timeout(timeoutMs)))
  return sight
}

describe('what an exchange over HTTP saw', () => {
  it('is the status line, the headers and the beginning of the body', async () => {
    const { port } = await httpServer((_, response) => {
      response.writeHead(500, 'Out of order', { 'x-part': 'pump' })
      response.end('x'.repeat(20_000))
    })
    const { answer, resolved, dialled } = await look(`http://localhost:${port}/a?b`)
    assert.equal(answer?.statusLine, 'HTTP/1.1 500 Out of order')
    assert.equal(answer.headers['x-part'], 'pump')
    assert.equal(answer.url, `http://localhost:${port}/a?b`)
    assert.equal(answer.bytes, 16_384)
    assert.equal((await decodeSeenBody(answer))?.isCut, true)
    assert.ok(dialled.length > 0 && dialled.every((address) => resolved.includes(address)))
  })

  it('is a short body as a whole', async () => {
    const { port } = await httpServer((_, response) => response.end('short'))
    const { answer } = await look(`http://127.0.0.1:${port}/`)
    assert.deepEqual([answer?.isCut, answer?.bytes], [false, 5])
  })

  it('is decoded, and not more of it than 16 KB', async () => {
    const bomb = gzipSync('a'.repeat(10_000_000))
    const { port } = await httpServer((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(bomb)
    })
    const { answer } = await look(`http://127.0.0.1:${port}/`)
    assert.ok(answer !== null)
    const body = await decodeSeenBody(answer)
    assert.deepEqual([body?.bytes.length, body?.isCut], [16_384, true])
  })

  it('is no body where the coding is broken, and none where none is kept', async () => {
    const { port } = await httpServer((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end('this is not gzip')
    })
    const { answer } = await look(`http://127.0.0.1:${port}/`)
    assert.equal(answer === null ? undefined : await decodeSeenBody(answer), null)
    assert.equal((await look(`http://127.0.0.1:${port}/`, { sight: newSight(false) })).answer?.bytes, 0)
  })

  it('is the certificate that was not accepted, with those that came with it', async () => {
    const root = makeCertificate({ name: 'Own Root', isAuthority: true })
    const leaf = makeCertificate({ name: 'elsewhere.example', names: ['elsewhere.example'], issuer: root })
    const { port } = await httpServer((_, response) => response.end(), {
      tls: { cert: leaf.pem + root.pem, key: leaf.keyPem },
    })
    const { tls, failure, answer } = await look(`https://localhost:${port}/`)
    assert.deepEqual(
      tls?.chain.map(({ subject }) => subject),
      ['elsewhere.example', 'Own Root'],
    )
    assert.deepEqual([tls.protocol, failure?.phase, answer], ['TLSv1.3', 'tls', null])
  })

  it('is where it broke off', async () => {
    const resetting = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    assert.equal((await look(`http://127.0.0.1:${resetting.port}/`)).failure?.code, 'connection_reset')
    const silent = await rawServer(() => {})
    const { failure } = await look(`http://127.0.0.1:${silent.port}/`, { timeoutMs: 500 })
    assert.deepEqual([failure?.phase, failure?.code], ['request', 'timed_out'])
  })
})
