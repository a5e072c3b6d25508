import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rarely } from './rare-warnings.ts'

const hourMs = 3_600_000

describe('a rare warning', () => {
  it('is said at once, and again an hour later with how often it came meanwhile', () => {
    let nowMs = 0
    const said: unknown[] = []
    const warn = rarely(
      (...words) => said.push([nowMs, ...words]),
      () => nowMs,
    )
    warn('no', { kind: 'ping' }, 1)
    warn('no', { kind: 'ping' }, 1)
    nowMs = hourMs - 1
    warn('no', { kind: 'ping' }, 5)
    warn('no', { kind: 'udp' }, 1)
    nowMs = hourMs
    warn('no', { kind: 'ping' }, 1)
    warn('no', { kind: 'ping' }, 1)
    assert.deepEqual(said, [
      [0, 'no', { kind: 'ping' }, 1],
      [hourMs - 1, 'no', { kind: 'udp' }, 1],
      [hourMs, 'no', { kind: 'ping' }, 7],
    ])
  })

  it('is the same one whatever round it is about, and names the round of which it is said', () => {
    const said: unknown[] = []
    const warn = rarely(
      (...words) => said.push(words),
      () => 0,
    )
    for (const round of [1, 2, 3]) warn('no', { monitor_id: `m${round}`, round, location: 'here' }, 1)
    warn('no', { monitor_id: 'm1', round: 1, location: 'there' }, 1)
    assert.deepEqual(said, [
      ['no', { monitor_id: 'm1', round: 1, location: 'here' }, 1],
      ['no', { monitor_id: 'm1', round: 1, location: 'there' }, 1],
    ])
  })

  it('is forgotten when a thousand others came after it', () => {
    let said = 0
    const warn = rarely(
      () => said++,
      () => 0,
    )
    const others = Array.from({ length: 1_000 }, (_, index) => `${index}`)
    for (const error of ['first', ...others, 'first', 'first']) warn('no', { error }, 1)
    assert.equal(said, 1_002)
  })
})
