import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { answerOf, failureOf, get, openNet } from '../../../test/support/net.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'

const ok = 'HTTP/1.1 200 OK\r\n'

describe('an exchange over HTTP', async () => {
  const { port } = await httpServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.once('end', () => {
      const { method, url, headers } = request
      response.setHeader('x-answer', 'yes')
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(pieces).toString('utf8') }))
    })
  })
  const origin = `http://127.0.0.1:${port}`

  it('gives status, headers, body, address and phases', async () => {
    const outcome = await get(`${origin}/path?query=1#fragment`)
    const answer = answerOf(outcome)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['x-answer'], 'yes')
    assert.equal(answer.address, '127.0.0.1')
    assert.equal(answer.tls, null)
    assert.equal(answer.isTruncated, false)
    assert.equal(JSON.parse(answer.text).url, '/path?query=1')
    const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = outcome.phases
    assert.deepEqual([dnsMs, tlsMs], [0, null], 'a literal address takes no look-up')
    assert.ok(connectMs !== null && ttfbMs !== null && transferMs !== null)
    assert.ok(outcome.latencyMs >= ttfbMs)
  })

  it('sends method, headers and body, and frames them itself', async () => {
    const headers = {
      'x-key': 'k',
      'content-type': 'text/plain',
      'content-length': '1',
      'transfer-encoding': 'chunked',
      connection: 'upgrade',
      host: 'shop.example',
    }
    const seen = JSON.parse(answerOf(await get(`${origin}/`, { method: 'POST', headers, body: 'größe' })).text)
    assert.equal(seen.method, 'POST')
    assert.equal(seen.body, 'größe')
    assert.deepEqual(seen.headers, {
      host: 'shop.example',
      'x-key': 'k',
      'content-type': 'text/plain',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'content-length': '7',
      connection: 'close',
    })
  })

  it('says that a POST without a body has none', async () => {
    const seen = JSON.parse(answerOf(await get(`${origin}/`, { method: 'POST' })).text)
    assert.equal(seen.headers['content-length'], '0')
  })

  it('throws on headers that would break out of the message, which is a bug of the caller', async () => {
    for (const headers of [{ 'x-a': 'b\r\nx-c: d' }, { 'x a': 'b' }, { 'x-a': 'ā' }])
      await assert.rejects(get(`${origin}/`, { headers }), TypeError)
  })

  it('rejects when `isEnough` throws, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    const raw = await rawServer((socket) => {
      socket.once('close', () => closed.resolve())
      answering(`${ok}content-length: 100\r\n\r\nhello`, { staysOpen: true })(socket)
    })
    await assert.rejects(get(`http://127.0.0.1:${raw.port}/`, { isEnough: throwBug }), new RangeError('a bug'))
    await closed.promise
  })

  it('answers HEAD without a body', async () => {
    const answer = answerOf(await get(`${origin}/`, { method: 'HEAD' }))
    assert.deepEqual([answer.status, answer.body.length], [200, 0])
  })

  it('resolves names by the hosts file', async () => {
    const outcome = await get(`http://localhost:${port}/`)
    assert.equal(answerOf(outcome).address, '127.0.0.1')
    assert.notEqual(outcome.phases.dnsMs, null)
  })

  it('reaches a server on IPv6', async () => {
    const six = await httpServer((_, response) => response.end('six'), { host: '::1' })
    assert.equal(answerOf(await get(`http://[::1]:${six.port}/`)).address, '::1')
  })

  it('ends with the headers if they are all that is wanted', async () => {
    const raw = await rawServer(answering(`${ok}content-length: 1000\r\n\r\n`, { staysOpen: true }))
    const outcome = await get(`http://127.0.0.1:${raw.port}/`, { headersOnly: true })
    assert.equal(answerOf(outcome).status, 200)
    assert.equal(outcome.phases.transferMs, null)
  })

  it('stops reading once enough was seen', async () => {
    const raw = await rawServer(answering(`${ok}content-length: 1000\r\n\r\nneedle`, { staysOpen: true }))
    const outcome = await get(`http://127.0.0.1:${raw.port}/`, {
      isEnough: (piece) => Buffer.from(piece).includes('needle'),
    })
    assert.equal(answerOf(outcome).text, 'needle')
    assert.equal(answerOf(outcome).isTruncated, false)
  })

  it('keeps and shows no more than was asked for', async () => {
    const raw = await rawServer(answering(`${ok}content-length: 10\r\n\r\n0123456789`))
    const shown: string[] = []
    const isEnough = (piece: Uint8Array): boolean => shown.push(Buffer.from(piece).toString()) < 0
    const answer = answerOf(
      await get(`http://127.0.0.1:${raw.port}/`, { maxBodyBytes: 3, maxDecodedBytes: 6, isEnough }),
    )
    assert.equal(answer.text, '012')
    assert.equal(shown.join(''), '012345')
    assert.equal(answer.isTruncated, true)
  })

  it('stops at the limit of wire bytes', async () => {
    const flood = await rawServer((socket) => {
      socket.write(`${ok}\r\n`)
      const pour = (): void => {
        while (socket.writable && socket.write(Buffer.alloc(16_384, 'a')));
      }
      socket.on('drain', pour)
      pour()
    })
    for (const maxBodyBytes of [0, 2_000_000]) {
      const answer = answerOf(await get(`http://127.0.0.1:${flood.port}/`, { maxWireBytes: 1_000_000, maxBodyBytes }))
      assert.equal(answer.isTruncated, true)
      assert.ok(answer.body.length <= 1_100_000)
    }
  })

  it('is read up to so many bytes, to which each chunk adds 64', async () => {
    const plain = `${ok}\r\nhello`
    assert.deepEqual(await readUpTo(plain, plain.length), ['hello', false])
    assert.deepEqual(await readUpTo(plain, plain.length - 1), ['hello', true])
    // The last chunk is missing, which only an answer that is read to its end shows.
    const chunked = `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n!\r\n`
    assert.equal(await readUpTo(chunked, chunked.length + 128), 'transfer')
    assert.deepEqual(await readUpTo(chunked, chunked.length + 127), ['hello!', true])
  })

  const unfinished = [
    ['does not come', `${ok}content-length: 10\r\n\r\n`, true, ''],
    ['stalls', `${ok}content-length: 10\r\n\r\nhello`, true, 'hello'],
    ['is cut short', `${ok}content-length: 10\r\n\r\nhello`, false, 'hello'],
    ['breaks its framing', `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\nno length\r\n`, true, 'hello'],
    ['has an unknown coding', `${ok}content-encoding: rot13\r\ncontent-length: 5\r\n\r\nhello`, true, ''],
    ['has a damaged coding', `${ok}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello`, true, ''],
  ] as const
  for (const [what, bytes, staysOpen, text] of unfinished)
    it(`takes what came of a body that ${what}, where the headers may be enough`, async () => {
      const raw = await rawServer(answering(bytes, { staysOpen }))
      const answer = answerOf(await get(`http://127.0.0.1:${raw.port}/`, { bodyPatienceMs: 50 }))
      assert.deepEqual([answer.status, answer.text, answer.isTruncated], [200, text, true])
    })

  it('waits for no more than the body where the headers may be enough', async () => {
    const outcome = await get(`${origin}/`, { bodyPatienceMs: 60_000 })
    assert.equal(JSON.parse(answerOf(outcome).text).url, '/')
    assert.equal(answerOf(outcome).isTruncated, false)
    assert.ok(outcome.latencyMs < 5000)
  })

  it('reads answers that come in single bytes', async () => {
    const slow = await rawServer((socket) => {
      socket.setNoDelay(true)
      const bytes = Array.from(`${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`)
      const next = (): void => {
        const byte = bytes.shift()
        if (byte !== undefined) socket.write(byte, () => setImmediate(next))
      }
      socket.once('data', next)
    })
    assert.equal(answerOf(await get(`http://127.0.0.1:${slow.port}/`)).text, 'hello')
  })
})

