import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  callOf,
  deadlineAfterCall,
  deadlineAfterMiss,
  missedVerdict,
  verdictOfCall,
  webhookCall,
  withNote,
} from './heartbeat.ts'

describe('a call to a heartbeat address', () => {
  const cases = [
    [null, '', { type: 'succeeded', exitCode: null, note: null }],
    [null, 'ignored', { type: 'succeeded', exitCode: null, note: null }],
    ['fail', '', { type: 'failed', exitCode: null, note: null }],
    ['fail', 'disk full', { type: 'failed', exitCode: null, note: 'disk full' }],
    ['start', '', { type: 'started' }],
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
    assert.equal(missedVerdict(90).error, 'No call came within 90 seconds')
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

  it('takes the time that the call tells before that since its start', () => {
    for (const type of ['succeeded', 'failed'] as const)
      assert.equal(verdictOfCall({ type, exitCode: 1, note: null, tookMs: 5 }, 4_200)?.latencyMs, 5)
  })

  it('is due one interval and one grace after a call, and one interval after a miss', () => {
    const rhythm = { intervalSeconds: 60, graceSeconds: 30 }
    assert.equal(deadlineAfterCall(1_000_000, rhythm), 91_000_000)
    assert.equal(deadlineAfterMiss(91_000_000, rhythm), 151_000_000)
  })
})
