import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  daysLeft,
  inDays,
  dueOccasion,
  type Ending,
  firstOccasion,
  nextLookUp,
  nextOccasion,
  retryLookUp,
  timeOfEnd,
} from './expiry.ts'

const dayMs = 86_400_000
const end = new Date('2026-12-01T12:00:00Z')
const beforeEnd = (days: number): Date => new Date(end.getTime() - days * dayMs)
const daysOf = (time: Date | null): number | null => (time === null ? null : (end.getTime() - time.getTime()) / dayMs)

const domain: Ending = { subject: 'domain', expiresAt: end }
const certificate = (lifetimeDays: number): Ending => ({
  subject: 'certificate',
  notBefore: beforeEnd(lifetimeDays),
  expiresAt: end,
})

function allOccasions(ending: Ending): (number | null)[] {
  const occasions: (number | null)[] = []
  for (let next = firstOccasion(ending); next !== null; next = nextOccasion(ending, next)) occasions.push(daysOf(next))
  return occasions
}

describe('the occasions of alerts', () => {
  const cases: [string, Ending, number[]][] = [
    ['a domain', domain, [30, 14, 7, 3, 1]],
    ['a certificate of 398 days', certificate(398), [14, 7, 3, 1]],
    ['a certificate of 90 days', certificate(90), [14, 7, 3, 1]],
    ['a certificate of 84 days', certificate(84), [14, 7, 3, 1]],
    ['a certificate of 60 days', certificate(60), [10, 7, 3, 1]],
    ['a certificate of 42 days', certificate(42), [7, 3, 1]],
    ['a certificate of 30 days', certificate(30), [5, 3, 1]],
    ['a certificate of 18 days', certificate(18), [3, 1]],
    ['a certificate of 6 days', certificate(6), [1]],
    ['a certificate of 3 days', certificate(3), [0.5]],
    ['a certificate that begins when it ends', certificate(0), []],
    ['a certificate that begins after its end', certificate(-1), []],
  ]
  for (const [what, ending, days] of cases)
    it(`of ${what} lie ${days.join(', ') || 'no'} days before its end`, () =>
      assert.deepEqual(allOccasions(ending), days))
})

describe('the occasion that is due', () => {
  const instant = 1 / dayMs
  const cases: [string, Ending, number, number | null, number | null][] = [
    // Case, ending, days before the end at `now`, the occasion that is due, the next one.
    ['a domain', domain, 31, null, 30],
    ['a domain', domain, 30 + instant, null, 30],
    ['a domain', domain, 30, 30, 14],
    ['a domain', domain, 14 + instant, 30, 14],
    ['a domain', domain, 5, 7, 3],
    ['a domain', domain, 1, 1, null],
    ['a domain', domain, 0.2, 1, null],
    ['a domain that has ended', domain, 0, 1, null],
    ['a domain that ended long ago', domain, -20, 1, null],
    ['a certificate of 90 days', certificate(90), 15, null, 14],
    ['a certificate of 90 days', certificate(90), 14, 14, 7],
    ['a certificate of 90 days', certificate(90), 5, 7, 3],
    ['a certificate of 90 days', certificate(90), instant, 1, null],
    ['a certificate of 90 days that has ended', certificate(90), 0, null, null],
    ['a certificate of 6 days', certificate(6), 1 + instant, null, 1],
    ['a certificate of 6 days', certificate(6), 1, 1, null],
    ['a certificate without a lifetime', certificate(0), 1, null, null],
  ]
  for (const [what, ending, days, due, next] of cases)
    it(`of ${what} at ${days} days is that of ${due ?? 'no'} days, and ${next ?? 'nothing'} is ahead`, () => {
      const now = beforeEnd(days)
      assert.deepEqual([daysOf(dueOccasion(ending, now)), daysOf(nextOccasion(ending, now))], [due, next])
    })

  it('is never ahead, and the next one always is, whatever begins and ends when', () => {
    const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2200-01-01') })
    const ending = fc.oneof(
      fc.record({ subject: fc.constant('domain' as const), expiresAt: time }),
      fc.record({ subject: fc.constant('certificate' as const), notBefore: time, expiresAt: time }),
    )
    fc.assert(
      fc.property(ending, time, (some, now) => {
        const due = dueOccasion(some, now)
        const next = nextOccasion(some, now)
        assert.ok(due === null || due <= now)
        assert.ok(next === null || next > now)
      }),
    )
  })
})

describe('the days that are left', () => {
  const cases: [number, number][] = [
    [30, 30],
    [7 - 0.001, 7],
    [5.2, 5],
    [2.6, 3],
    [8.6, 9],
    [8.499, 8],
    [1, 1],
    [0.5, 1],
    [0.499, 0],
    [0, 0],
    [-0.999, 0],
    [-1, -1],
    [-2.1, -2],
    [-2.999, -2],
  ]
  for (const [days, shown] of cases)
    it(`of ${days} are ${shown}`, () => assert.ok(Object.is(daysLeft(end, beforeEnd(days)), shown)))
})

describe('the words for days', () => {
  for (const [days, text] of [
    [0, 'in less than a day'],
    [1, 'in 1 day'],
    [2, 'in 2 days'],
  ] as const)
    it(`that are left: ${text}`, () => assert.equal(inDays(days), text))
})

describe('the next look-up of a domain', () => {
  const cases: [string, number, number][] = [
    ['in a day while nothing is near', 100, 99],
    ['in a day where the next occasion is just that far', 31, 30],
    ['at the next occasion', 14.25, 14],
    ['in a day between two occasions', 12, 11],
    ['in a day after the last', 0.5, -0.5],
  ]
  for (const [when, days, next] of cases)
    it(`is ${when}`, () => assert.equal(daysOf(nextLookUp(end, beforeEnd(days))), next))

  it('is in a day where no end is published', () => assert.equal(daysOf(nextLookUp(null, beforeEnd(0))), -1))

  for (const [failures, hours] of [
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 4],
    [5, 16],
    [6, 24],
    [1000, 24],
  ] as const)
    it(`is in ${hours} hours after ${failures} failures`, () =>
      assert.equal(retryLookUp(failures, end).getTime() - end.getTime(), hours * 3_600_000))
})

describe('timeOfEnd', () => {
  const cases: [string, string | null][] = [
    ['2026-12-01T12:00:00.000Z', '2026-12-01T12:00:00.000Z'],
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['+012026-12-01T00:00:00Z', '9999-12-31T00:00:00.000Z'],
    ['-000001-01-01T00:00:00Z', '1000-01-01T00:00:00.000Z'],
    ['soon', null],
    ['', null],
  ]
  for (const [text, time] of cases)
    it(`reads "${text}" as ${time ?? 'nothing'}`, () => {
      const timeMs = timeOfEnd(text)
      assert.equal(timeMs === null ? null : new Date(timeMs).toISOString(), time)
    })
})
