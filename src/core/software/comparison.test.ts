import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { comparisonOf, type FeedReading, oldestData, wasCompared } from './comparison.ts'

const at = new Date('2026-11-23T12:00:00Z')
const hoursAgo = (hours: number): FeedReading => ({ readAt: new Date(at.getTime() - hours * 3_600_000), isOff: false })
const never = { readAt: null, isOff: false }
const off = { readAt: null, isOff: true }

describe('a comparison', () => {
  type Case = {
    what: string
    products?: string[]
    waiting?: number
    read: Record<string, FeedReading>
    word: string
    states: string[]
    was: boolean
  }
  const cases: readonly Case[] = [
    {
      what: 'of nothing',
      products: [],
      read: { 'osv npm': hoursAgo(1) },
      word: 'not_compared',
      states: [],
      was: false,
    },
    { what: 'before any feed was claimed', read: {}, word: 'not_compared', states: ['unread', 'unread'], was: false },
    {
      what: 'while the first reading goes on',
      read: { 'osv npm': never, exploited: never },
      word: 'not_compared',
      states: ['unread', 'unread'],
      was: false,
    },
    {
      what: 'with one of two',
      read: { 'osv npm': hoursAgo(1), 'osv PyPI': hoursAgo(1) },
      word: 'partial',
      states: ['current', 'unread'],
      was: false,
    },
    {
      what: 'with all of them',
      read: { 'osv npm': hoursAgo(1), exploited: hoursAgo(0) },
      word: 'complete',
      states: ['current', 'current'],
      was: true,
    },
    {
      what: 'with data of just 48 hours, and of more',
      read: { 'osv npm': hoursAgo(48), exploited: hoursAgo(48.01) },
      word: 'complete',
      states: ['current', 'old'],
      was: true,
    },
    {
      what: 'with what is read here, where the rest is switched off',
      read: { 'osv npm': hoursAgo(1), exploited: off },
      word: 'partial',
      states: ['current', 'off'],
      was: true,
    },
    {
      what: 'where all is switched off',
      read: { 'osv npm': off, exploited: off },
      word: 'not_compared',
      states: ['off', 'off'],
      was: false,
    },
    {
      what: 'with what was read before it was switched off',
      read: { 'osv npm': { ...hoursAgo(1), isOff: true }, exploited: { ...hoursAgo(99), isOff: true } },
      word: 'complete',
      states: ['current', 'old'],
      was: true,
    },
    {
      what: 'with all of them, for which every entry still waits',
      waiting: 1,
      read: { 'osv npm': hoursAgo(1), exploited: hoursAgo(0) },
      word: 'not_compared',
      states: ['current', 'current'],
      was: false,
    },
    {
      what: 'with all of them, for which one of two entries still waits',
      products: ['npm:lodash', 'npm:left-pad'],
      waiting: 1,
      read: { 'osv npm': hoursAgo(1), exploited: hoursAgo(0) },
      word: 'partial',
      states: ['current', 'current'],
      was: false,
    },
  ]
  for (const { what, products = ['npm:lodash'], waiting = 0, read, word, states, was } of cases)
    it(what, () => {
      const list = { products, entries: products.length, waiting }
      const outcome = comparisonOf(list, new Map(Object.entries(read)), at)
      assert.deepEqual(
        [outcome.comparison, outcome.compared.map(({ state }) => state), wasCompared(outcome)],
        [word, states, was],
      )
      assert.equal(outcome.entries_to_compare, waiting)
    })

  it('says when each source was read', () => {
    const { compared } = comparisonOf(
      { products: ['npm:lodash'], entries: 1, waiting: 0 },
      new Map([['osv npm', hoursAgo(72)]]),
      at,
    )
    assert.deepEqual(compared, [
      { source: 'osv', ecosystem: 'npm', data_as_of: '2026-11-20T12:00:00.000Z', state: 'old' },
      { source: 'exploited', ecosystem: null, data_as_of: null, state: 'unread' },
    ])
  })

  it('is as old as the oldest of what it was made with', () => {
    const list = { products: ['npm:lodash'], entries: 1, waiting: 0 }
    const ageOf = (read: Record<string, FeedReading>): string | null =>
      oldestData(comparisonOf(list, new Map(Object.entries(read)), at))
    assert.equal(ageOf({ 'osv npm': hoursAgo(1), exploited: hoursAgo(2) }), '2026-11-23T10:00:00.000Z')
    assert.equal(ageOf({ 'osv npm': hoursAgo(2), exploited: never }), '2026-11-23T10:00:00.000Z')
    assert.equal(ageOf({ 'osv npm': never, exploited: never }), null)
    const waiting = comparisonOf({ ...list, waiting: 1 }, new Map([['osv npm', hoursAgo(1)]]), at)
    assert.equal(oldestData(waiting), null)
  })
})
