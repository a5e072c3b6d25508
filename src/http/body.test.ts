import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { AppError } from '#core/language/error.ts'
import { isDeeper, maxJsonDepth } from '#core/language/json-depth.ts'
import { assertQuick, filled, hostileJson } from '../../test/support/quick.ts'
import { readJson } from './body.ts'
import { createLongBodies } from './json-thread.ts'

const longBodies = createLongBodies()
const headers = { 'Content-Type': 'application/json' }

function requestOf(body: BodyPart): Request {
  return new Request('http://perigee.test/', { method: 'POST', headers, body })
}

type BodyPart = Uint8Array<ArrayBuffer> | ReadableStream | string

describe('a JSON body', () => {
  it('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        assert.deepEqual(await readJson(requestOf(text), 1_000_000), JSON.parse(text))
      }),
    )
  })

  it('is refused and never breaks anything, whatever the bytes are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (bytes) => {
        try {
          await readJson(requestOf(Uint8Array.from(bytes)), 50)
        } catch (error) {
          assert.ok(error instanceof AppError)
        }
      }),
    )
  })

  it('is not read beyond its limit, however long it is', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(1000))
      },
    })
    const request = new Request('http://perigee.test/', { method: 'POST', headers, body: endless, duplex: 'half' })
    await assert.rejects(readJson(request, 5000), { code: 'too_large' })
    assert.ok(pulled < 20, `${pulled} pieces`)
  })

  it('is refused when it is nested too deep, however deep', async () => {
    assert.ok(Array.isArray(await readJson(requestOf(nested(64)), 1_000_000)))
    for (const depth of [65, 1000, 400_000])
      await assert.rejects(readJson(requestOf(nested(depth)), 1_000_000), { code: 'bad_request', status: 400 })
  })

  it("that breaks off is the sender's mistake", async () => {
    const broken = new ReadableStream({ pull: () => Promise.reject(new Error('connection reset')) })
    const request = new Request('http://perigee.test/', { method: 'POST', headers, body: broken, duplex: 'half' })
    await assert.rejects(readJson(request, 5000), { code: 'bad_request' })
  })

  it('of a usual length takes little time of the thread that serves all callers, whatever it holds', () => {
    for (const [what, text] of hostileJson(1024 * 1024))
      assertQuick(what, () => {
        const read = parseBoundedJson(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text)))
        if (read.type === 'value') isDeeper(read.value, maxJsonDepth)
      })
  })

  it('that is long is read in a thread of its own', async () => {
    const content = filled('\u0001"ä\\', 5_000_000)
    const text = JSON.stringify({ content, name: 'a' })
    assert.deepEqual(await readJson(requestOf(text), 31_000_000, longBodies), { content, name: 'a' })
    await assert.rejects(readJson(requestOf(`${text}}`), 31_000_000, longBodies), { code: 'invalid_json' })
    const notUtf8 = Uint8Array.from(Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])]))
    await assert.rejects(readJson(requestOf(notUtf8), 31_000_000, longBodies), { code: 'invalid_json' })
  })

  it('that is long and was made to be slow is refused', async () => {
    for (const piece of ['[', '[],', '{"a":'])
      await assert.rejects(readJson(requestOf(`[${filled(piece, 8_000_000)}0]`), 31_000_000, longBodies), {
        code: 'bad_request',
      })
  })

  it('that is long waits for others, and is refused where too many wait', async () => {
    const body = new TextEncoder().encode('[1]')
    const full = createLongBodies()
    const read = Array.from({ length: 22 }, () => full.read(body))
    await assert.rejects(full.read(body), { code: 'unavailable' })
    assert.deepEqual(await longBodies.read(body), { type: 'value', value: [1] }, 'another process has room of its own')
    assert.equal((await Promise.all(read)).length, 22)
    assert.deepEqual(await full.read(body), { type: 'value', value: [1] })
  })
})

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}