describe('a failing exchange over HTTP', () => {
  it('names a refused connection', async () => {
    const port = await freePort()
    assert.deepEqual(failureOf(await get(`http://127.0.0.1:${port}/`)), {
      phase: 'connect',
      code: 'connection_refused',
      message: `Connection refused by 127.0.0.1:${port}`,
    })
  })

  it('names a server that says nothing', async () => {
    assert.equal(await failsBy(() => {}, 200), 'request timed_out: Timed out after 200 ms while waiting for the answer')
  })

  it('names a server that never ends, however steadily it goes on', async () => {
    assert.equal(await failsBy(drip, 300), 'transfer timed_out: Timed out after 300 ms while reading the answer')
  })

  it('names a connection that is closed, reset or cut', async () => {
    assert.equal(
      await failsBy((socket) => socket.once('data', () => socket.end())),
      'request connection_closed: The server closed the connection without an answer',
    )
    assert.equal(
      await failsBy((socket) => socket.once('data', () => socket.resetAndDestroy())),
      'request connection_reset: The connection was reset by 127.0.0.1 before the answer came',
    )
    assert.equal(
      await failsBy(answering(`${ok}content-length: 10\r\n\r\nhello`)),
      'transfer answer_cut_short: The answer was cut short: 5 of 10 bytes are missing',
    )
  })

  it('keeps the status of an answer that broke off', async () => {
    const { port } = await rawServer(answering('HTTP/1.1 502 Bad\r\ncontent-length: 10\r\n\r\nhello'))
    const outcome = await get(`http://127.0.0.1:${port}/`)
    assert.equal(outcome.ok ? null : outcome.status, 502)
  })

  it('names what is not HTTP, at once', async () => {
    assert.equal(
      await failsBy(sayBanner),
      'request invalid_response: The answer is not valid HTTP: it begins with "SSH-2.0-OpenSSH_"',
    )
  })

  it('names headers that are too large', async () => {
    assert.equal(
      await failsBy(answering(`${ok}x: ${'a'.repeat(100_000)}`, { staysOpen: true })),
      'request response_too_large: The headers of the answer are larger than 64 KiB',
    )
  })

  it('refuses private addresses, literal or behind a name, and port 0', async () => {
    const { port, connections } = await rawServer(answering(`${ok}\r\n`))
    const strict = { allowPrivate: 'none' } as const
    const literal = failureOf(await get(`http://127.0.0.1:${port}/`, {}, strict))
    assert.equal(
      literal.message,
      '127.0.0.1 is a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS',
    )
    const name = failureOf(await get(`http://localhost:${port}/`, {}, strict))
    assert.match(
      name.message,
      /^localhost leads to [\d.:]+, a private or reserved address, which is not checked unless the operator lists it in PERIGEE_ALLOW_PRIVATE_TARGETS$/,
    )
    assert.equal(failureOf(await get('http://127.0.0.1:0/')).code, 'forbidden_port')
    assert.equal(connections(), 0)
  })

  it('is tried at the usual port of its scheme where the address names none', async () => {
    const request = { method: 'GET', headers: {}, body: null, maxRedirects: 0, headersOnly: false }
    for (const [url, place] of [
      ['http://127.0.0.1/', '127.0.0.1:80'],
      ['https://[::1]/', '[::1]:443'],
    ] as const) {
      const wish = { ...request, url: new URL(url), maxBodyBytes: 0, maxWireBytes: 1000 }
      const failure = failureOf(await openNet.http(wish, AbortSignal.abort()))
      assert.equal(failure.message, `Timed out while connecting to ${place}`)
    }
  })

  it('tells how long it tried to agree on TLS', async () => {
    const { pem, keyPem } = makeCertificate({ name: 'localhost', names: ['127.0.0.1'] })
    const { port } = await httpServer((_, response) => response.end(), { tls: { cert: pem, key: keyPem } })
    const outcome = await get(`https://127.0.0.1:${port}/`)
    assert.equal(failureOf(outcome).code, 'certificate_self_signed')
    assert.notEqual(outcome.phases.tlsMs, null)
  })

  it('ends at once when its deadline has passed before it began', async () => {
    const { port, connections } = await rawServer(answering(`${ok}\r\n`))
    const request = {
      url: new URL(`http://127.0.0.1:${port}/`),
      method: 'GET',
      headers: {},
      body: null,
      maxRedirects: 0,
      headersOnly: false,
      maxBodyBytes: 0,
      maxWireBytes: 1000,
      timeoutMs: 1000,
    }
    const failure = failureOf(await openNet.http(request, AbortSignal.abort()))
    assert.equal(failure.message, `Timed out after 1000 ms while connecting to 127.0.0.1:${port}`)
    assert.equal(connections(), 0)
  })
})

async function failsBy(onSocket: (socket: Socket) => void, timeoutMs = 5000): Promise<string> {
  const { port } = await rawServer(onSocket)
  const outcome = await get(`http://127.0.0.1:${port}/`, { timeoutMs })
  const { phase, code, message } = failureOf(outcome)
  return `${phase} ${code}: ${message.replace(`:${port}`, '')}`
}

function drip(socket: Socket): void {
  socket.write(`${ok}content-length: 1000\r\n\r\n`)
  const timer = setInterval(() => socket.write('x'), 20)
  socket.once('close', () => clearInterval(timer))
}

function sayBanner(socket: Socket): void {
  socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n')
}

function throwBug(): never {
  throw new RangeError('a bug')
}

/** What is read of an answer, and whether it was cut; or where it failed. */
async function readUpTo(bytes: string, maxWireBytes: number): Promise<unknown> {
  const raw = await rawServer(answering(bytes))
  const outcome = await get(`http://127.0.0.1:${raw.port}/`, { maxWireBytes })
  return outcome.ok ? [answerOf(outcome).text, outcome.answer.isTruncated] : outcome.failure.phase
}
