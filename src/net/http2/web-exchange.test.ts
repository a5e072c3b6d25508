import assert from 'node:assert/strict'
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { HttpRequest } from '#net/http/http-request.ts'
import { http2Server } from '../../../test/support/http2-server.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { answerOf, failureOf, get } from '../../../test/support/net.ts'
import { httpProxy, socksProxy } from '../../../test/support/proxy-server.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'

const { root, good, expired } = testCertificates()
setDefaultCACertificates([root.pem])

const http2 = true

function streamOf({ stream }: Http2ServerRequest): ServerHttp2Stream {
  return stream
}

describe('an exchange by HTTP/2', async () => {
  const { port } = await http2Server(good, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.once('end', () => {
      const { method, url, headers, httpVersion } = request
      const body = Buffer.concat(pieces).toString('utf8')
      response.setHeader('x-answer', 'yes')
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.end(JSON.stringify({ method, url, headers, httpVersion, body }))
    })
  })
  const origin = `https://127.0.0.1:${port}`

  it('gives status, headers, body, certificate and phases as by HTTP/1.1', async () => {
    const outcome = await get(`${origin}/path?query=1#fragment`, { http2 })
    const answer = answerOf(outcome)
    const { headers, status, version, address, isTruncated } = answer
    assert.deepEqual([status, version, address, isTruncated], [200, '2', '127.0.0.1', false])
    assert.deepEqual([headers['x-answer'], headers['set-cookie']], ['yes', 'a=1\nb=2'])
    assert.notEqual(answer.tls?.certificate, null)
    assert.deepEqual([JSON.parse(answer.text).url, JSON.parse(answer.text).httpVersion], ['/path?query=1', '2.0'])
    const { connectMs, tlsMs, ttfbMs, transferMs } = outcome.phases
    assert.ok([connectMs, tlsMs, ttfbMs, transferMs].every((ms) => ms !== null))
  })

  it('is not offered unless that was asked for', async () => {
    const answer = answerOf(await get(`${origin}/`))
    assert.deepEqual([answer.version, JSON.parse(answer.text).httpVersion], ['1.1', '1.1'])
  })

  it('sends method, headers and body, and leaves out what is of a connection', async () => {
    const headers = {
      'x-key': 'größe',
      'x-blank': ' b ',
      'content-length': '1',
      'transfer-encoding': 'chunked',
      connection: 'upgrade',
      'http2-settings': 'AAA',
      host: 'shop.example',
    }
    const answer = answerOf(await get(`${origin}/`, { http2, method: 'POST', headers, body: 'größe' }))
    const seen = JSON.parse(answer.text)
    assert.deepEqual([seen.method, seen.body], ['POST', 'größe'])
    assert.deepEqual(seen.headers, {
      ':method': 'POST',
      ':path': '/',
      ':scheme': 'https',
      ':authority': 'shop.example',
      'x-key': 'größe',
      'x-blank': 'b',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'content-length': '7',
    })
  })

  it('sends a body that is larger than the first window', async () => {
    const body = 'a'.repeat(200_000)
    const seen = JSON.parse(answerOf(await get(`${origin}/`, { http2, method: 'PUT', body })).text)
    assert.equal(seen.body.length, 200_000)
  })

  it('says that a POST without a body has none', async () => {
    const seen = JSON.parse(answerOf(await get(`${origin}/`, { http2, method: 'POST' })).text)
    assert.equal(seen.headers['content-length'], '0')
  })

  it('answers HEAD without a body', async () => {
    const { version, status, body } = answerOf(await get(`${origin}/`, { http2, method: 'HEAD' }))
    assert.deepEqual([version, status, body.length], ['2', 200, 0])
  })

  it('ends with the headers if they are all that is wanted', async () => {
    const outcome = await get(`${origin}/`, { http2, headersOnly: true })
    assert.equal(answerOf(outcome).status, 200)
    assert.equal(outcome.phases.transferMs, null)
  })

  it('throws on headers that would break out of the message, which is a bug of the caller', async () => {
    for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { 'x a': 'b' }, { 'x-a': 'ā' }])
      await assert.rejects(get(`${origin}/`, { http2, headers }), TypeError)
  })

  it('rejects when `isEnough` throws', async () => {
    await assert.rejects(get(`${origin}/`, { http2, isEnough: throwBug }), new RangeError('a bug'))
  })

  it('refuses a certificate before it says anything', async () => {
    const old = await http2Server(expired, (_, response) => response.end())
    assert.equal(failureOf(await get(`https://127.0.0.1:${old.port}/`, { http2 })).code, 'certificate_expired')
  })

  it('is by HTTP/1.1 where the server does not choose otherwise, and without TLS', async () => {
    const tls = { cert: good.pem, key: good.keyPem }
    const old = await httpServer((_, response) => response.end('old'), { tls })
    const plain = await httpServer((_, response) => response.end('plain'))
    const answers = [`https://127.0.0.1:${old.port}/`, `http://127.0.0.1:${plain.port}/`]
    for (const url of answers) assert.equal(answerOf(await get(url, { http2 })).version, '1.1')
  })

  it('is offered where a redirect leads', async () => {
    const plain = await httpServer((_, response) => response.writeHead(302, { location: `${origin}/end` }).end())
    const { version, redirects, text } = answerOf(await get(`http://127.0.0.1:${plain.port}/`, { http2 }))
    assert.deepEqual([version, redirects.length, JSON.parse(text).url], ['2', 1, '/end'])
  })

  for (const [name, start] of [
    ['http', httpProxy],
    ['socks5', socksProxy],
  ] as const)
    it(`goes by a proxy of ${name}`, async () => {
      const proxy = await start()
      const way: HttpRequest['proxy'] = { protocol: name, host: '127.0.0.1', port: proxy.port, credentials: null }
      const answer = answerOf(await get(`${origin}/`, { http2, proxy: way }))
      assert.deepEqual([answer.version, proxy.asked.length], ['2', 1])
    })
})

