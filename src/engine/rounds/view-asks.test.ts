import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RoundOutcome } from '#core/results/round.ts'
import { askAfter, askAgainMs, isAskDue, type ViewAsk } from './view-asks.ts'
import { verdictOf } from '../../../test/support/engine.ts'

const verdict = verdictOf({}) ?? assert.fail()
const report = { location: 'a', verdict }
const partial: RoundOutcome = { type: 'partial', report, locations: ['a'] }
const failed: RoundOutcome = { type: 'failed', report, locations: ['a'] }
const clean: RoundOutcome = { type: 'clean', report }
const undecided: RoundOutcome = { type: 'undecided', report }
const noData: RoundOutcome = { type: 'no_data' }
const asked = (what: string): ViewAsk => ({ failed: what, askedMs: 5 })
const fresh = (what: string): ViewAsk => ({ failed: what, askedMs: -Infinity })

type Case = {
  what: string
  before: ViewAsk | null
  outcome: RoundOutcome
  failures: string[]
  locations?: number
  after: ViewAsk | null
}

const cases: Case[] = [
  { what: 'a clean round', before: null, outcome: clean, failures: [], after: null },
  { what: 'a clean round after a rough one', before: asked('a'), outcome: clean, failures: [], after: null },
  { what: 'a failure that others do not see', before: null, outcome: partial, failures: ['a'], after: fresh('a') },
  { what: 'the same failure again', before: asked('a'), outcome: partial, failures: ['a'], after: asked('a') },
  { what: 'another one', before: asked('a'), outcome: partial, failures: ['b'], after: fresh('b') },
  {
    what: 'two, in whatever order they came',
    before: asked('a,b'),
    outcome: partial,
    failures: ['b', 'a'],
    after: asked('a,b'),
  },
  {
    what: 'a location that is degraded alone',
    before: asked('a'),
    outcome: partial,
    failures: [],
    after: null,
  },
  { what: 'a round that failed', before: asked('a'), outcome: failed, failures: ['a'], after: fresh('failed') },
  {
    what: 'one that failed again, by others that were faster',
    before: asked('failed'),
    outcome: failed,
    failures: ['b'],
    after: asked('failed'),
  },
  { what: 'a round that told nothing', before: asked('a'), outcome: noData, failures: [], after: asked('a') },
  { what: 'an undecided round', before: null, outcome: undecided, failures: ['a'], after: fresh('a') },
  { what: 'a monitor of one location', before: null, outcome: failed, failures: ['a'], locations: 1, after: null },
]

describe('when locations are asked for what they see', () => {
  for (const { what, before, outcome, failures, locations = 3, after } of cases)
    it(`after ${what}`, () => {
      const reports = failures.map((location) => ({ location }))
      assert.deepEqual(askAfter(before, { outcome, failures: reports, locations }), after)
    })

  it('once, and again after five minutes, whatever the clock does', () => {
    assert.equal(isAskDue(null, 0), false)
    assert.equal(isAskDue(fresh('a'), 0), true)
    const at = { failed: 'a', askedMs: 1_000_000 }
    for (const [nowMs, isDue] of [
      [1_000_000, false],
      [1_000_000 + askAgainMs - 1, false],
      [1_000_000 + askAgainMs, true],
      [1_000_000 - askAgainMs, true],
    ] as const)
      assert.equal(isAskDue(at, nowMs), isDue)
  })
})
