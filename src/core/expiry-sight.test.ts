import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nextSight, type Sight } from './expiry-sight.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The minute of a check, the end that it sees, and the end that is written then; null where nothing is written. */
type Step = [minute: number, seen: number, written: number | null]

function play(steps: readonly Step[], intervalMs: number): void {
  let known: Sight | null = null
  for (const [minute, endMs, written] of steps) {
    const next = nextSight(known, { endMs, atMs: minute * minuteMs, intervalMs })
    assert.equal(next?.isWritten === true ? next.sight.endMs : null, written, `minute ${minute}`)
    known = next?.sight ?? known
  }
}

const [soon, later, latest] = [1000, 2000, 3000]
const hour = 60
const day = 24 * hour

describe('what an engine remembers of an end', () => {
  const stories: [string, Step[]][] = [
    [
      'is written once, and again when it is 20 hours old',
      [
        [0, soon, soon],
        [1, soon, null],
        [20 * hour - 1, soon, null],
        [20 * hour, soon, soon],
        [day, soon, null],
        [40 * hour, soon, soon],
      ],
    ],
    [
      'is replaced at once by a renewed one',
      [
        [0, soon, soon],
        [5, later, later],
        [6, later, null],
        [7, latest, latest],
      ],
    ],
    [
      'is the one that ends first where two are seen by turns, written once each',
      [
        [0, soon, soon],
        [1, later, later],
        [2, soon, soon],
        [3, later, null],
        [4, soon, null],
        [50, later, null],
        [63, later, null],
        [63.5, soon, null],
        [120, later, null],
        [121, soon, null],
      ],
    ],
    [
      'gives way to the later one of two when it was not seen for an hour',
      [
        [0, later, later],
        [1, soon, soon],
        [10, soon, null],
        [69, later, null],
        [70, later, later],
        [71, latest, latest],
      ],
    ],
    [
      'is replaced at once by one that ends earlier',
      [
        [0, latest, latest],
        [1, later, later],
        [1, soon, soon],
      ],
    ],
    [
      'is not replaced by what a late result of an older round shows',
      [
        [0, soon, soon],
        [5, later, later],
        [4, soon, null],
        [6, later, null],
      ],
    ],
    [
      'may have no end at all',
      [
        [0, Infinity, Infinity],
        [1, Infinity, null],
        [2, soon, soon],
        [3, Infinity, null],
      ],
    ],
    [
      'is refreshed also where two are seen by turns',
      [
        [0, later, later],
        [1, soon, soon],
        [30, soon, null],
        [20 * hour + 1, soon, soon],
        [20 * hour + 2, later, null],
      ],
    ],
  ]
  for (const [what, steps] of stories) it(what, () => play(steps, minuteMs))

  it('waits four intervals for the one that ends first where these are long', () =>
    play(
      [
        [0, later, later],
        [6 * hour, soon, soon],
        [12 * hour, later, null],
        [18 * hour, soon, null],
        [41 * hour, later, null],
        [42 * hour, later, later],
      ],
      6 * hourMs,
    ))

  it('is written at most four times a day more often than it changes, however a target flaps', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 100, maxLength: 1440 }), (flaps) => {
        // Each of the two ends is seen at least every ten minutes: this is one target with two servers.
        let known: Sight | null = null
        let written = 0
        for (const [minute, isSoon] of flaps.entries()) {
          const endMs = minute % 10 === 0 || (isSoon && minute % 10 !== 1) ? soon : later
          const next = nextSight(known, { endMs, atMs: minute * minuteMs, intervalMs: minuteMs })
          if (next?.isWritten === true) written += 1
          known = next?.sight ?? known
        }
        assert.equal(known?.endMs, soon)
        assert.ok(written <= 4, `${written}`)
      }),
    ))
})

it('of a moment nothing is remembered twice', () => {
  const known = { endMs: soon, writtenMs: 0, sharedMs: 5 }
  const seen = { endMs: soon, intervalMs: minuteMs }
  assert.deepEqual(nextSight(known, { ...seen, atMs: 6 }), { sight: { ...known, sharedMs: 6 }, isWritten: false })
  assert.equal(nextSight(known, { ...seen, atMs: 5 }), null)
})
