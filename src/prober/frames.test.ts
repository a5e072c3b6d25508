import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Duplex, duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { until } from '../../test/support/until.ts'
import { type Frame, FrameError, type FramePipe, FrameReader, openFrames } from './frames.ts'

const limits = { maxHeadBytes: 1_000, maxBodyBytes: 100_000 }
const nothing = { onFrame: () => {}, onBroken: () => {}, onClose: () => {} }

describe('frames', () => {
  it('arrive in their order, whole, however the bytes are cut', async () => {
    const bytes = await bytesOf((pipe) => {
      for (let index = 0; index < 50; index += 1)
        pipe.send({ index, text: 'ä'.repeat(index) }, new Uint8Array(index * 300).fill(index))
    })
    for (const step of [1, 7, 8, 1_000, bytes.length]) {
      const reader = new FrameReader(limits)
      const frames: Frame[] = []
      for (let at = 0; at < bytes.length; at += step) frames.push(...reader.take(bytes.subarray(at, at + step)))
      assert.equal(frames.length, 50)
      for (const [index, { head, body }] of frames.entries()) {
        assert.deepEqual(JSON.parse(head), { index, text: 'ä'.repeat(index) })
        assert.deepEqual([body.length, body.every((byte) => byte === index)], [index * 300, true])
      }
    }
  })

  it('have bounds, which a reader looks at before it keeps anything', () => {
    const reader = new FrameReader(limits)
    for (const [head, body] of [
      [1_001, 0],
      [10, 100_001],
      [0xff_ff_ff_ff, 0xff_ff_ff_ff],
    ] as const) {
      const prefix = Buffer.alloc(8)
      prefix.writeUInt32BE(head, 0)
      prefix.writeUInt32BE(body, 4)
      assert.throws(() => reader.take(prefix), FrameError)
    }
    const largest = Buffer.alloc(8)
    largest.writeUInt32BE(1_000, 0)
    largest.writeUInt32BE(100_000, 4)
    assert.deepEqual(new FrameReader(limits).take(largest), [])
  })

  it('of any bytes at all are frames or a FrameError', () => {
    const small = fc.constantFrom(Buffer.alloc(3), Buffer.from([0, 0, 0, 2, 0, 0, 0, 1]), Buffer.from('{}x'))
    const any = fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.array(fc.oneof(small, any), { maxLength: 12 }), (pieces) => {
        const reader = new FrameReader(limits)
        try {
          for (const piece of pieces) reader.take(piece)
        } catch (error) {
          assert.ok(error instanceof FrameError, String(error))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('end with a handler that throws, and with a reader that does not read', async () => {
    const [near, far] = duplexPair()
    const broken: string[] = []
    let isClosed = false
    openFrames(far, limits, {
      onFrame: () => {
        throw new Error('no word')
      },
      onBroken: ({ message }) => broken.push(message),
      onClose: () => (isClosed = true),
    })
    openFrames(near, limits, nothing).send({})
    await until('it is closed', () => isClosed)
    const unread = openFrames(new Duplex({ read: () => {}, write: () => {} }), limits, {
      ...nothing,
      onBroken: ({ message }) => broken.push(message),
    })
    const body = new Uint8Array(50 * 1024 * 1024)
    for (let times = 0; times < 5; times += 1) unread.send({}, body)
    assert.deepEqual(broken, ['no word', 'It does not read what it is sent.'])
  })
})

async function bytesOf(write: (pipe: FramePipe) => void): Promise<Buffer> {
  const pieces: Buffer[] = []
  const sink = new Duplex({
    read: () => {},
    write: (piece: Buffer, _, done) => {
      pieces.push(piece)
      done()
    },
  })
  const pipe = openFrames(sink, limits, nothing)
  write(pipe)
  await pipe.flush()
  return Buffer.concat(pieces)
}
