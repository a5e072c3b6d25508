import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exampleAlert } from './example-alert.ts'

const now = new Date('2026-11-21T10:12:00.000Z')
const begun = '2026-11-21T10:00:00.000Z'

it('the example of an outage tells of one that began twelve minutes ago', () => {
  const { timestamp, data } = exampleAlert('monitor.down', now)
  assert.deepEqual([timestamp, data.monitor.current_status, data.incident?.status], [begun, 'down', 'open'])
  assert.deepEqual([data.incident?.started_at, data.incident?.resolved_at], [begun, null])
  const error = 'The server answered 503.'
  assert.deepEqual(data.result, { status: 'down', status_code: 503, latency_ms: 87, location_code: 'local', error })
})

it('the example of a recovery tells of one that is over now', () => {
  const { timestamp, data } = exampleAlert('monitor.up', now)
  assert.deepEqual(
    [timestamp, data.monitor.current_status, data.incident?.status],
    [now.toISOString(), 'up', 'resolved'],
  )
  assert.deepEqual([data.incident?.started_at, data.incident?.resolved_at], [begun, now.toISOString()])
  assert.deepEqual(data.result, { status: 'up', status_code: 200, latency_ms: 87, location_code: 'local', error: null })
})
