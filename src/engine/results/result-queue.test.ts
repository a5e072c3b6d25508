import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result } from '#core/results/result.ts'
import { createResultQueue } from './result-queue.ts'

function resultIn(partition: number): Result {
  const monitorId = `00000000-0000-4000-8000-0000000000${partition.toString(16).padStart(2, '0')}`
  return { monitorId, version: 1, round: 1, location: 'here', verdict: null }
}

describe('the queue of results', () => {
  it('hands back what belongs to another engine by now, and stores all that came with it', async () => {
    const queue = createResultQueue({ isHeld: (partition) => partition !== 2, now: () => 0 })
    const [ours, theirs, mixed, alsoOurs] = [[1], [2], [1, 2], [3]].map((partitions) =>
      queue.add(partitions.map(resultIn)),
    )
    const ends = Promise.allSettled([ours, theirs, mixed, alsoOurs])
    assert.deepEqual([queue.isDue(249), queue.isDue(250)], [false, true])
    const batch = queue.takeBatch()
    batch.acknowledge()
    assert.deepEqual(
      (await ends).map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(batch.results, [resultIn(1), resultIn(3)])
  })
})
