import type { EngineBus } from '#bus/bus.ts'
import { createSerialQueue, type SerialQueue } from '#engine/rounds/serial-queue.ts'
import type { HeldPartitions, TakenPartition } from './held-partitions.ts'
import type { Leases } from './leases.ts'
import { createUnderWay, type UnderWay } from './under-way.ts'
import type { Time } from '#time/time.ts'

export type Holdings = {
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
  time: Pick<Time, 'pause'>
  bus: Pick<EngineBus, 'holdPartitions' | 'releasePartitions'>
  leases: Leases
  held: HeldPartitions
  serialQueue: SerialQueue
  /** Makes memory equal to the database for partitions that were taken; called in the serial queue. */
  read: (partitions: number[]) => Promise<void>
  /** Forgets the monitors of a partition that another engine holds by now; called in the serial queue. */
  drop: (partition: number) => void
  onFailure: (error: unknown) => void
}

const retryPauseMs = 500
/** Partitions read in one piece of work, so that results of others are committed in between. */
const partitionsAtOnce = 8

/**
 * Takes, renews and gives back partitions. One that was taken over is caught up with first: the results that its former
 * owner left on the bus are stored, unfolded, because no engine watches its monitors yet. Then the monitors are read,
 * and the stored results folded in round order, before any timer of theirs runs.
 */
export function createHoldings(options: HoldingsOptions): Holdings {
  const { time, bus, leases, held, serialQueue, read, drop, onFailure } = options
  const underWay = createUnderWay()
  const turns = createSerialQueue()
  let isRetired = false

  async function watch(some: readonly TakenPartition[]): Promise<void> {
    const readThem = async (): Promise<void> => {
      const still = some.filter(held.isStillHeld)
      await read(still.map(([partition]) => partition))
      for (const taken of still) held.watch(taken)
    }
    await untilDone(() => serialQueue.run(readThem), { time, isWanted: () => some.some(held.isStillHeld), onFailure })
  }

  async function forget(partitions: number[]): Promise<void> {
    const forgotten = serialQueue.run(async () => {
      for (const partition of partitions) {
        held.forget(partition)
        drop(partition)
      }
    })
    await Promise.all([bus.releasePartitions(partitions), forgotten])
  }

  async function settle(): Promise<void> {
    if (isRetired) return
    const { taken, lost } = await settleLeases({ bus, leases, underWay })
    if (lost.length > 0) underWay.add(forget(lost))
    underWay.add(
      takeOver(
        { bus, watch },
        taken.map(({ partition, epoch }) => [partition, epoch]),
      ),
    )
  }

  async function retire(): Promise<void> {
    isRetired = true
    await bus.releasePartitions(leases.held())
    try {
      await leases.retire()
    } finally {
      // Even when the database is away, for the holds then end by themselves.
      await underWay.ended()
    }
  }

  return {
    settle: () => turns.run(settle),
    settled: underWay.ended,
    retire: () => turns.run(retire),
  }
}

type Settling = Pick<HoldingsOptions, 'bus' | 'leases'> & { underWay: UnderWay }

/** What could not be given back is still held, and its results are wanted again. */
async function settleLeases({ bus, leases, underWay }: Settling): ReturnType<Leases['settle']> {
  let released: number[] = []
  try {
    return await leases.settle((excess) => {
      released = excess
      return bus.releasePartitions(excess)
    })
  } catch (error) {
    underWay.add(bus.holdPartitions(released.filter((partition) => leases.leaseOf(partition) !== undefined)))
    throw error
  }
}

type Taking = { bus: HoldingsOptions['bus']; watch: (some: readonly TakenPartition[]) => Promise<void> }

/** Each partition is watched as soon as it has caught up, so that one that cannot catch up delays no other. */
async function takeOver({ bus, watch }: Taking, taken: readonly TakenPartition[]): Promise<void> {
  const caughtUp: TakenPartition[] = []
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
  { time, isWanted, onFailure }: Pick<HoldingsOptions, 'time' | 'onFailure'> & { isWanted: () => boolean },
): Promise<void> {
  while (isWanted())
    try {
      return await work()
    } catch (error) {
      onFailure(error)
      await time.pause(retryPauseMs)
    }
}
