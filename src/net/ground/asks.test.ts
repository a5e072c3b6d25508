import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAsks, type Said } from './asks.ts'

type Case = {
  what: string
  /** When each ask began, and when each of its references answered. */
  asks: { atMs: number; asked: string[]; answers?: Record<string, number> }[]
  sinceMs: number
  nowMs: number
  own?: string[]
  expected: Said
}

const cases: Case[] = [
  {
    what: 'nothing where none was asked',
    asks: [],
    sinceMs: 0,
    nowMs: 9_000,
    expected: { isAsked: false, isAnswered: false, silentMs: 0, brokenSilenceMs: 0, slowestMs: 0, isPending: false },
  },
  {
    what: 'an answer, and the moment it took',
    asks: [{ atMs: 1_000, asked: ['a'], answers: { a: 1_020 } }],
    sinceMs: 0,
    nowMs: 9_000,
    expected: { isAsked: true, isAnswered: true, silentMs: 20, brokenSilenceMs: 20, slowestMs: 20, isPending: false },
  },
  {
    what: 'silence from the first ask without an answer to the next answer',
    asks: [
      { atMs: 1_000, asked: ['a'], answers: { a: 1_020 } },
      { atMs: 2_000, asked: ['a', 'b'] },
      { atMs: 3_000, asked: ['a', 'b'] },
      { atMs: 6_000, asked: ['a', 'b'], answers: { b: 6_010 } },
    ],
    sinceMs: 0,
    nowMs: 9_000,
    expected: {
      isAsked: true,
      isAnswered: true,
      silentMs: 4_010,
      brokenSilenceMs: 4_010,
      slowestMs: 7000,
      isPending: true,
    },
  },
  {
    what: 'silence that lasts',
    asks: [
      { atMs: 1_000, asked: ['a'] },
      { atMs: 2_000, asked: ['a'] },
    ],
    sinceMs: 1_500,
    nowMs: 4_500,
    expected: {
      isAsked: true,
      isAnswered: false,
      silentMs: 3_500,
      brokenSilenceMs: 0,
      slowestMs: 2500,
      isPending: true,
    },
  },
  {
    what: 'no silence that was over before',
    asks: [
      { atMs: 1_000, asked: ['a'] },
      { atMs: 5_000, asked: ['a'], answers: { a: 5_010 } },
      { atMs: 7_000, asked: ['a'], answers: { a: 7_010 } },
    ],
    sinceMs: 6_000,
    nowMs: 9_000,
    expected: { isAsked: true, isAnswered: true, silentMs: 10, brokenSilenceMs: 10, slowestMs: 10, isPending: false },
  },
  {
    what: 'the word of a late answer, which shows that its ask was heard',
    asks: [{ atMs: 1_000, asked: ['a'], answers: { a: 3_500 } }],
    sinceMs: 0,
    nowMs: 9_000,
    expected: {
      isAsked: true,
      isAnswered: true,
      silentMs: 2_500,
      brokenSilenceMs: 2_500,
      slowestMs: 2500,
      isPending: false,
    },
  },
  {
    what: 'an answer at the very moment, to an ask at the very moment',
    asks: [
      { atMs: 1_000, asked: ['a'], answers: { a: 1_000 } },
      { atMs: 3_000, asked: ['a'], answers: { a: 3_000 } },
    ],
    sinceMs: 1_000,
    nowMs: 9_000,
    expected: { isAsked: true, isAnswered: true, silentMs: 0, brokenSilenceMs: 0, slowestMs: 0, isPending: false },
  },
  {
    what: 'no silence that ended at the very moment',
    asks: [{ atMs: 1_000, asked: ['a'], answers: { a: 2_000 } }],
    sinceMs: 2_000,
    nowMs: 9_000,
    expected: { isAsked: false, isAnswered: false, silentMs: 0, brokenSilenceMs: 0, slowestMs: 0, isPending: false },
  },
  {
    what: 'no longer silence where a later ask is answered first',
    asks: [
      { atMs: 1_000, asked: ['a'], answers: { a: 5_000 } },
      { atMs: 2_000, asked: ['a'], answers: { a: 2_010 } },
    ],
    sinceMs: 0,
    nowMs: 9_000,
    expected: {
      isAsked: true,
      isAnswered: true,
      silentMs: 1_010,
      brokenSilenceMs: 1_010,
      slowestMs: 4_000,
      isPending: false,
    },
  },
  {
    what: 'nothing by the target itself',
    asks: [{ atMs: 1_000, asked: ['a'], answers: { a: 1_010 } }],
    sinceMs: 0,
    nowMs: 9_000,
    own: ['a'],
    expected: { isAsked: false, isAnswered: false, silentMs: 0, brokenSilenceMs: 0, slowestMs: 0, isPending: false },
  },
  {
    what: 'what others say, beside the target itself',
    asks: [{ atMs: 1_000, asked: ['a', 'b'], answers: { a: 1_010 } }],
    sinceMs: 0,
    nowMs: 5_000,
    own: ['a'],
    expected: {
      isAsked: true,
      isAnswered: false,
      silentMs: 4_000,
      brokenSilenceMs: 0,
      slowestMs: 4000,
      isPending: true,
    },
  },
]

describe('what references said', () => {
  for (const { what, asks, sinceMs, nowMs, own = [], expected } of cases)
    it(`is ${what}`, () => {
      const isOwn = own.includes.bind(own)
      let clockMs = 0
      const remembered = createAsks(() => clockMs)
      for (const { atMs, asked, answers = {} } of asks) {
        clockMs = atMs
        const ask = remembered.begin('public', asked)
        for (const [reference, answeredMs] of Object.entries(answers)) ask.answers.set(reference, answeredMs)
      }
      clockMs = nowMs
      assert.deepEqual(remembered.since(sinceMs, 'public', isOwn), expected)
      assert.deepEqual(remembered.since(sinceMs, 'private', isOwn), {
        isAsked: false,
        isAnswered: false,
        silentMs: 0,
        brokenSilenceMs: 0,
        slowestMs: 0,
        isPending: false,
      })
    })

  it('is remembered of the last 360 asks', () => {
    let clockMs = 0
    const remembered = createAsks(() => clockMs)
    const begin = (): void => {
      remembered.begin('public', ['a'])
      clockMs += 1_000
    }
    for (let asks = 0; asks < 360; asks += 1) begin()
    assert.equal(remembered.since(0, 'public', () => false).slowestMs, 360_000)
    begin()
    assert.equal(remembered.since(0, 'public', () => false).slowestMs, 360_000, 'the first of them is forgotten')
  })
})
