import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { answerOf, failureOf, get } from '../../../test/support/net.ts'
import { answering, rawServer } from '../../../test/support/raw-server.ts'
import { type BodyOutcome, createBodySink } from './http-body.ts'

async function serve(coding: string, body: Buffer): Promise<string> {
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`
  const { port } = await rawServer(answering(Buffer.concat([Buffer.from(head), body])))
  return `http://127.0.0.1:${port}/`
}

describe('an encoded body', () => {
  const text = 'The quick brown fox. '.repeat(5000)
  const plain = Buffer.from(text)
  const codings = [
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['GZIP', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
    ['identity', plain],
  ] as const
  for (const [coding, body] of codings)
    it(`in ${coding} is read, ${body.length} bytes`, async () => {
      const answer = answerOf(await get(await serve(coding, body)))
      assert.equal(answer.text, text)
      assert.equal(answer.isTruncated, false)
    })

  it('may be empty', async () => {
    assert.equal(answerOf(await get(await serve('gzip', Buffer.alloc(0)))).text, '')
  })

  it('that explodes is read to the limit only', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, 'a'))
    const before = process.memoryUsage().rss
    const answer = answerOf(await get(await serve('gzip', bomb), { maxBodyBytes: 100_000 }))
    assert.equal(answer.body.length, 100_000)
    assert.equal(answer.isTruncated, true)
    assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024)
  })

  it('ends early when enough was seen', async () => {
    const answer = answerOf(
      await get(await serve('gzip', gzipSync(plain)), { maxBodyBytes: 0, maxDecodedBytes: 1000, isEnough: () => true }),
    )
    assert.equal(answer.body.length, 0)
  })

  it('that is damaged or cut is a failure, if it is looked at', async () => {
    const packed = gzipSync(plain)
    const damaged = Buffer.from(packed)
    damaged.fill(0xff, 20, 60)
    for (const body of [damaged, packed.subarray(0, -20)]) {
      const failure = failureOf(await get(await serve('gzip', body)))
      assert.deepEqual(failure, {
        phase: 'transfer',
        code: 'broken_coding',
        message: "The answer's gzip data is damaged or cut short",
      })
      assert.equal(answerOf(await get(await serve('gzip', body), { maxBodyBytes: 0 })).status, 200)
    }
  })

  it('in a coding that was not asked for is a failure, if it is looked at', async () => {
    const url = await serve('compress', plain)
    assert.equal(failureOf(await get(url)).message, 'The answer is encoded as "compress", which was not asked for')
    assert.equal(answerOf(await get(url, { maxBodyBytes: 0 })).status, 200)
  })

  it('beyond the wire limit counts as cut', async () => {
    const random = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251))
    const answer = answerOf(await get(await serve('gzip', gzipSync(random, { level: 0 })), { maxWireBytes: 150_000 }))
    assert.equal(answer.isTruncated, true)
    assert.ok(answer.body.length < 300_000)
  })
})

const maxBodyBytes = 1000

/** Feeds a body in pieces; resolves with every outcome that the sink reports. */
async function feed(coding: string, pieces: readonly Uint8Array[]): Promise<BodyOutcome[]> {
  const outcomes: BodyOutcome[] = []
  const request = {
    url: new URL('http://a.example/'),
    method: 'GET',
    headers: {},
    body: null,
    maxRedirects: 0,
    headersOnly: false,
    maxBodyBytes,
    maxWireBytes: 10_000,
  }
  await new Promise<void>((resolve) => {
    const sink = createBodySink(
      request,
      { 'content-encoding': coding },
      {
        onReady: () => {},
        done: (outcome) => {
          outcomes.push(outcome)
          // The sink must not report anything that comes later.
          setImmediate(resolve)
        },
      },
    )
    for (const piece of pieces) sink.write(Buffer.from(piece))
    sink.end(false)
  })
  return outcomes
}

describe('the bytes of a body', () => {
  const codings = ['identity', 'gzip', 'deflate', 'br', 'zstd', 'compress', '']
  const good = gzipSync(Buffer.from('All is well. '.repeat(20)))
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }),
    fc
      .tuple(fc.nat(good.length), fc.uint8Array({ maxLength: 50 }))
      .map(([cut, rest]) => Buffer.concat([good.subarray(0, cut), rest])),
  )

  it('are told about once, within the limit, whatever they are and however they are split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...codings), body, fc.nat(3000), async (coding, bytes, cut) => {
        const outcomes = await feed(coding, [bytes.subarray(0, cut), bytes.subarray(cut)])
        const wholeOutcomes = await feed(coding, [bytes])
        assert.equal(outcomes.length, 1)
        const [outcome] = outcomes
        if (outcome?.ok === true) assert.ok(outcome.body.length <= maxBodyBytes)
        else assert.ok((outcome?.failure.message.length ?? 0) > 10)
        assert.deepEqual(outcomes, wholeOutcomes)
      }),
      { numRuns: 300 },
    )
  })
})
