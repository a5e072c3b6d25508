import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Lanes, createLanes } from './lanes.ts'

const workers = 64
const open = (limits: Record<string, number> = {}): Lanes =>
  createLanes({ workers, limits: new Map(Object.entries(limits)) })

/** Enters jobs of a lane until it is full, and says how many there was room for. */
function fill(lanes: Lanes, lane: string): number {
  let entered = 0
  while (!lanes.full().includes(lane) && entered < 2 * workers) {
    lanes.enter(lane)
    entered += 1
  }
  return entered
}

describe('the lanes of jobs', () => {
  it('are open as long as nothing runs in them', () => {
    const lanes = open({ mail: 4 })
    assert.deepEqual(lanes.full(), [])
    lanes.enter('mail')
    assert.deepEqual(lanes.full(), [])
  })

  it('give a lane that is stuck alone a fifth of the workers', () => {
    assert.equal(fill(open(), 'slow'), 13)
  })

  it('keep to the limit of a lane that has one', () => {
    assert.equal(fill(open({ mail: 4 }), 'mail'), 4)
  })

  it('leave workers free beside many that are stuck', () => {
    const lanes = open({ mail: 4 })
    let busy = fill(lanes, 'mail')
    for (let lane = 1; lane <= 12; lane += 1) busy += fill(lanes, `slow ${lane}`)
    assert.ok(busy < workers, `${busy} of ${workers} are busy`)
    assert.ok(!lanes.full().includes('another'))
  })

  it('open again when a job has ended, and forget lanes in which none runs', () => {
    const lanes = open({ mail: 1 })
    lanes.enter('mail')
    assert.deepEqual(lanes.full(), ['mail'])
    lanes.leave('mail')
    assert.deepEqual(lanes.full(), [])
  })

  it('count a job without a lane as busy alone', () => {
    const lanes = open()
    for (let job = 0; job < 40; job += 1) lanes.enter(null)
    assert.deepEqual(lanes.full(), [])
    assert.equal(fill(lanes, 'slow'), 5)
    for (let job = 0; job < 40; job += 1) lanes.leave(null)
    assert.deepEqual(lanes.full(), [])
  })
})
