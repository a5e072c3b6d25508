import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MonitorRecord } from './monitor.ts'
import { unknownSinceMs } from './unknown-since.ts'

const usual = {
  kind: 'http',
  status: 'enabled',
  current_status: 'up',
  interval_seconds: 60,
  timeout_ms: 5_000,
} as const

type Changes = Partial<Pick<MonitorRecord, keyof typeof usual>>

// Of a monitor: how long ago it was known, in seconds, and since how long it is unknown.
const cases: [what: string, changes: Changes, ageSeconds: number, since: number | null][] = [
  ['was just checked', {}, 0, null],
  ['is due', {}, 60, null],
  ['has a round that may still end', {}, 60 + 5 + 10 + 5, null],
  ['has a round that told nothing', {}, 60 + 5 + 10 + 5.001, 20.001],
  ['is down', { current_status: 'down' }, 90, 30],
  ['was never checked', { current_status: 'pending' }, 20.001, 20.001],
  ['has its first round', { current_status: 'pending' }, 20, null],
  ['is checked once a day', { interval_seconds: 86_400 }, 86_410, null],
  ['is paused', { status: 'paused' }, 9_000, null],
  ['waits for calls', { kind: 'heartbeat' }, 9_000, null],
  ['is a group', { kind: 'group' }, 9_000, null],
  ['takes longer by its kind', { kind: 'page_speed' }, 60 + 120 + 15, null],
  ['takes longer by its kind, and told nothing', { kind: 'page_speed' }, 60 + 120 + 16, 136],
]
for (const [what, changes, ageSeconds, since] of cases)
  it(`a monitor that ${what} is unknown ${since === null ? 'to nobody' : `for ${since} s`}`, () => {
    const nowMs = Date.parse('2026-03-01T12:00:00Z')
    const found = unknownSinceMs({ ...usual, ...changes }, { knownAtMs: nowMs - ageSeconds * 1000, nowMs })
    assert.equal(found === null ? null : (nowMs - found) / 1000, since)
  })
