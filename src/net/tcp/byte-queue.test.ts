import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createByteQueue } from './byte-queue.ts'

describe('a queue of bytes', () => {
  it('gives bytes in their order, however they come and are cut', () => {
    const sent = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7) % 256))
    for (const [piece, cut] of [
      [1, 1],
      [1, 700],
      [333, 1],
      [4096, 100],
      [17, 5000],
    ] as const) {
      const queue = createByteQueue()
      const taken: Buffer[] = []
      for (let at = 0; at < sent.length; at += piece) {
        queue.add(sent.subarray(at, at + piece))
        while (queue.bytes().length >= cut) taken.push(queue.cut(cut))
      }
      taken.push(queue.cut(queue.bytes().length))
      assert.ok(Buffer.concat(taken).equals(sent), `pieces of ${piece}, cut by ${cut}`)
      assert.equal(queue.bytes().length, 0)
    }
  })

  it('leaves what was cut as it was', () => {
    const queue = createByteQueue()
    queue.add(Buffer.alloc(400, 1))
    const cut = queue.cut(300)
    for (let added = 0; added < 50; added++) queue.add(Buffer.alloc(100, 2))
    assert.ok(cut.every((byte) => byte === 1))
    assert.ok(
      queue
        .bytes()
        .subarray(0, 100)
        .every((byte) => byte === 1),
    )
  })

  it('copies about twice of what comes a byte at a time', (t) => {
    const copy = t.mock.method(Buffer.prototype, 'copy')
    const queue = createByteQueue()
    for (let added = 0; added < 100_000; added++) queue.add(Buffer.of(0))
    assert.ok(copy.mock.callCount() < 20, String(copy.mock.callCount()))
  })
})
