import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createMemoryRepair } from './memory-repair.ts'
import { createSerialQueue } from './serial-queue.ts'

function bench() {
  const steps: string[] = []
  const state = { nowMs: 0, watched: [1, 2], readsToFail: 0 }
  const memoryRepair = createMemoryRepair({
    serialQueue: createSerialQueue(),
    watched: () => state.watched,
    read: async (partitions) => {
      steps.push(`read ${partitions.join()}`)
      if (state.readsToFail === 0) return
      state.readsToFail -= 1
      throw new Error('no database')
    },
    now: () => state.nowMs,
  })
  const decide = (name: string): Promise<void> => memoryRepair.decide(async () => void steps.push(name))
  const fail = (): Promise<void> => memoryRepair.decide(() => Promise.reject(new Error('no answer')))
  return { state, steps, memoryRepair, decide, fail }
}

describe('the memory of an engine', () => {
  it('is read again, once, before anything is decided after work that failed', async () => {
    const { steps, decide, fail } = bench()
    await decide('first')
    const failed = fail()
    const second = decide('second')
    await assert.rejects(failed, /no answer/)
    await second
    await decide('third')
    assert.deepEqual(steps, ['first', 'read 1,2', 'second', 'third'])
  })

  it('stays in doubt while it cannot be read, and nothing is decided on it', async () => {
    const { state, steps, decide, fail } = bench()
    await assert.rejects(fail())
    state.readsToFail = 1
    await assert.rejects(decide('too early'), /no database/)
    await decide('then')
    assert.deepEqual(steps, ['read 1,2', 'read 1,2', 'then'])
  })

  it('is read of the partitions that are still watched, and no other is in doubt later', async () => {
    const { state, steps, decide, fail } = bench()
    await assert.rejects(fail())
    state.watched = [2, 3]
    await decide('now')
    state.watched = [1, 2, 3]
    await decide('later')
    assert.deepEqual(steps, ['read 2', 'now', 'later'])
  })

  it('leaves the database alone for half a second after a failure', async () => {
    const { state, memoryRepair, fail } = bench()
    assert.equal(memoryRepair.isTimely(0), true)
    state.nowMs = 1_000
    await assert.rejects(fail())
    assert.deepEqual([memoryRepair.isTimely(1_499), memoryRepair.isTimely(1_500)], [false, true])
  })
})
