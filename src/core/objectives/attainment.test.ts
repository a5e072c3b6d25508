import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  allowedShare,
  dayMs,
  measure,
  type Measured,
  measuredFrom,
  partsOf,
  stateOf,
  sumWithin,
  type Timeline,
} from './attainment.ts'
import { type Span, type Spans, unionOf } from './spans.ts'

const hourMs = 3_600_000
const now = Date.parse('2026-11-21T10:00:00Z')
const target = { objective: 99.9, windowDays: 30 }

/** Hours before now. */
function ago(from: number, until: number): Span {
  return [now - from * hourMs, now - until * hourMs]
}

function monitorWith(change: Partial<Timeline> = {}): Measured {
  const known = { monitorId: 'm', name: 'Shop', sinceMs: 0, down: [], unknown: [], maintenance: [] }
  return measure({ ...known, ...change }, [now - 90 * dayMs, now])
}

/** When the budget ends of a monitor that has been down for so long. */
function endOf(downMs: number): string | null | undefined {
  return stateOf(target, [monitorWith({ down: [[now - downMs, now]] })], now).budget?.ends_at
}

describe('the state of an objective', () => {
  it('is full without outages', () => {
    const state = stateOf(target, [monitorWith()], now)
    assert.equal(state.attained, 100)
    assert.equal(state.is_met, true)
    assert.equal(state.measured_from, '2026-10-22T10:00:00.000Z')
    assert.deepEqual(state.budget, {
      total_seconds: 2592,
      used_seconds: 0,
      left_seconds: 2592,
      left_percent: 100,
      ends_at: null,
    })
    assert.deepEqual(state.burn_rates, { '1h': 0, '6h': 0, '24h': 0, '3d': 0 })
  })

  it('is unknown where nothing is measured', () => {
    for (const monitors of [[], [monitorWith({ unknown: [[0, now]] })], [monitorWith({ sinceMs: now })]])
      assert.deepEqual(stateOf(target, monitors, now), {
        measured_from: null,
        measured_seconds: 0,
        down_seconds: 0,
        attained: null,
        is_met: null,
        budget: null,
        burn_rates: { '1h': null, '6h': null, '24h': null, '3d': null },
      })
  })

  it('is met to the millisecond, and its percent is never rounded up', () => {
    const exactly = stateOf(target, [monitorWith({ down: [[now - 2_592_000, now]] })], now)
    assert.deepEqual([exactly.attained, exactly.is_met, exactly.budget?.left_seconds], [99.9, true, 0])
    const more = stateOf(target, [monitorWith({ down: [[now - 2_592_001, now]] })], now)
    assert.deepEqual([more.attained, more.is_met], [99.8999, false])
  })

  it('leaves maintenance out to the second: over the edges of outages, of the window, and of each other', () => {
    const down: Spans = [ago(721, 719), ago(50, 40), ago(10, 9.5)]
    const maintenance = unionOf([ago(722, 719.5), ago(48, 45), ago(46, 42), ago(9.75, 9)])
    const state = stateOf(target, [monitorWith({ down, maintenance })], now)
    assert.equal(state.down_seconds, (0.5 + 2 + 2 + 0.25) * 3600)
    assert.equal(state.measured_seconds, (720 - 0.5 - 6 - 0.75) * 3600)
  })

  it('counts an outage in a pause neither as down nor as up', () => {
    const state = stateOf(target, [monitorWith({ down: [ago(5, 3)], unknown: [ago(4, 2)] })], now)
    assert.deepEqual([state.down_seconds, state.measured_seconds], [3600, 718 * 3600])
  })

  it('measures since the first part of the window, although an earlier part was measured too', () => {
    const state = stateOf(target, [monitorWith({ unknown: [ago(2000, 700)] })], now)
    assert.equal(state.measured_from, new Date(now - 700 * hourMs).toISOString())
    const within = stateOf(target, [monitorWith({ unknown: [ago(721, 700), ago(600, 500)] })], now)
    assert.equal(within.measured_from, new Date(now - 700 * hourMs).toISOString())
  })

  it('is not measured by what only touches the window', () => {
    const window: Span = [now - 30 * dayMs, now]
    const [before, after] = [monitorWith(), monitorWith()]
    before.measured = [ago(1000, 720)]
    after.measured = [[now, now + 1]]
    const touching = [before, after]
    assert.equal(measuredFrom(touching, window), null)
  })

  it('ends when nothing is left, and not at once when all is gone', () => {
    assert.equal(endOf(2_592_000), null)
    assert.equal(endOf(2_591_999), '2026-11-21T10:00:00.033Z')
  })

  it('burns over each time of its own', () => {
    const { burn_rates: rates, budget } = stateOf(target, [monitorWith({ down: [ago(72, 71), ago(6, 5.5)] })], now)
    assert.deepEqual(rates, { '1h': 0, '6h': 83.33, '24h': 20.83, '3d': 20.83 })
    assert.equal(budget?.used_seconds, 1.5 * 3600)
  })

  it('measures a younger monitor since it is there, and the budget is that of the measured time', () => {
    const state = stateOf(target, [monitorWith({ sinceMs: now - 10 * hourMs })], now)
    assert.deepEqual([state.measured_from, state.budget?.total_seconds], ['2026-11-21T00:00:00.000Z', 36])
  })

  it('sums the time of several monitors', () => {
    const monitors = [monitorWith({ down: [ago(2, 1)] }), monitorWith({ sinceMs: now - hourMs * 30 })]
    const state = stateOf({ objective: 99, windowDays: 30 }, monitors, now)
    assert.deepEqual([state.measured_seconds, state.down_seconds], [750 * 3600, 3600])
    assert.equal(state.budget?.left_percent, 86.66)
  })

  it('says when the budget ends if the last day goes on', () => {
    const twice = stateOf(target, [monitorWith({ down: [[now - 172_800, now]] })], now)
    assert.equal(twice.burn_rates['24h'], 2)
    assert.equal(twice.budget?.ends_at, new Date(now + 14 * dayMs).toISOString())
    const lasting = stateOf(target, [monitorWith({ down: [[now - 86_400, now]] })], now)
    assert.equal(lasting.budget?.ends_at, null)
  })

  it('says who took what of the budget, the most first', () => {
    const down: Spans = [[now - 1_296_000, now]]
    const monitors = [monitorWith({ name: 'Blog' }), monitorWith({ name: 'Shop', down })]
    assert.deepEqual(
      partsOf(target, monitors, now).map(({ name, down_seconds: seconds, budget_percent: part }) => [
        name,
        seconds,
        part,
      ]),
      [
        ['Shop', 1296, 25],
        ['Blog', 0, 0],
      ],
    )
  })

  it('says that no part of a budget is taken while nothing was measured', () => {
    const [part] = partsOf(target, [{ ...monitorWith({}), measured: [] }], now)
    assert.equal(part?.budget_percent, 0)
  })

  it('allows what an objective of three decimals leaves', () => {
    assert.deepEqual([50, 99, 99.9, 99.95, 99.999].map(allowedShare), [0.5, 0.01, 0.001, 0.0005, 0.00001])
  })
})

