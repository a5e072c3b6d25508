import { setTimeout as pause } from 'node:timers/promises'
import type { EngineBus } from '#bus/bus.ts'
import type { Lease } from '#store/results/store-batch.ts'
import { createSerialQueue, type SerialQueue } from '#engine/rounds/serial-queue.ts'
import type { Leases } from './leases.ts'
import { createUnderWay } from './under-way.ts'

export type Holdings = {
  /** Partitions whose monitors are watched here: held, caught up with and read. */
  watched: () => number[]
  /** Undefined as well for one that was lost and taken again, until the memory of the first time is forgotten. */
  leaseOf: (partition: number) => Lease | undefined
  /**
   * Renews what is held, takes or gives back partitions towards a fair share. Resolves before takeovers are done and
   * memory is forgotten, which may take longer than a partition is held for. One run follows the other, and after
   * `retire` there is none: it would take partitions for an engine that is gone.
   */
  settle: () => Promise<void>
  /** Resolves when everything is done that follows from the settling so far. */
  settled: () => Promise<void>
  /** Gives everything back, once what the handlers have is settled. */
  retire: () => Promise<void>
}

export type HoldingsOptions = {
  bus: Pick<EngineBus, 'holdPartitions' | 'releasePartitions'>
  leases: Leases
  serialQueue: SerialQueue
  /** Makes memory equal to the database for partitions that were taken; called in the serial queue. */
  read: (partitions: number[]) => Promise<void>
  /** Forgets the monitors of a partition that is someone else's by now; called in the serial queue. */
  drop: (partition: number) => void
  onFailure: (error: unknown) => void
}

const retryPauseMs = 500
/** In between, the serial queue is free for the results of others. */
const partitionsAtOnce = 8

type Taken = readonly [partition: number, epoch: number]

/**
 * The partitions of this engine. One that was taken over is first caught up with: what its former owner left on the
 * bus is stored, unfolded, because nobody watches its monitors yet; then they are read, and the stored results folded
 * in round order, before any timer of theirs runs (architecture.md, Partitions).
 */
export function createHoldings({ bus, leases, serialQueue, read, drop, onFailure }: HoldingsOptions): Holdings {
  const watched = new Map<number, number>()
  const underWay = createUnderWay()
  const turns = createSerialQueue()
  let isRetired = false
  const isStill = ([partition, epoch]: Taken): boolean => leases.leaseOf(partition)?.epoch === epoch

  async function watch(some: readonly Taken[]): Promise<void> {
    const readThem = async (): Promise<void> => {
      const held = some.filter(isStill)
      await read(held.map(([partition]) => partition))
      for (const [partition, epoch] of held) watched.set(partition, epoch)
    }
    await untilDone(() => serialQueue.run(readThem), { isWanted: () => some.some(isStill), onFailure })
  }

  async function forget(partitions: number[]): Promise<void> {
    const forgotten = serialQueue.run(async () => {
      for (const partition of partitions) {
        watched.delete(partition)
        drop(partition)
      }
    })
    await Promise.all([bus.releasePartitions(partitions), forgotten])
  }

  async function settle(): Promise<void> {
    if (isRetired) return
    const { taken, lost } = await leases.settle((excess) => bus.releasePartitions(excess))
    if (lost.length > 0) underWay.add(forget(lost))
    if (taken.length > 0)
      underWay.add(
        takeOver(
          { bus, watch },
          taken.map((partition) => [partition, leases.leaseOf(partition)?.epoch ?? -1]),
        ),
      )
  }

  async function retire(): Promise<void> {
    isRetired = true
    await bus.releasePartitions(leases.held())
    try {
      await leases.retire()
    } finally {
      // Also when the database is away: the holds then end by themselves.
      await underWay.ended()
    }
  }

  return {
    watched: () => [...watched].filter(isStill).map(([partition]) => partition),
    leaseOf: (partition) => {
      const lease = leases.leaseOf(partition)
      return (watched.get(partition) ?? lease?.epoch) === lease?.epoch ? lease : undefined
    },
    settle: () => turns.run(settle),
    settled: underWay.ended,
    retire: () => turns.run(retire),
  }
}

type Taking = { bus: HoldingsOptions['bus']; watch: (some: readonly Taken[]) => Promise<void> }

/** Each is watched as soon as it has caught up: one that cannot holds up no other. */
async function takeOver({ bus, watch }: Taking, taken: readonly Taken[]): Promise<void> {
  const caughtUp: Taken[] = []
  const turn = createSerialQueue()
  await Promise.all(
    taken.map(async (each) => {
      await bus.holdPartitions([each[0]])
      caughtUp.push(each)
      await turn.run(() => watch(caughtUp.splice(0, partitionsAtOnce)))
    }),
  )
}

async function untilDone(
  work: () => Promise<void>,
  { isWanted, onFailure }: { isWanted: () => boolean; onFailure: (error: unknown) => void },
): Promise<void> {
  while (isWanted())
    try {
      return await work()
    } catch (error) {
      onFailure(error)
      await pause(retryPauseMs)
    }
}
