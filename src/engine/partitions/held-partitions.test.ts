import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createHeldPartitions } from './held-partitions.ts'

it('a partition is held from its taking on, and watched only once its monitors are read and until it is lost', () => {
  let epoch: number | null = 1
  const leaseOf = (partition: number) => (epoch === null ? undefined : { partition, epoch })
  const held = createHeldPartitions({ leaseOf })
  const stands = (): boolean[] => [held.isHeld(5), held.isWatched(5)]
  assert.deepEqual(stands(), [true, false])
  held.watch([5, 1])
  assert.deepEqual(stands(), [true, true])
  epoch = 2
  assert.deepEqual(stands(), [false, false])
  held.forget(5)
  assert.deepEqual(stands(), [true, false])
  epoch = null
  assert.deepEqual(stands(), [false, false])
})