describe('what was measured', () => {
  const seconds = 400
  const window: Span = [100_000, 300_000]
  const spans = fc.array(fc.tuple(fc.nat(seconds), fc.nat(60)), { maxLength: 8 })

  it('is what a second-by-second count says, whatever overlaps', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ down: spans, unknown: spans, maintenance: spans, since: fc.nat(seconds) }), {
          maxLength: 4,
        }),
        fc.nat(seconds),
        fc.nat(seconds),
        (stories, one, other) => {
          const inner: Span = [Math.min(one, other) * 1000, Math.max(one, other) * 1000]
          const timelines = stories.map((story, index) => ({
            monitorId: String(index),
            name: '',
            sinceMs: story.since * 1000,
            down: toSpans(story.down),
            unknown: toSpans(story.unknown),
            maintenance: unionOf(toSpans(story.maintenance)),
          }))
          const monitors = timelines.map((timeline) => measure(timeline, window))
          assert.deepEqual(sumWithin(monitors, inner), countOf(timelines, inner))
        },
      ),
      { numRuns: 500 },
    )
  })

  function countOf(timelines: readonly Timeline[], inner: Span): { measuredMs: number; downMs: number } {
    const count = { measuredMs: 0, downMs: 0 }
    for (const { sinceMs, down, unknown, maintenance } of timelines)
      for (let at = 0; at < (seconds + 100) * 1000; at += 1000) {
        if (at < sinceMs || !isIn([window], at) || !isIn([inner], at)) continue
        if (isIn(unknown, at) || isIn(maintenance, at)) continue
        count.measuredMs += 1000
        if (isIn(down, at)) count.downMs += 1000
      }
    return count
  }
})

/** Begins and lengths in seconds. */
function toSpans(given: [number, number][]): Span[] {
  return given.map(([from, length]) => [from * 1000, (from + length) * 1000])
}

function isIn(spans: Spans, at: number): boolean {
  return spans.some(([from, until]) => from <= at && at < until)
}
