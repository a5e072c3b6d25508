import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createOutageNotice } from './outage-notice.ts'

it('tells of an outage once, however long it lasts, and of the next one again', () => {
  const told: unknown[] = []
  let nowMs = 0
  const log = {
    warn: (message: string, details?: Record<string, unknown>) => void told.push([nowMs, message, details]),
  }
  const notice = createOutageNotice({ log, now: () => new Date(nowMs) })
  for (nowMs of [0, 1, 60_000, 120_000, 120_001, 180_002, 240_002]) notice(new Error('Connection terminated'))
  const message = 'Requests get 503, because the database cannot serve them.'
  const details = { error: 'Error: Connection terminated' }
  assert.deepEqual(told, [
    [0, message, details],
    [180_002, message, details],
  ])
})
