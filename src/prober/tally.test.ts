import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTally, durationBounds } from './tally.ts'

const idle = { running: 0, waiting: 0, outbox: 0, stalls: 0 }

describe('the tally of a thread', () => {
  it('gathers checks of one kind, outcome and bucket, with their whole duration', () => {
    const tally = createTally()
    for (const seconds of [0.002, 0.01, 0.0101, 500]) tally.checked({ kind: 'http', status: 'up', seconds })
    tally.checked({ kind: 'http', status: 'down', seconds: 0.002 })
    tally.checked({ kind: 'tcp', status: 'up', seconds: 0.002 })
    assert.deepEqual(
      tally.take(idle)?.checks.map(({ kind, status, checks, seconds }) => [kind, status, checks, seconds]),
      [
        ['http', 'up', 2, 0.012],
        ['http', 'up', 1, 0.0101],
        ['http', 'up', 1, 500],
        ['http', 'down', 1, 0.002],
        ['tcp', 'up', 1, 0.002],
      ],
    )
  })

  it('begins anew when it was taken, and has nothing to say while nothing happens', () => {
    const tally = createTally()
    tally.checked({ kind: 'http', status: 'none', seconds: 1 })
    tally.refused(3)
    tally.dropped(4)
    const first = tally.take({ ...idle, stalls: 2 })
    assert.deepEqual([first?.refused, first?.dropped, first?.stalls], [3, 4, 2])
    assert.equal(tally.take({ ...idle, stalls: 2 }), null)
    assert.equal(tally.take({ ...idle, stalls: 3 })?.stalls, 1)
  })

  it('says when it is fuller or emptier than before', () => {
    const tally = createTally()
    assert.notEqual(tally.take(idle), null)
    assert.equal(tally.take(idle), null)
    assert.equal(tally.take({ ...idle, outbox: 7 })?.outbox, 7)
    assert.equal(tally.take({ ...idle, outbox: 7 }), null)
    assert.equal(tally.take(idle)?.outbox, 0)
  })

  it('has bounds that rise', () => {
    assert.deepEqual(
      durationBounds,
      durationBounds.toSorted((one, other) => one - other),
    )
  })
})
