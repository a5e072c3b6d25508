import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { http2Frame as frame, http2Settings as settings } from '../../../test/support/http2-server.ts'
import { FrameWalk } from './frame-walk.ts'

function walked(...pieces: readonly Uint8Array[]): FrameWalk {
  const walk = new FrameWalk()
  for (const piece of pieces) walk.take(Buffer.from(piece))
  return walk
}

const none = { frames: 0, headFrames: 0, headBytes: 0, otherFrames: 0, hasEnded: false, hasReset: false }
const begun = { ...none, frames: 1, otherFrames: 1 }

describe('frames of HTTP/2 that are followed', () => {
  const cases: [what: string, said: readonly Buffer[], counts: object][] = [
    ['nothing', [], none],
    ['settings', [settings], begun],
    ['half a frame', [settings, frame(0, Buffer.alloc(9)).subarray(0, 8)], begun],
    ['a head', [settings, frame(1, [1, 2])], { ...begun, frames: 2, headFrames: 1, headBytes: 2 }],
    [
      'a head in two frames',
      [settings, frame(1, [1, 2]), frame(9, [3])],
      { ...begun, frames: 3, headFrames: 2, headBytes: 3 },
    ],
    ['a body', [settings, frame(0, [1, 2])], { ...begun, frames: 2 }],
    ['the end of a body', [settings, frame(0, [], { flags: 1 })], { ...begun, frames: 2, hasEnded: true }],
    [
      'an end with the head',
      [settings, frame(1, [1], { flags: 5 })],
      { ...begun, frames: 2, headFrames: 1, headBytes: 1, hasEnded: true },
    ],
    [
      'settings that are agreed to, which end nothing',
      [settings, frame(4, [], { flags: 1 })],
      { ...begun, frames: 2, otherFrames: 2 },
    ],
    ['a reset', [settings, frame(3, [0, 0, 0, 1])], { ...begun, frames: 2, otherFrames: 2, hasReset: true }],
    ['what nobody knows', [settings, frame(200, [1])], { ...begun, frames: 2, otherFrames: 2 }],
  ]
  for (const [what, said, counts] of cases)
    it(`are counted: ${what}`, () => {
      const walk = walked(...said)
      assert.deepEqual([walk.counts, walk.foreign], [counts, null])
    })

  it('have to begin with settings', () => {
    assert.equal(walked(Buffer.from('HTTP/1.1 400')).foreign?.toString(), 'HTTP/1.1 ')
    assert.equal(walked(Buffer.from('HTTP/1.1')).foreign, null)
  })

  it('count the same however their bytes come', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (pieces) => {
        const apart = walked(settings, ...pieces)
        const together = walked(Buffer.concat([settings, ...pieces]))
        assert.deepEqual([apart.counts, apart.foreign], [together.counts, together.foreign])
      }),
    )
  })
})
