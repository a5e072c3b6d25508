import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { describeDown } from './down.ts'

const shownSchema = z.array(z.object({ monitor: z.object({ id: z.string() }), incident: z.looseObject({}).nullable() }))
const at = new Date('2026-11-22T00:00:00Z')

function monitors(states: readonly string[]) {
  const rest = { kind: 'http', url: null, status: 'active', last_checked_at: null }
  return {
    data: states.map((state, index) => ({ id: `${index}`, name: `M ${index}`, current_status: state, ...rest })),
  }
}

function incident(monitorId: string, status: string) {
  const rest = { title: 'M is down', cause: null, started_at: at.toISOString() }
  return { id: `of ${monitorId}`, monitor_id: monitorId, status, ...rest }
}

describe('what is down', () => {
  it('stands before what is degraded, each with the incident that runs', () => {
    const incidents = { data: [incident('0', 'acknowledged'), incident('2', 'resolved'), incident('1', 'open')] }
    const { data, ...counts } = describeDown(monitors(['degraded', 'up', 'down', 'pending', 'down']), incidents, at)
    assert.deepEqual(counts, { at: at.toISOString(), monitors: 5, down: 2, degraded: 1, unknown: 0, shown: 3 })
    assert.deepEqual(
      shownSchema.parse(data).map(({ monitor, incident: running }) => [monitor.id, running?.['id'] ?? null]),
      [
        ['2', null],
        ['4', null],
        ['0', 'of 0'],
      ],
    )
  })

  it('stands before what nobody can tell, which is counted whatever was known last', () => {
    const { data: all } = monitors(['up', 'down', 'up'])
    const some = {
      data: all.map((monitor) => Object.assign(monitor, { unknown_since: monitor.id === '0' ? null : '2026' })),
    }
    const { data, ...counts } = describeDown(some, { data: [] }, at)
    assert.deepEqual(counts, { at: at.toISOString(), monitors: 3, down: 1, degraded: 0, unknown: 2, shown: 2 })
    assert.deepEqual(
      shownSchema.parse(data).map(({ monitor }) => monitor.id),
      ['1', '2'],
    )
  })

  it('is shown in part where it is much, and says how much it is', () => {
    const states = Array.from({ length: 150 }, (_, index) => (index < 100 ? 'degraded' : 'down'))
    const { data, ...counts } = describeDown(monitors(states), { data: [] }, at)
    assert.deepEqual(counts, { at: at.toISOString(), monitors: 150, down: 50, degraded: 100, unknown: 0, shown: 100 })
    assert.equal(shownSchema.parse(data)[49]?.monitor.id, '149')
    assert.equal(shownSchema.parse(data)[50]?.monitor.id, '0')
  })
})
