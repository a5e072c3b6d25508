import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates, type TLSSocket } from 'node:tls'
import type { HttpRequest } from '#net/http/http-request.ts'
import { http2Frame as frame, http2Settings as settings, rawHttp2Server } from '../../../test/support/http2-server.ts'
import { answerOf, failureOf, get } from '../../../test/support/net.ts'
import { testCertificates } from '../../../test/support/test-certificates.ts'

const { root, good } = testCertificates()
setDefaultCACertificates([root.pem])

const http2 = true

/** `:status` 200 as HPACK has it, and a content-length (RFC 7541, A). */
const okay = 0x88
const ended = 5
const goesOn = 4
const stream = 1
const okHead = frame(1, [okay], { flags: goesOn, stream })
const lengthOf100 = [0x0f, 0x0d, 3, ...Buffer.from('100')]
const ping = frame(6, Buffer.alloc(8))
const times = (count: number, bytes: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => bytes))

type Bad = [name: string, said: readonly (Buffer | string)[], code: string, message: RegExp]

describe('a server that agrees to HTTP/2 and is no good', () => {
  const cases: Bad[] = [
    [
      'speaks HTTP/1.1',
      ['HTTP/1.1 400 Bad Request\r\n\r\n'],
      'invalid_response',
      /^The server agreed to HTTP\/2 and does not speak it: it begins with "HTTP\/1\.1"$/,
    ],
    ['begins with another frame', [ping], 'invalid_response', /does not speak it: it begins with/],
    ['says nothing', [], 'timed_out', /^Timed out after 500 ms while waiting for the answer$/],
    ['says nothing but its settings', [settings], 'timed_out', /^Timed out after 500 ms while waiting for the answer$/],
    ['stalls in a frame', [settings, okHead.subarray(0, 5)], 'timed_out', /while waiting for the answer$/],
    [
      'stalls in the answer',
      [settings, okHead, frame(0, Buffer.from('hello'), { stream })],
      'timed_out',
      /while reading the answer$/,
    ],
    [
      'resets',
      [settings, frame(3, [0, 0, 0, 7], { stream })],
      'request_refused',
      /^The request was reset with REFUSED_STREAM$/,
    ],
    [
      'wants HTTP/1.1',
      [settings, frame(3, [0, 0, 0, 13], { stream })],
      'request_refused',
      /^The request was reset with HTTP_1_1_REQUIRED$/,
    ],
    [
      'resets with a code of its own',
      [settings, frame(3, [0, 0, 1, 0], { stream })],
      'request_refused',
      /with the code 256$/,
    ],
    [
      'resets without a reason',
      [settings, frame(3, [0, 0, 0, 0], { stream })],
      'request_refused',
      /^The request was reset with NO_ERROR$/,
    ],
    [
      'resets in the middle',
      [settings, okHead, frame(0, Buffer.from('hello'), { stream }), frame(3, [0, 0, 0, 2], { stream })],
      'answer_cut_short',
      /^The answer was cut short: it was reset with INTERNAL_ERROR$/,
    ],
    [
      'resets in the middle without a reason',
      [settings, okHead, frame(0, Buffer.from('hello'), { stream }), frame(3, [0, 0, 0, 0], { stream })],
      'answer_cut_short',
      /^The answer was cut short: it was reset with NO_ERROR$/,
    ],
    [
      'goes away',
      [settings, frame(7, [0, 0, 0, 0, 0, 0, 0, 11])],
      'request_refused',
      /^The server ended the connection with ENHANCE_YOUR_CALM$/,
    ],
    [
      'goes away without taking the request',
      [settings, frame(7, [0, 0, 0, 0, 0, 0, 0, 0])],
      'request_refused',
      /^The server ended the connection without taking the request$/,
    ],
    [
      'sends a frame of another length',
      [settings, frame(6, [1])],
      'invalid_response',
      /^The server breaks the protocol of HTTP\/2/,
    ],
    [
      'sends headers that cannot be read',
      [settings, frame(1, [0xff], { flags: goesOn, stream })],
      'invalid_response',
      /^The server breaks the protocol of HTTP\/2/,
    ],
    [
      'answers what was not asked',
      [settings, frame(1, [okay], { flags: ended, stream: 3 })],
      'invalid_response',
      /^The server breaks the protocol of HTTP\/2/,
    ],
    [
      'pushes',
      [settings, frame(4, [], { flags: 1 }), frame(5, [0, 0, 0, 2, okay], { flags: goesOn, stream })],
      'invalid_response',
      /^The server breaks the protocol of HTTP\/2/,
    ],
    [
      'sends less than it promised',
      [settings, frame(1, [okay, ...lengthOf100], { flags: goesOn, stream }), frame(0, [97], { flags: 1, stream })],
      'invalid_response',
      /^The server breaks the protocol of HTTP\/2/,
    ],
    [
      'sends one head in ever more frames',
      [settings, frame(1, [okay], { stream }), times(1000, frame(9, [0], { stream }))],
      'response_too_large',
      /^The headers of the answer are larger than 64 KiB$/,
    ],
    [
      'sends one head in large frames',
      [settings, frame(1, [okay], { stream }), times(5, frame(9, Buffer.alloc(16_000), { stream }))],
      'response_too_large',
      /^The headers of the answer are larger than 64 KiB$/,
    ],
    [
      'sends a header that grows',
      // One entry of 4,000 bytes, and then its number again and again (RFC 7541 6.1, 6.2.1).
      [
        settings,
        frame(1, [okay, 0x40, 1, 97, 0x7f, 0xa1, 0x1e, ...Buffer.alloc(4000, 'b'), ...Buffer.alloc(5000, 0xbe)], {
          flags: goesOn,
          stream,
        }),
      ],
      'response_too_large',
      /^The headers of the answer are larger than 64 KiB$/,
    ],
    [
      'sends interim answers without an end',
      [settings, times(1000, frame(1, [0x08, 3, ...Buffer.from('103')], { flags: goesOn, stream }))],
      'response_too_large',
      /^The headers of the answer are larger than 64 KiB$/,
    ],
    ...(
      [
        ['settings', settings],
        ['pings', ping],
        ['windows', frame(8, [0, 0, 0, 1])],
        ['frames of no known type', frame(99, [])],
      ] as const
    ).map(([what, each]): Bad => [
      `sends ${what} without an end`,
      [settings, times(5000, each)],
      'invalid_response',
      /^The server sends more than 1000 frames beside its answer$/,
    ]),
  ]
  for (const [name, said, code, message] of cases)
    it(name, async () => {
      const failure = failureOf(await askSaying(said))
      assert.match(failure.message, message)
      assert.equal(failure.code, code)
    })

  it('closes at once', async () => {
    const { port } = await rawHttp2Server(good, (socket) => void socket.end())
    const { code, message } = failureOf(await get(`https://127.0.0.1:${port}/`, { http2 }))
    assert.deepEqual([code, message], ['connection_closed', 'The server closed the connection without an answer'])
  })

  it('closes in the middle', async () => {
    const head = frame(1, [okay, ...lengthOf100], { flags: goesOn, stream })
    const said = Buffer.concat([settings, head, frame(0, Buffer.from('hello'), { stream })])
    const { port } = await rawHttp2Server(good, (socket) => void socket.once('data', () => socket.end(said)))
    const { code, message } = failureOf(await get(`https://127.0.0.1:${port}/`, { http2 }))
    assert.deepEqual([code, message], ['answer_cut_short', 'The answer was cut short: 95 of 100 bytes are missing'])
  })

  it('sends its body in single bytes, of which few are read', async () => {
    const bytes = times(200, times(100, frame(0, [97], { stream })))
    const outcome = await askSaying([settings, okHead, bytes], { maxWireBytes: 1_000_000, timeoutMs: 5000 })
    const { isTruncated, body } = answerOf(outcome)
    assert.equal(isTruncated, true)
    assert.ok(body.length < 16_000)
  })

  it('sends empty frames without an end', async () => {
    const outcome = await askSaying([settings, okHead, times(20_000, frame(0, [], { stream }))])
    assert.match(failureOf(outcome).message, /^The server breaks the protocol of HTTP\/2|^Timed out/)
  })

  it('takes what came of a body that does not end, where the headers may be enough', async () => {
    const said = [settings, okHead, frame(0, Buffer.from('hello'), { stream })]
    const answer = answerOf(await askSaying(said, { bodyPatienceMs: 50 }))
    assert.deepEqual([answer.status, answer.text, answer.isTruncated], [200, 'hello', true])
  })
})

/** Says this once it was spoken to, and stays. */
async function askSaying(
  said: readonly (Buffer | string)[],
  wishes: Partial<HttpRequest> = {},
): ReturnType<typeof get> {
  const { port } = await rawHttp2Server(good, (socket: TLSSocket) => {
    socket.once('data', () => socket.write(Buffer.concat(said.map((part) => Buffer.from(part)))))
  })
  return get(`https://127.0.0.1:${port}/`, { http2, timeoutMs: 500, ...wishes })
}
