import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  decideSpan,
  hourUs,
  hourlyUntil,
  mayForget,
  mayRewrite,
  type MergeFacts,
  type MergeSpan,
  nextLook,
  quarterHourUs,
  restingUntil,
} from './merge-spans.ts'

const nowUs = at('12:20')
const usual: MergeFacts = {
  mergedUntil: at('09:00'),
  first: at('09:00:03'),
  single: at('11:30'),
  unfolded: null,
  beyond: null,
}

describe('deciding what of a monitor is merged', () => {
  type Case = [name: string, facts: Partial<MergeFacts>, bucketUs: number, expected: [string, string, string] | null]
  const cases: Case[] = [
    ['goes up to the last quarter-hour that has rested', {}, quarterHourUs, ['09:00', '09:00', '10:15']],
    ['goes up to the last hour that has rested', {}, hourUs, ['09:00', '09:00', '10:00']],
    ['leaves out what has no results', { first: at('09:50') }, quarterHourUs, ['09:45', '09:00', '10:15']],
    ['takes nothing without results that have rested', { first: null }, quarterHourUs, null],
    ['takes nothing before the first of them', { first: null, mergedUntil: 0 }, quarterHourUs, null],
    ['takes nothing of a monitor with few results', { single: null }, quarterHourUs, null],
    ['keeps the newest ones single', { single: at('09:44:59') }, quarterHourUs, ['09:00', '09:00', '09:30']],
    ['may end where they begin', { single: at('09:45') }, quarterHourUs, ['09:00', '09:00', '09:45']],
    ['takes nothing if they begin in its first bucket', { single: at('09:14') }, quarterHourUs, null],
    ['keeps what is not folded', { unfolded: at('09:31') }, quarterHourUs, ['09:00', '09:00', '09:30']],
    ['takes nothing if nothing is folded', { unfolded: at('09:00:03') }, quarterHourUs, null],
    ['takes whole buckets of about so many', { beyond: at('09:40') }, quarterHourUs, ['09:00', '09:00', '09:30']],
    ['takes one bucket that has more', { beyond: at('09:10') }, quarterHourUs, ['09:00', '09:00', '09:15']],
    [
      'begins with what is merged already of an hour',
      { mergedUntil: at('08:30'), first: at('08:31') },
      hourUs,
      ['08:00', '08:30', '10:00'],
    ],
    ['takes no hour that is merged', { mergedUntil: at('10:00'), first: at('09:30') }, hourUs, null],
    ['waits for the end of that hour', { mergedUntil: at('09:30'), first: at('10:01') }, hourUs, null],
  ]
  for (const [name, facts, bucketUs, expected] of cases)
    it(name, () => {
      const span = decideSpan({ ...usual, ...facts }, { nowUs, bucketUs })
      assert.deepEqual(span === null ? null : [span.start, span.from, span.until], expected?.map(at) ?? null)
    })

  it('stays within a day, and says that there is more', () => {
    const yesterday = at('23:50') - 24 * hourUs
    const span = decideSpan({ ...usual, mergedUntil: 0, first: yesterday }, { nowUs, bucketUs: quarterHourUs })
    assert.deepEqual(span, { start: at('23:45') - 24 * hourUs, from: 0, until: at('00:00'), hasMore: true })
  })

  it('says that there is no more', () => {
    assert.equal(decideSpan(usual, { nowUs, bucketUs: quarterHourUs })?.hasMore, false)
  })

  it('leaves two hours and five minutes to results that are late', () => {
    assert.equal(restingUntil(at('12:19:59')), at('10:00'))
    assert.equal(restingUntil(at('12:20')), at('10:15'))
  })
})

describe('the next look at a monitor', () => {
  const span: MergeSpan = { start: at('10:00'), from: at('10:00'), until: at('10:15'), hasMore: false }
  const cases: [name: string, span: MergeSpan | null, expected: string][] = [
    ['comes when its next quarter-hour has rested, at a moment of its own', span, '12:35:07'],
    ['comes at once when there is more', { ...span, hasMore: true }, '12:20'],
    ['comes a quarter-hour later when it is slow', { ...span, until: at('08:00') }, '12:35'],
    ['comes a quarter-hour later when it is just in time', { ...span, until: at('10:00') }, '12:35'],
    ['comes an hour later when there was nothing', null, '13:20'],
  ]
  for (const [name, merged, expected] of cases)
    it(name, () => assert.equal(nextLook({ key: 847, span: merged }, nowUs), at(expected)))
})

describe('hours', () => {
  it('are shown as one result a day after they ended', () => {
    assert.deepEqual(hourlyUntil(new Date('2026-11-21T12:59:59.999Z')), new Date('2026-11-20T12:00:00Z'))
    assert.deepEqual(hourlyUntil(new Date('2026-11-21T13:00:00Z')), new Date('2026-11-20T13:00:00Z'))
  })

  it('of a day that may be rewritten are shown so already', () => {
    for (const now of ['2026-11-21T00:05:00Z', '2026-11-21T13:30:00Z', '2026-11-21T23:59:59Z'].map(
      (text) => new Date(text),
    )) {
      assert.ok(mayRewrite('2026-11-19', now))
      assert.ok(hourlyUntil(now) >= new Date('2026-11-20T00:00:00Z'))
    }
  })
})

describe('days', () => {
  it('are rewritten once the last 24 hours, by any clock, do not reach into them', () => {
    assert.equal(mayRewrite('2026-11-19', new Date('2026-11-21T00:04:59Z')), false)
    assert.equal(mayRewrite('2026-11-19', new Date('2026-11-21T00:05:00Z')), true)
    assert.equal(mayRewrite('2026-11-20', new Date('2026-11-21T23:59:59Z')), false)
  })

  it('are forgotten when their last result is as old as it may get', () => {
    const now = new Date('2026-11-21T00:00:00Z')
    assert.equal(mayForget('2026-11-18', { now, resultDays: 2 }), true)
    assert.equal(mayForget('2026-11-19', { now, resultDays: 2 }), false)
    assert.equal(mayForget('2026-11-18', { now: new Date(now.getTime() - 1), resultDays: 2 }), false)
  })
})

function at(time: string): number {
  return new Date(`2026-11-21T${time.length === 5 ? `${time}:00` : time}Z`).getTime() * 1000
}
