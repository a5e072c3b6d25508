import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { encode } from 'dns-packet'
import fc from 'fast-check'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { encodeQuestion } from './dns-message.ts'
import type { DnsReply } from './dns-query.ts'
import { askOverTcp, createFrameReader } from './dns-tcp.ts'

describe('the frames of DNS over TCP', () => {
  it('are the same however the bytes are split', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat(402), { maxLength: 6 }), (body, cuts) => {
        const frame = Buffer.concat([Buffer.from([body.length >> 8, body.length & 255]), body, Buffer.from('rest')])
        const read = createFrameReader()
        const ends = [...new Set([...cuts, frame.length])].toSorted((a, b) => a - b)
        let start = 0
        let message: Buffer | null = null
        for (const end of ends) {
          message ??= read(frame.subarray(start, end))
          start = end
        }
        assert.deepEqual(message, Buffer.from(body))
      }),
    )
  })
})

describe('a frame of DNS over TCP', () => {
  const frames: [bytes: number[], message: number[] | null][] = [
    [[], null],
    [[0], null],
    [[0, 0], []],
    [[0, 1], null],
    [[0, 1, 7], [7]],
    [[0, 2, 7], null],
    [
      [0, 2, 7, 8, 9],
      [7, 8],
    ],
  ]
  for (const [bytes, message] of frames)
    it(`of the bytes ${bytes.join(' ') || 'none'} ${message === null ? 'is not whole' : 'is whole'}`, () => {
      const read = createFrameReader()(Uint8Array.from(bytes))
      assert.deepEqual(read === null ? null : [...read], message)
    })

  it('has 65,535 bytes at most, whatever comes behind it', () => {
    const read = createFrameReader()
    const whole = Buffer.alloc(65_537, 7)
    whole.writeUInt16BE(65_535)
    assert.equal(read(whole.subarray(0, 65_000)), null)
    const message = read(Buffer.concat([whole.subarray(65_000), Buffer.alloc(2_000, 9)]))
    assert.ok(message !== null && message.equals(whole.subarray(2)))
  })
})

const question = { name: 'a.example', type: 'A' } as const
const asked = encodeQuestion(question, { id: 7, hasEdns: false })

/** An answer in its frame. */
function framed(id: number): Buffer {
  const message = encode({ type: 'response', id, questions: [question] })
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

function ask(port: number, signal = AbortSignal.timeout(5_000)): Promise<DnsReply> {
  const server = { address: '127.0.0.1', port }
  return askOverTcp({ server, question, id: 7, bytes: asked, readBuffer: Buffer.alloc(65_536) }, 5_000, signal)
}

/** What a server that does this is taken to have said: whether it answered, or how it was silent. */
async function saidBy(onSocket: (socket: Socket) => void): Promise<string> {
  const { port } = await rawServer(onSocket)
  const reply = await ask(port)
  return reply.ok ? 'an answer' : reply.silence
}

describe('a question over TCP', () => {
  it('is a frame, and its answer is another', async () => {
    const heard = Promise.withResolvers<Buffer>()
    const said = await saidBy((socket) =>
      socket.once('data', (bytes: Buffer) => {
        heard.resolve(bytes)
        socket.write(framed(7))
      }),
    )
    assert.equal(said, 'an answer')
    const bytes = await heard.promise
    assert.deepEqual([bytes.readUInt16BE(0), bytes.subarray(2).equals(asked)], [asked.length, true])
  })

  it('is not answered by what answers another one, or by an end', async () => {
    assert.equal(await saidBy((socket) => socket.once('data', () => socket.write(framed(8)))), 'garbled')
    assert.equal(await saidBy((socket) => socket.once('data', () => socket.end(framed(7).subarray(0, -1)))), 'garbled')
  })

  it('is unreachable where no server listens', async () => {
    assert.deepEqual(await ask(await freePort()), { ok: false, silence: 'unreachable' })
  })

  it('is not put once its time is over', async () => {
    const { port } = await rawServer((socket) => socket.once('data', () => socket.write(framed(7))))
    assert.deepEqual(await ask(port, AbortSignal.abort()), { ok: false, silence: 'timed_out' })
  })
})
