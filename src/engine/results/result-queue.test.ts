import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Result } from '#core/results/result.ts'
import { createResultQueue } from './result-queue.ts'

function resultIn(partition: number): Result {
  const monitorId = `00000000-0000-4000-8000-0000000000${partition.toString(16).padStart(2, '0')}`
  return { monitorId, version: 1, round: 1, location: 'here', verdict: null }
}

function results(count: number): Result[] {
  return Array.from({ length: count }, () => resultIn(1))
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

  it('is due with 250 results, or when the first has waited for a quarter of a second', () => {
    let nowMs = 1_000
    const queue = createResultQueue({ isHeld: () => true, now: () => nowMs })
    const isDueAfter = (waitedMs: number): boolean => queue.isDue(1_000 + waitedMs)
    assert.deepEqual([isDueAfter(9_999), queue.waiting, queue.oldestMs], [false, 0, null])
    void queue.add(results(100))
    nowMs = 1_100
    void queue.add(results(149))
    assert.deepEqual([isDueAfter(249), isDueAfter(250), queue.waiting, queue.oldestMs], [false, true, 249, 1_000])
    void queue.add(results(1))
    assert.deepEqual([isDueAfter(100), queue.waiting], [true, 250])
  })

  const batches: [sizes: number[], taken: number][] = [
    [[1_999, 1, 1], 2_000],
    [[1_999, 5, 1], 2_004],
    [[3_000, 1], 3_000],
    [[1, 2, 3], 6],
  ]
  for (const [sizes, taken] of batches)
    it(`gives ${taken} of ${sizes.join(', ')} results, since messages stay whole, and keeps the others`, () => {
      const queue = createResultQueue({ isHeld: () => true, now: () => 0 })
      for (const size of sizes) void queue.add(results(size))
      const all = sizes.reduce((sum, size) => sum + size, 0)
      assert.equal(queue.takeBatch().results.length, taken)
      assert.equal(queue.waiting, all - taken)
      assert.equal(queue.takeBatch().results.length, all - taken)
      assert.deepEqual([queue.waiting, queue.oldestMs, queue.takeBatch().results], [0, null, []])
    })

  it('knows whether anybody waits for a result', () => {
    const queue = createResultQueue({ isHeld: () => true, now: () => 0 })
    void queue.add(results(1))
    assert.equal(queue.hasUrgent, false)
    void queue.add(results(1), { isUrgent: true })
    assert.equal(queue.hasUrgent, true)
    queue.takeBatch()
    assert.equal(queue.hasUrgent, false)
  })

  it('tells the senders of a batch that failed', async () => {
    const queue = createResultQueue({ isHeld: () => true, now: () => 0 })
    const added = queue.add(results(1))
    const cause = new Error('no database')
    queue.takeBatch().handBack(cause)
    await assert.rejects(added, { cause })
  })

  it('refuses what waits and what comes once it is closed', async () => {
    const queue = createResultQueue({ isHeld: () => true, now: () => 0 })
    const waiting = queue.add(results(300), { isUrgent: true })
    queue.close()
    await assert.rejects(waiting, /stopping/)
    await assert.rejects(queue.add(results(300), { isUrgent: true }), /stopping/)
    assert.deepEqual([queue.waiting, queue.hasUrgent, queue.oldestMs, queue.isDue(999)], [0, false, null, false])
  })
})
