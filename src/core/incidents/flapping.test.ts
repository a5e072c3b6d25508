import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { flappingSchema, foldChange } from './flapping.ts'

const minuteMs = 60_000
const rule = { changes: 3, within_minutes: 5 }

describe('the rule of flapping', () => {
  const cases: [given: unknown, isTaken: boolean][] = [
    [{ changes: 3, within_minutes: 5 }, true],
    [{ changes: 20, within_minutes: 1440 }, true],
    [{ changes: 2, within_minutes: 5 }, false],
    [{ changes: 21, within_minutes: 5 }, false],
    [{ changes: 3, within_minutes: 4 }, false],
    [{ changes: 3, within_minutes: 1441 }, false],
    [{ changes: 3.5, within_minutes: 5 }, false],
    [{ changes: 3 }, false],
    [{ within_minutes: 5 }, false],
    [{ changes: 3, within_minutes: 5, more: 1 }, false],
  ]
  for (const [given, isTaken] of cases)
    it(`${isTaken ? 'takes' : 'refuses'} ${JSON.stringify(given)}`, () => {
      assert.equal(flappingSchema.safeParse(given).success, isTaken)
    })
})

describe('a change', () => {
  const cases: [name: string, minutes: number[], isUnstable: boolean, at: number, ReturnType<typeof foldChange>][] = [
    ['is the first', [], false, 1, { changes: [1], sight: 'usual' }],
    ['is not enough', [1], false, 2, { changes: [1, 2], sight: 'usual' }],
    ['is the last that is needed', [1, 2], false, 3, { changes: [1, 2, 3], sight: 'begins' }],
    ['comes too late for one', [1, 2], false, 6, { changes: [2, 6], sight: 'usual' }],
    ['comes just in time', [1, 2], false, 5.99, { changes: [1, 2, 5.99], sight: 'begins' }],
    ['is one of an unstable monitor', [1, 2, 3], true, 4, { changes: [1, 2, 3, 4], sight: 'goes_on' }],
    ['is the only one of an unstable monitor that counts', [1, 2, 3], true, 40, { changes: [40], sight: 'goes_on' }],
    ['is told later than a newer one', [3], false, 2, { changes: [2, 3], sight: 'usual' }],
  ]
  for (const [name, minutes, isUnstable, at, { changes, sight }] of cases)
    it(`that ${name}`, () => {
      const course = { changes: minutes.map((each) => each * minuteMs), isUnstable }
      const folded = foldChange(course, at * minuteMs, rule)
      assert.deepEqual(folded, { changes: changes.map((each) => each * minuteMs), sight })
    })

  it('begins exactly where so many changes lie within so many minutes', () => {
    const rules = fc.record({
      changes: fc.integer({ min: 3, max: 20 }),
      within_minutes: fc.integer({ min: 5, max: 60 }),
    })
    const gaps = fc.array(fc.integer({ min: 1, max: 30 * minuteMs }), { maxLength: 60 })
    fc.assert(
      fc.property(rules, gaps, (given, all) => {
        const times: number[] = []
        let changes: number[] = []
        let atMs = 0
        for (const gap of all) {
          atMs += gap
          times.push(atMs)
          const folded = foldChange({ changes, isUnstable: false }, atMs, given)
          changes = folded.changes
          const recent = times.filter((each) => atMs - each < given.within_minutes * minuteMs)
          assert.equal(folded.sight === 'begins', recent.length >= given.changes)
          assert.ok(changes.length <= 20)
        }
      }),
    )
  })
})
