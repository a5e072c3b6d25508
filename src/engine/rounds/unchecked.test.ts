import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { watchedWith } from '../../../test/support/scheduler.ts'
import { createUnchecked } from './unchecked.ts'
import type { Watched } from './watched.ts'

const dataMs = 1_000_000

function withData(changes: Parameters<typeof watchedWith>[0]): Watched {
  return Object.assign(watchedWith(changes), { dataMs })
}

function countAt(monitors: readonly Watched[], nowMs: number): number {
  return createUnchecked({ monitors: () => monitors, now: () => nowMs, onBegun: () => {} }).count()
}

describe('a monitor', () => {
  const patience: [intervalSeconds: number, ms: number][] = [
    [10, 300_000],
    [100, 300_000],
    [3_600, 10_800_000],
  ]
  for (const [intervalSeconds, ms] of patience)
    it(`is unchecked after more than ${ms / 1000} s without data where it is due every ${intervalSeconds} s`, () => {
      const monitors = [withData({ intervalSeconds }), withData({ intervalSeconds })]
      assert.deepEqual([countAt(monitors, dataMs + ms), countAt(monitors, dataMs + ms + 1)], [0, 2])
    })

  it('is never unchecked where no location checks it', () => {
    assert.equal(countAt([withData({ kind: 'heartbeat' }), withData({ kind: 'group' })], dataMs * 1_000), 0)
  })
})

it('the first monitor that is unchecked is told, not each, and again when all were checked meanwhile', () => {
  let monitors: Watched[] = []
  const told: number[] = []
  const unchecked = createUnchecked({
    monitors: () => monitors,
    now: () => dataMs + 300_001,
    onBegun: (count) => told.push(count),
  })
  for (const count of [1, 3, 2, 0, 0, 2]) {
    monitors = Array.from({ length: count }, () => withData({}))
    unchecked.look()
  }
  assert.deepEqual(told, [1, 2])
})