describe('an answer by HTTP/2', async () => {
  const text = 'green tea '.repeat(10_000)
  const { port } = await http2Server(good, (request, response) => {
    const stream = streamOf(request)
    switch (request.url) {
      case '/gzip':
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
      case '/br':
        return void response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(text))
      case '/broken':
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
      case '/bomb':
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)))
      case '/empty':
        return void response.writeHead(204).end()
      case '/early':
        stream.additionalHeaders({ ':status': 103 })
        response.addTrailers({ 'x-end': 'z' })
        return void response.end('late')
      case '/away':
        stream.session?.goaway(0)
        return void response.end('gone')
      case '/flood':
        response.writeHead(200)
        pour(stream)
        return
      case '/long':
        return void response.end(Buffer.alloc(3_000_000, 'a'))
      case '/many':
        for (let index = 0; index < 300; index++) response.setHeader(`x-${index}`, 'a')
        return void response.end()
      case '/unread':
        // The answer is whole before the request is (RFC 9113 8.1).
        stream.respond({ ':status': 413 }, { endStream: true })
        stream.close(0)
        return
      default:
        return void response.end(text)
    }
  })
  function read(path: string, wishes: Partial<HttpRequest> = {}): ReturnType<typeof get> {
    return get(`https://127.0.0.1:${port}${path}`, { http2, ...wishes })
  }

  for (const path of ['/', '/gzip', '/br'])
    it(`is decoded (${path})`, async () => assert.equal(answerOf(await read(path)).text, text))

  it('may have no body', async () => {
    const { status, body } = answerOf(await read('/empty'))
    assert.deepEqual([status, body.length], [204, 0])
  })

  it('may follow an interim one, and have trailers', async () => {
    const { status, text: found, headers } = answerOf(await read('/early'))
    assert.deepEqual([status, found, headers['x-end']], [200, 'late', undefined])
  })

  it('is whole where the server goes away after it', async () => {
    assert.equal(answerOf(await read('/away')).text, 'gone')
  })

  it('is read to its end where nobody wants it, through many windows', async () => {
    const { isTruncated, body } = answerOf(await read('/long', { maxBodyBytes: 0 }))
    assert.deepEqual([isTruncated, body.length], [false, 0])
    assert.equal(answerOf(await read('/long', { maxBodyBytes: 4_000_000 })).body.length, 3_000_000)
  })

  it('stops at the limit of wire bytes', async () => {
    for (const maxBodyBytes of [0, 2_000_000]) {
      const answer = answerOf(await read('/flood', { maxWireBytes: 1_000_000, maxBodyBytes }))
      assert.equal(answer.isTruncated, true)
      assert.ok(answer.body.length <= 1_100_000)
    }
  })

  it('stops at the limit of decoded bytes, and once enough was seen', async () => {
    assert.equal(answerOf(await read('/bomb')).isTruncated, true)
    const { isTruncated } = answerOf(await read('/', { isEnough: (piece) => Buffer.from(piece).includes('tea') }))
    assert.equal(isTruncated, false)
  })

  it('is no good where its coding is damaged', async () => {
    assert.equal(failureOf(await read('/broken')).code, 'broken_coding')
  })

  it('may have hundreds of headers', async () => {
    assert.equal(answerOf(await read('/many')).headers['x-299'], 'a')
  })

  it('may come before the whole request was sent', async () => {
    assert.equal(answerOf(await read('/unread', { method: 'POST', body: 'a'.repeat(500_000) })).status, 413)
  })
})

function throwBug(): never {
  throw new RangeError('a bug')
}

function pour(stream: ServerHttp2Stream): void {
  stream.on('error', () => {})
  const fill = (): void => {
    while (!stream.destroyed && stream.write(Buffer.alloc(16_384, 'a')));
  }
  stream.on('drain', fill)
  fill()
}
