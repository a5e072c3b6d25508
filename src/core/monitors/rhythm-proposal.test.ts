import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dueAfter, scheduleProblem } from './call-schedule.ts'
import { callTimesOf, leastCalls, proposeRhythm } from './rhythm-proposal.ts'

const zone = 'Europe/Vienna'

/** The times of a schedule before this moment, each some minutes later; milliseconds since 1970. */
function callsOf(
  expression: string,
  { count, lateMinutes }: { count: number; lateMinutes: readonly number[] },
): number[] {
  let at = Date.parse('2026-02-10T00:00:00Z') * 1000
  return Array.from({ length: count }, (_, place) => {
    at = dueAfter({ expression, timeZone: zone }, at) ?? assert.fail()
    return at / 1000 + (lateMinutes[place % lateMinutes.length] ?? 0) * 60_000
  })
}

describe('the rhythm of calls', () => {
  for (const [expression, count, lateMinutes, proposed, graceSeconds] of [
    // Over the night in which clocks are set.
    ['30 2 * * *', 60, [1, 4, 2], '30 2 * * *', 360],
    ['30 2 * * 1-5', 30, [1, 4, 2], '30 2 * * 1,2,3,4,5', 360],
    ['0 23 * * 6', 10, [1, 40], '0 23 * * 6', 3600],
    ['55 23 * * *', 20, [0, 10], '55 23 * * *', 900],
    ['15 4 1 * *', 9, [2], '15 4 1 * *', 300],
    ['10 * * * *', 40, [0, 1], '10 * * * *', 300],
    ['*/15 * * * *', 40, [0, 1], '*/15 * * * *', 300],
    ['5,35 * * * *', 40, [0, 1], '5,35 * * * *', 300],
    ['*/5 * * * *', 24, [0, 1], '*/5 * * * *', 300],
  ] as const)
    it(`of ${expression} is found`, () => {
      const proposal = proposeRhythm(callsOf(expression, { count, lateMinutes }), zone)
      assert.deepEqual(proposal, {
        calls: count,
        interval_seconds: null,
        schedule: proposed,
        time_zone: zone,
        heartbeat_grace_seconds: graceSeconds,
      })
    })

  it('is found in spite of a run that came much later, and of none that is missing', () => {
    const calls = callsOf('30 2 * * *', { count: 40, lateMinutes: [1, 3] })
    const late = calls.map((call, place) => (place === 20 ? call + 5 * 3_600_000 : call))
    assert.equal(proposeRhythm(late, zone)?.schedule, '30 2 * * *')
    assert.equal(proposeRhythm(calls.toSpliced(10, 1), zone)?.schedule, '30 2 * * *')
  })

  it('is an interval where calls come evenly and at no set times', () => {
    const calls = Array.from({ length: 30 }, (_, place) => place * 7_000_000 + (place % 3) * 60_000)
    const proposal = proposeRhythm(calls, zone)
    assert.deepEqual(proposal, {
      calls: 30,
      interval_seconds: 7080,
      schedule: null,
      time_zone: null,
      heartbeat_grace_seconds: 300,
    })
  })

  it('is none of too few calls, nor of calls that come at random', () => {
    const nightly = callsOf('30 2 * * *', { count: leastCalls, lateMinutes: [1] })
    assert.notEqual(proposeRhythm(nightly, zone), null)
    assert.equal(proposeRhythm(nightly.slice(1), zone), null)
    const random = [0, 5, 6, 40, 41, 90, 200, 201, 202, 450, 460, 900].map((minutes) => minutes * 1_700_000)
    assert.equal(proposeRhythm(random, zone), null)
  })

  it('is one that can be set, whatever the calls', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4_000_000_000), { maxLength: 60 }), (times) => {
        const proposal = proposeRhythm(
          times.toSorted((a, b) => a - b).map((time) => time + 1.79e12),
          zone,
        )
        if (proposal === null) return
        const { interval_seconds: interval, schedule, heartbeat_grace_seconds: grace } = proposal
        assert.ok(grace >= 300 && grace <= 86_400)
        if (schedule === null) assert.ok(interval !== null && interval >= 60 && interval <= 86_400)
        else assert.equal(scheduleProblem({ expression: schedule, timeZone: zone }), null)
      }),
      { numRuns: 50 },
    )
  })

  it('is looked for at once, also in the most calls', () => {
    const calls = callsOf('*/5 * * * *', { count: 200, lateMinutes: [0, 1, 2, 3, 4] })
    proposeRhythm(calls, zone)
    const before = performance.now()
    proposeRhythm(calls, zone)
    const tookMs = performance.now() - before
    assert.ok(tookMs < 400, `It took ${tookMs} ms.`)
  })
})

describe('the times of calls', () => {
  const result = { latency_ms: null, repeats: 1, details: { source: 'ping' } }

  it('are those at which runs began, without what was merged, was missed or did not end', () => {
    const times = callTimesOf([
      { ...result, checked_at: '2026-11-28T12:00:00Z' },
      { ...result, checked_at: '2026-11-28T11:00:00Z', latency_ms: 60_000, details: { source: 'fail' } },
      { ...result, checked_at: '2026-11-28T10:30:00Z', details: { source: 'missed' } },
      { ...result, checked_at: '2026-11-28T10:20:00Z', details: { source: 'overrun' } },
      { ...result, checked_at: '2026-11-28T09:00:00Z', repeats: 3 },
      { ...result, checked_at: '2026-11-28T08:00:00Z' },
    ])
    assert.deepEqual(
      times.map((time) => new Date(time).toISOString()),
      ['2026-11-28T10:59:00.000Z', '2026-11-28T12:00:00.000Z'],
    )
  })
})
