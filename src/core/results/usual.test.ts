import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { slotOf } from './latency-histogram.ts'
import { slowFrom, usualOf, usualResponse, usualSpan } from './usual.ts'

function known(days: number, checks: number): Parameters<typeof usualOf>[0] {
  return { days, histogram: { slots: [slotOf(40), slotOf(300)], counts: [checks - 1, 1] } }
}

const amounts = [
  ['nothing is known', undefined, null],
  ['two days are known', known(2, 5000), null],
  ['three days have 19 checks', known(3, 19), null],
  ['three days have 20 checks', known(3, 20), 40],
  ['28 days have 20 checks', known(28, 20), 40],
] as const

const limits = [
  ['a fast target has a tenth of a second more', 8, 2, 108],
  ['at a tenth of a second twice as much and a tenth more are the same', 100, 2, 200],
  ['a slow target has the factor', 400, 3, 1200],
] as const

describe('what is usual', () => {
  for (const [name, given, expected] of amounts)
    it(`is ${expected ?? 'not known'} when ${name}`, () => assert.equal(usualOf(given), expected))

  it('is that of the hour of the day and its neighbours, of whole hours of 28 days', () => {
    assert.deepEqual(usualSpan(new Date('2026-11-21T00:59:59.999Z')), {
      from: new Date('2026-10-24T00:00:00Z'),
      until: new Date('2026-11-21T00:00:00Z'),
      hours: [23, 0, 1],
    })
    assert.deepEqual(usualSpan(new Date('2026-11-21T23:00:00Z')).hours, [22, 23, 0])
    assert.deepEqual(usualSpan(new Date('2026-11-21T12:30:00Z')).hours, [11, 12, 13])
  })

  it('says from when on a round is slow, once it is known', () => {
    assert.deepEqual(usualResponse(400, 3), { p95_ms: 400, slow_from_ms: 1200 })
    assert.deepEqual(usualResponse(null, 3), { p95_ms: null, slow_from_ms: null })
  })

  for (const [name, usualMs, factor, expected] of limits)
    it(name, () => assert.equal(slowFrom(usualMs, factor), expected))
})
