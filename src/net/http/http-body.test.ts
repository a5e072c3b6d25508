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

type Wish = Parameters<typeof createBodySink>[0]

/** A sink for a body in this coding, and every outcome that it reports. */
function sinkOf(
  coding: string,
  wish: Partial<Wish> = {},
): { sink: ReturnType<typeof createBodySink>; outcomes: BodyOutcome[]; first: Promise<BodyOutcome> } {
  const outcomes: BodyOutcome[] = []
  const { promise: first, resolve } = Promise.withResolvers<BodyOutcome>()
  const done = (outcome: BodyOutcome): void => {
    outcomes.push(outcome)
    resolve(outcome)
  }
  const sink = createBodySink({ maxBodyBytes, ...wish }, { 'content-encoding': coding }, { onReady: () => {}, done })
  return { sink, outcomes, first }
}

/** A body that was read: its text, and whether it is only a part. */
function told(outcome: BodyOutcome): [text: string, isTruncated: boolean] {
  assert.ok(outcome.ok)
  return [Buffer.from(outcome.body).toString(), outcome.isTruncated]
}

const turnsOfDecoder = 20

/** Lets a decoder say what it still has to say. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < turnsOfDecoder; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

function encoded(text: string, coding: string): Buffer {
  return coding === 'gzip' ? gzipSync(text) : Buffer.from(text)
}

describe('a body that comes in pieces', () => {
  for (const isCut of [false, true])
    it(`has no content where none is wanted, and is ${isCut ? 'a part' : 'whole'}`, () => {
      const { sink, outcomes } = sinkOf('gzip', { maxBodyBytes: 0 })
      assert.equal(sink.write(Buffer.from('no gzip at all')), true)
      sink.end(isCut)
      assert.deepEqual(outcomes.map(told), [['', isCut]])
    })

  for (const coding of ['identity', '', 'gzip']) {
    const what = coding === '' ? 'without a coding' : `in ${coding}`
    for (const isCut of [false, true])
      it(`${what} is empty where none came, and ${isCut ? 'a part' : 'whole'}`, () => {
        const { sink, outcomes } = sinkOf(coding)
        sink.end(isCut)
        assert.deepEqual(outcomes.map(told), [['', isCut]])
      })

    it(`${what} is whole with all of its pieces`, async () => {
      const { sink, first } = sinkOf(coding, { isEnough: () => false })
      const bytes = encoded('one and two', coding)
      for (const piece of [bytes.subarray(0, 5), bytes.subarray(5)]) sink.write(piece)
      sink.end(false)
      assert.deepEqual(told(await first), ['one and two', false])
    })

    it(`${what} is a part where the wire was cut`, async () => {
      const { sink, first } = sinkOf(coding)
      sink.write(encoded('one and two', coding))
      sink.end(true)
      assert.deepEqual(told(await first), ['one and two', true])
    })

    it(`${what} ends once, as soon as enough was seen`, async () => {
      const { sink, outcomes, first } = sinkOf(coding, { isEnough: () => true })
      sink.write(encoded('enough', coding))
      assert.deepEqual(told(await first), ['enough', false])
      sink.write(encoded('more', coding))
      sink.end(true)
      await settled()
      assert.equal(outcomes.length, 1)
    })

    it(`${what} is not told about once it is not wanted`, async () => {
      const { sink, outcomes } = sinkOf(coding, { isEnough: () => true })
      sink.write(encoded('never mind', coding))
      sink.discard()
      sink.write(encoded('more', coding))
      sink.end(false)
      await settled()
      assert.equal(outcomes.length, coding === 'gzip' ? 0 : 1)
    })

    it(`${what} that is discarded at first is never looked at`, async () => {
      const { sink, outcomes } = sinkOf(coding)
      sink.discard()
      assert.equal(sink.write(encoded('never mind', coding)), true)
      sink.end(false)
      await settled()
      assert.deepEqual(outcomes, [])
    })
  }

  it('is kept to one limit and shown to another, over all pieces together', () => {
    const shown: string[] = []
    const isEnough = (piece: Uint8Array): boolean => shown.push(Buffer.from(piece).toString()) < 0
    const { sink, outcomes } = sinkOf('identity', { maxBodyBytes: 4, maxDecodedBytes: 7, isEnough })
    for (const piece of ['abc', 'def', 'g']) sink.write(Buffer.from(piece))
    assert.deepEqual(outcomes, [], 'the limit is reached and not passed')
    sink.write(Buffer.from('h'))
    assert.deepEqual(outcomes.map(told), [['abcd', true]])
    assert.equal(shown.join(''), 'abcdefg')
  })

  it('is a failure as soon as its coding turns out to be damaged', async () => {
    const { sink, outcomes, first } = sinkOf('gzip')
    sink.write(Buffer.from('no gzip at all'))
    const outcome = await first
    assert.equal(outcome.ok ? null : outcome.failure.code, 'broken_coding')
    sink.end(true)
    await settled()
    assert.equal(outcomes.length, 1)
  })

  it('is a part, and no failure, where the wire was cut within its coding', async () => {
    const { sink, first } = sinkOf('gzip')
    sink.write(gzipSync('one and two').subarray(0, -9))
    sink.end(true)
    assert.equal(told(await first)[1], true)
  })

  it('in an unknown coding fails once, with the first 40 characters of its name', () => {
    const { sink, outcomes } = sinkOf('x'.repeat(41))
    assert.equal(sink.write(Buffer.from('one')), true)
    assert.equal(sink.write(Buffer.from('two')), true)
    sink.end(false)
    assert.deepEqual(outcomes, [
      {
        ok: false,
        failure: {
          phase: 'transfer',
          code: 'unknown_coding',
          message: `The answer is encoded as "${'x'.repeat(40)}", which was not asked for`,
        },
      },
    ])
  })

  it('is waited for where its decoder has enough to do', async () => {
    const ready = Promise.withResolvers<void>()
    const callbacks = { onReady: ready.resolve, done: () => {} }
    const sink = createBodySink({ maxBodyBytes: 1_000_000 }, { 'content-encoding': 'gzip' }, callbacks)
    const bytes = gzipSync(Buffer.alloc(300_000, 'a'), { level: 0 })
    assert.equal(sink.write(bytes.subarray(0, 10)), true)
    assert.equal(sink.write(bytes.subarray(10, 200_000)), false)
    await ready.promise
    sink.discard()
  })
})
