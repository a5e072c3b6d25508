import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Result } from '#core/results/result.ts'
import { createRejectedLines } from './rejected-lines.ts'

const result = (round: number): Result => ({ monitorId: 'm', version: 1, round, location: 'here', verdict: null })
const line = (round: number): object => ({ monitor_id: 'm', round, location: 'here', reason: 'why' })

it('a result that is set aside is told at once, and then in ten seconds with how many there were', () => {
  const said: unknown[] = []
  let nowMs = 5
  const warn = (message: string, details: Record<string, unknown> = {}): void => void said.push([message, details])
  const tell = createRejectedLines({ warn }, { steadyMs: () => nowMs })
  tell('why', result(1))
  tell('why', result(2))
  nowMs += 9_999
  tell('why', result(3))
  assert.deepEqual(said, [['A result was set aside.', line(1)]])
  nowMs += 1
  tell('why', result(4))
  tell('why', result(5))
  assert.deepEqual(said.slice(1), [['A result was set aside.', { ...line(4), times: 3 }]])
})
