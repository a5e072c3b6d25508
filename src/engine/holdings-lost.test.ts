import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Lease } from '#store/results/store-batch.ts'
import { createHeldPartitions } from '#engine/partitions/held-partitions.ts'
import { createHoldings } from '#engine/partitions/holdings.ts'
import { createSerialQueue } from '#engine/rounds/serial-queue.ts'
import type { Leases } from '#engine/partitions/leases.ts'
import { systemTime } from '#time/time.ts'
import { until } from '../../test/support/until.ts'

type Rows = Map<number, Lease>

function differing(from: Rows, to: Rows): Lease[] {
  return [...from.values()].filter(({ partition, epoch }) => to.get(partition)?.epoch !== epoch)
}

/** The test says what the next settling makes of the leases, and when a backlog ends. */
function bench() {
  let leases: Rows = new Map()
  let next: Rows = new Map()
  const caughtUp = new Map<number, () => void>()
  const steps: string[] = []
  const scripted: Leases = {
    leaseOf: (partition) => leases.get(partition),
    held: () => [...leases.keys()],
    settle: async () => {
      const before = leases
      leases = next
      const lost = differing(before, leases).map(({ partition }) => partition)
      return { taken: differing(leases, before), lost }
    },
    retire: async () => {
      leases = new Map()
    },
  }
  const held = createHeldPartitions(scripted)
  const holdings = createHoldings({
    time: systemTime,
    bus: {
      holdPartitions: ([partition = -1]) =>
        new Promise((resolve) => {
          caughtUp.set(partition, resolve)
        }),
      releasePartitions: async ([partition = -1]) => {
        const lease = held.leaseOf(partition)
        steps.push(`release ${partition}, ${lease === undefined ? 'not ours' : `of ${lease.epoch}`}`)
      },
    },
    leases: scripted,
    held,
    serialQueue: createSerialQueue(),
    read: async (partitions) => void steps.push(`read ${partitions.join()}`),
    drop: (partition) => void steps.push(`drop ${partition}`),
    onFailure: (error) => assert.fail(String(error)),
  })
  return {
    held,
    holdings,
    steps,
    catchUp: (partition: number) => caughtUp.get(partition)?.(),
    settleTo: (...wanted: [partition: number, epoch: number][]) => {
      next = new Map(wanted.map(([partition, epoch]) => [partition, { partition, epoch }]))
      return holdings.settle()
    },
  }
}

describe('a partition', () => {
  it('is watched once what its former owner left has been taken, and that is stored meanwhile', async () => {
    const { held, holdings, steps, catchUp, settleTo } = bench()
    await settleTo([5, 1])
    assert.deepEqual([held.watched(), steps], [[], []])
    assert.deepEqual(held.leaseOf(5), { partition: 5, epoch: 1 })
    catchUp(5)
    await holdings.settled()
    assert.deepEqual([held.watched(), steps], [[5], ['read 5']])
  })

  it('whose backlog does not end holds up no other', async () => {
    const { held, holdings, steps, catchUp, settleTo } = bench()
    await settleTo([5, 1], [6, 1], [7, 1])
    catchUp(5)
    catchUp(7)
    await until('the others are watched', async () => held.watched().length === 2)
    assert.deepEqual([new Set(held.watched()), steps.join()], [new Set([5, 7]), 'read 5,7'])
    catchUp(6)
    await holdings.settled()
    assert.deepEqual(new Set(held.watched()), new Set([5, 6, 7]))
  })

  it('that was lost and taken again is not ours while the memory of the first time is still there', async () => {
    const { held, holdings, steps, catchUp, settleTo } = bench()
    await settleTo([5, 1])
    catchUp(5)
    await holdings.settled()
    await settleTo([5, 3])
    await until('the first time is forgotten', async () => steps.includes('drop 5'))
    assert.deepEqual(steps.toSorted(), ['drop 5', 'read 5', 'release 5, not ours'])
    assert.deepEqual(held.leaseOf(5), { partition: 5, epoch: 3 })
    assert.deepEqual(held.watched(), [])
    catchUp(5)
    await holdings.settled()
    assert.deepEqual([held.watched(), steps.at(-1)], [[5], 'read 5'])
  })

  it('is not read for an engine that lost it while it caught up', async () => {
    const { held, holdings, steps, catchUp, settleTo } = bench()
    await settleTo([5, 1])
    await settleTo()
    catchUp(5)
    await holdings.settled()
    assert.deepEqual([held.watched(), held.leaseOf(5)], [[], undefined])
    assert.ok(!steps.includes('read 5'))
  })
})

describe('partitions that an engine could not give back', () => {
  it('are held on the bus again, because their results are still its own', async () => {
    const steps: string[] = []
    const lease = { partition: 3, epoch: 1 }
    const leases: Leases = {
      leaseOf: (partition) => (partition === 3 ? lease : undefined),
      held: () => [3],
      settle: async (beforeRelease) => {
        await beforeRelease([3])
        throw new Error('The connection broke.')
      },
      retire: async () => {},
    }
    const holdings = createHoldings({
      time: systemTime,
      bus: {
        holdPartitions: async (partitions) => void steps.push(`hold ${partitions.join()}`),
        releasePartitions: async (partitions) => void steps.push(`release ${partitions.join()}`),
      },
      leases,
      held: createHeldPartitions(leases),
      serialQueue: createSerialQueue(),
      read: async () => {},
      drop: () => {},
      onFailure: (error) => assert.fail(String(error)),
    })
    await assert.rejects(holdings.settle(), /The connection broke/)
    assert.deepEqual(steps, ['release 3', 'hold 3'])
  })
})
