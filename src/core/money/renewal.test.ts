import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { pricing } from './pricing.ts'
import { endOfGrace } from './quote.ts'
import {
  graceOverUntil,
  noticeOf,
  noticedUntil,
  noticeDays,
  planRenewals,
  renewalCents,
  renewalDescription,
} from './renewal.ts'

const at = new Date('2026-11-21T12:00:00Z')

describe('what credit renews', () => {
  const cases: [what: string, credit: number, due: number[], covered: number[]][] = [
    ['nothing without credit', 0, [1], []],
    ['nothing for nobody', 5, [], []],
    ['all that it covers to the cent', 6, [1, 2, 3], [1, 2, 3]],
    ['the first before the later', 2, [2, 1], [2]],
    ['a cheap one after one that is too dear', 2, [3, 2], [2]],
    ['what is left after those before', 5, [3, 3, 2], [3, 2]],
  ]
  for (const [what, credit, due, covered] of cases)
    it(what, () => {
      const monitors = due.map((locations) => ({ locations, paidUntil: at }))
      const plan = planRenewals(credit, monitors)
      assert.deepEqual(
        plan.covered.map(({ locations }) => locations),
        covered,
      )
    })

  it('is never more than there is, leaves nothing out, and leaves too little for each that it does not cover', () => {
    const monitor = fc.integer({ min: 1, max: 20 }).map((locations) => ({ locations, paidUntil: at }))
    fc.assert(
      fc.property(fc.nat(100), fc.array(monitor), (credit, due) => {
        const { covered, uncovered } = planRenewals(credit, due)
        const left = covered.reduce((sum, { locations }) => sum - renewalCents(locations), credit)
        assert.ok(left >= 0)
        assert.deepEqual(new Set([...covered, ...uncovered]), new Set(due))
        assert.equal(covered.length + uncovered.length, due.length)
        for (const { locations } of uncovered) assert.ok(renewalCents(locations) > left)
      }),
    )
  })
})

describe('the occasion of a notice', () => {
  const cases: [paidUntil: string, day: number | null][] = [
    ['2026-11-29T00:00:00.000Z', null],
    ['2026-11-28T23:59:59.999Z', 7],
    ['2026-11-28T00:00:00.000Z', 7],
    ['2026-11-25T00:00:00.000Z', 7],
    ['2026-11-24T23:59:59.999Z', 3],
    ['2026-11-23T00:00:00.000Z', 3],
    ['2026-11-22T23:59:59.999Z', 1],
    ['2026-11-22T00:00:00.000Z', 1],
    ['2026-11-21T23:59:59.999Z', 0],
    ['2026-11-21T11:59:59.999Z', 0],
    ['2026-11-15T00:00:00.000Z', 0],
  ]
  for (const [paidUntil, day] of cases)
    it(`of a period that ends at ${paidUntil} is ${day} days before`, () => {
      assert.equal(noticeOf(new Date(paidUntil), at), day)
    })

  it('has come exactly for what ends until its last moment', () => {
    const moment = fc.date({ min: new Date('2026-11-01'), max: new Date('2026-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, moment, (paidUntil, now) => {
        const reached = noticeDays.filter((day) => paidUntil <= noticedUntil(day, now))
        assert.equal(noticeOf(paidUntil, now), reached.at(-1) ?? null)
      }),
    )
  })
})

it('a grace is over at the moment at which it ends, and not before', () => {
  const paidUntil = new Date('2026-11-14T12:00:00.000Z')
  const end = endOfGrace(paidUntil)
  assert.ok(paidUntil <= graceOverUntil(end))
  assert.ok(paidUntil > graceOverUntil(new Date(end.getTime() - 1)))
})

it('a renewal has a price for each location, and says for how many', () => {
  assert.equal(renewalCents(3), 3 * pricing.pricePerLocationCents)
  assert.ok(renewalCents(3) > renewalCents(2))
  assert.equal(renewalDescription(1), 'Renewal of 1 location for 30 days')
  assert.equal(renewalDescription(2), 'Renewal of 2 locations for 30 days')
})

it('an occasion has come for what ends until the last millisecond of its day', () => {
  assert.deepEqual(noticedUntil(3, at), new Date('2026-11-24T23:59:59.999Z'))
})
