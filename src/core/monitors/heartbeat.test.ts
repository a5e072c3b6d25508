import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  callOf,
  deadlineAfterCall,
  deadlineAfterJump,
  deadlineAfterMiss,
  missedVerdict,
  verdictOfCall,
  webhookCall,
  withNote,
} from './heartbeat.ts'

const nightly = { expression: '30 2 * * *', timeZone: 'Europe/Vienna' }

function microseconds(time: string): number {
  return Date.parse(time) * 1000
}

describe('a call to a heartbeat address', () => {
  const cases = [
    [null, '', { type: 'succeeded', exitCode: null, note: null }],
    [null, 'ignored', { type: 'succeeded', exitCode: null, note: null }],
    ['fail', '', { type: 'failed', exitCode: null, note: null }],
    ['fail', 'disk full', { type: 'failed', exitCode: null, note: 'disk full' }],
    ['start', '', { type: 'started' }],
    ['log', 'line 1', { type: 'logged' }],
    ['0', '', { type: 'succeeded', exitCode: 0, note: null }],
    ['1', 'out', { type: 'failed', exitCode: 1, note: 'out' }],
    ['255', '', { type: 'failed', exitCode: 255, note: null }],
    ['256', '', null],
    ['-1', '', null],
    ['1e2', '', null],
    ['failed', '', null],
    ['', '', null],
  ] as const
  for (const [suffix, body, expected] of cases)
    it(`/${suffix ?? ''} with "${body}" is ${expected?.type ?? 'no call'}`, () => {
      const call = callOf(suffix)
      assert.deepEqual(call === null ? null : withNote(call, body), expected)
    })

  it('keeps at most 500 characters of the body', () => {
    const failed = { type: 'failed', exitCode: null, note: null } as const
    assert.deepEqual(withNote(failed, 'x'.repeat(10_000)), { ...failed, note: 'x'.repeat(500) })
  })
})

describe('a webhook call', () => {
  const cases = [
    ['', {}, 'up'],
    ['not json', {}, 'up'],
    ['{"status":"up"}', {}, 'up'],
    ['{"status":"down"}', {}, 'down'],
    ['{"status":"degraded"}', {}, 'degraded'],
    ['{"status":"DOWN"}', {}, 'up'],
    ['{"state":"down"}', {}, 'up'],
    ['{"a":{"ok":true}}', { json_path: 'a.ok', expected_value: true }, 'up'],
    ['{"a":{"ok":false}}', { json_path: 'a.ok', expected_value: true }, 'down'],
    ['{"a":{"ok":"true"}}', { json_path: 'a.ok', expected_value: true }, 'down'],
    ['{"a":{}}', { json_path: 'a.ok', expected_value: true }, 'up'],
    ['{"state":"down"}', { json_path: 'state' }, 'down'],
  ] as const
  for (const [body, expectation, expected] of cases)
    it(`with ${body} and ${JSON.stringify(expectation)} says ${expected}`, () => {
      assert.equal(verdictOfCall(webhookCall(body, expectation), null)?.status, expected)
    })

  it('counts what is nested too deeply to be shown whole', () => {
    const deep = '{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)
    const call = webhookCall(deep, { json_path: 'a', expected_value: true })
    assert.deepEqual(call, { type: 'told', status: 'down', note: `a is ${'{"a":'.repeat(39)}{"...` })
  })

  it('never throws, whatever the body is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (body, path) => {
        verdictOfCall(webhookCall(body, { json_path: path }), null)
      }),
    )
  })
})

