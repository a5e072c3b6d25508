import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { limitProblems } from './option-limits.ts'

const long = 'a'.repeat(33).split('').join('.')
const tooLong = ['Must have at most 32 segments, separated by dots.']

describe('the JSON path of options', () => {
  it('is refused beyond its limit, wherever it stands', () => {
    assert.deepEqual(limitProblems({ json_path: long }, {}), { 'check_options.json_path': tooLong })
    assert.deepEqual(limitProblems({ steps: [{ json_path: 'a' }, { json_path: long }] }, {}), {
      'check_options.steps.1.json_path': tooLong,
    })
  })

  it('stays where the monitor had it before the limit', () => {
    assert.deepEqual(limitProblems({ json_path: long, max_latency_ms: 500 }, { json_path: long }), {})
    const before = { steps: [{ url: '/a', json_path: long }] }
    assert.deepEqual(limitProblems({ steps: [{ url: '/first' }, { url: '/b', json_path: long }] }, before), {})
  })

  it('may not be changed to another one beyond its limit', () => {
    const fields = limitProblems({ json_path: `b.${long}` }, { json_path: long })
    assert.deepEqual(fields, { 'check_options.json_path': tooLong })
  })
})