describe('the verdict of a call', () => {
  it('tells where it came from, and how long the run took', () => {
    assert.equal(verdictOfCall({ type: 'started' }, null), null)
    const up = verdictOfCall({ type: 'succeeded', exitCode: 0, note: null }, 4_200)
    assert.deepEqual([up?.status, up?.latencyMs, up?.details], ['up', 4_200, { source: 'ping', exit_code: 0 }])
    const down = verdictOfCall({ type: 'failed', exitCode: 3, note: 'disk full' }, null)
    assert.deepEqual(down?.details, { source: 'fail', exit_code: 3, note: 'disk full' })
    assert.equal(down?.error, 'The run reported a failure with exit code 3')
    const rhythm = { intervalSeconds: 60, graceSeconds: 30, schedule: null }
    assert.equal(missedVerdict(rhythm).error, 'No call came within 90 seconds')
    const missed = missedVerdict({ ...rhythm, schedule: nightly }).error
    assert.equal(missed, 'No call came within 30 seconds of its scheduled time')
  })

  const week = 7 * 86_400_000
  for (const [sinceStart, latency] of [
    [0, 0],
    [week, week],
    [week + 1, null],
    [-1, null],
    [null, null],
  ] as const)
    it(`${sinceStart ?? 'without a'} ms after the start took ${latency ?? 'an unknown time'}`, () => {
      for (const call of [
        { type: 'succeeded', exitCode: null, note: null },
        { type: 'failed', exitCode: 1, note: null },
        { type: 'told', status: 'degraded', note: null },
      ] as const)
        assert.equal(verdictOfCall(call, sinceStart)?.latencyMs, latency)
    })

  const run = { maxSeconds: 60, minSeconds: 5 }
  for (const [tookMs, limits, error] of [
    [60_000, run, null],
    [60_001, run, 'The run took 60001 ms, more than 60 seconds'],
    [5_000, run, null],
    [4_999, run, 'The run took 4999 ms, less than 5 seconds'],
    [4_999, { ...run, minSeconds: null }, null],
    [60_001, { ...run, maxSeconds: null }, null],
    [null, run, null],
  ] as const)
    it(`of ${tookMs} ms within ${limits.minSeconds} to ${limits.maxSeconds} s is ${error ?? 'right'}`, () => {
      const told = verdictOfCall({ type: 'succeeded', exitCode: null, note: null }, tookMs, limits)
      assert.deepEqual([told?.status, told?.error], [error === null ? 'up' : 'degraded', error])
      assert.equal(verdictOfCall({ type: 'failed', exitCode: 1, note: null }, tookMs, limits)?.status, 'down')
    })

  it('takes the time that the call tells before that since its start', () => {
    for (const type of ['succeeded', 'failed'] as const)
      assert.equal(verdictOfCall({ type, exitCode: 1, note: null, tookMs: 5 }, 4_200)?.latencyMs, 5)
  })

  it('is due one interval and one grace after a call, and one interval after a miss', () => {
    const rhythm = { intervalSeconds: 60, graceSeconds: 30, schedule: null }
    assert.equal(deadlineAfterCall(1_000_000, rhythm), 91_000_000)
    assert.equal(deadlineAfterMiss(91_000_000, rhythm), 151_000_000)
  })

  describe('of a schedule', () => {
    const rhythm = { intervalSeconds: 60, graceSeconds: 1800, schedule: nightly }

    for (const [what, at, deadline] of [
      ['in the day', '2026-11-28T09:00:00Z', '2026-11-29T02:00:00Z'],
      ['just before its time', '2026-11-29T01:29:59.999Z', '2026-11-29T02:00:00Z'],
      ['at its time', '2026-11-29T01:30:00Z', '2026-11-30T02:00:00Z'],
      ['within the grace', '2026-11-29T01:45:00Z', '2026-11-30T02:00:00Z'],
    ] as const)
      it(`is due at its next time after a call ${what}, and the grace later`, () => {
        assert.equal(deadlineAfterCall(microseconds(at), rhythm), microseconds(deadline))
      })

    it('is due at the time after the one that was missed, and at each one of those within a long grace', () => {
      assert.equal(
        deadlineAfterMiss(microseconds('2026-11-29T02:00:00Z'), rhythm),
        microseconds('2026-11-30T02:00:00Z'),
      )
      const often = { ...rhythm, schedule: { expression: '*/10 * * * *', timeZone: 'UTC' } }
      assert.equal(deadlineAfterMiss(microseconds('2026-11-29T02:00:00Z'), often), microseconds('2026-11-29T02:10:00Z'))
    })

    it('is missed at its next time where that was put off', () => {
      assert.equal(
        deadlineAfterMiss(microseconds('2026-11-29T09:12:34Z'), rhythm),
        microseconds('2026-11-30T02:00:00Z'),
      )
    })

    for (const [what, lastAt, by, now, deadline] of [
      ['a little ahead', '2026-11-28T01:30:20Z', 1, '2026-11-28T12:00:01Z', '2026-11-29T02:00:00Z'],
      ['ahead over its time', '2026-11-28T22:30:20Z', 3 * 3600, '2026-11-29T04:00:00Z', '2026-11-30T02:00:00Z'],
      [
        'ahead, as of a machine that slept',
        '2026-11-28T01:30:20Z',
        8 * 3600,
        '2026-11-29T07:00:00Z',
        '2026-11-29T07:30:00Z',
      ],
      ['back', '2026-11-29T04:30:20Z', -3 * 3600, '2026-11-29T02:00:00Z', '2026-11-30T02:00:00Z'],
    ] as const)
      it(`after a clock was set ${what} is due after the present time of the last call`, () => {
        const jump = { lastAt: microseconds(lastAt), by: by * 1_000_000, now: microseconds(now) }
        assert.equal(deadlineAfterJump(jump, rhythm), microseconds(deadline))
      })
  })
})
