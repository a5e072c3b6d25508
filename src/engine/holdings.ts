import { setTimeout as pause } from 'node:timers/promises'
import type { EngineBus } from '#bus/bus.ts'
import type { Lease } from '#store/intake.ts'
import { createLane, type Lane } from './lane.ts'
import type { Leases } from './leases.ts'

export type Holdings = {
  /** Partitions whose monitors are watched here: held, caught up with and read. */
  watched: () => number[]
  /** Undefined as well for one that was lost and taken again, until the memory of the first time is forgotten. */
  leaseOf: (partition: number) => Lease | undefined
  /**
   * Renews what is held, takes or gives back partitions towards a fair share. Resolves before takeovers are done. One
   * run follows the other, and after `retire` there is none: it would take partitions for an engine that is gone.
   */
  settle: () => Promise<void>
  /** Resolves when every takeover that has begun is done. */
  settled: () => Promise<void>
  /** Gives everything back, once what the handlers have is settled. */
  retire: () => Promise<void>
}

export type HoldingsOptions = {
  bus: Pick<EngineBus, 'holdPartitions' | 'releasePartitions'>
  leases: Leases
  lane: Lane
  /** Makes memory equal to the database for partitions that were taken; called in the lane. */
  read: (partitions: number[]) => Promise<void>
  /** Forgets the monitors of a partition that is someone else's by now; called in the lane. */
  drop: (partition: number) => void
  onFailure: (error: unknown) => void
}

const retryPauseMs = 500

/**
 * The partitions of this engine. One that was taken over is first caught up with: what its former owner left on the
 * bus is stored, unfolded, because nobody watches its monitors yet; then they are read, and the stored results folded
 * in round order, before any timer of theirs runs (architecture.md, Partitions).
 */
export function createHoldings({ bus, leases, lane, read, drop, onFailure }: HoldingsOptions): Holdings {
  const watched = new Map<number, number>()
  const takeovers = new Set<Promise<void>>()
  const turns = createLane()
  let isRetired = false
  const isStill = ([partition, epoch]: readonly [number, number]): boolean => leases.leaseOf(partition)?.epoch === epoch

  async function takeOver(taken: readonly (readonly [number, number])[]): Promise<void> {
    await bus.holdPartitions(taken.map(([partition]) => partition))
    for (;;) {
      const held = taken.filter(isStill)
      if (held.length === 0) return
      try {
        return await lane.run(() => watch(held))
      } catch (error) {
        onFailure(error)
        await pause(retryPauseMs)
      }
    }
  }

  async function watch(held: readonly (readonly [number, number])[]): Promise<void> {
    await read(held.map(([partition]) => partition))
    for (const [partition, epoch] of held) watched.set(partition, epoch)
  }

  async function forget(partitions: number[]): Promise<void> {
    const forgotten = lane.run(async () => {
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
    if (lost.length > 0) await forget(lost)
    if (taken.length === 0) return
    const takeover = takeOver(taken.map((partition) => [partition, leases.leaseOf(partition)?.epoch ?? -1]))
    takeovers.add(takeover)
    void takeover.finally(() => takeovers.delete(takeover))
  }

  async function retire(): Promise<void> {
    isRetired = true
    await bus.releasePartitions(leases.held())
    await leases.retire()
    await Promise.all(takeovers)
  }

  return {
    watched: () => [...watched].filter(isStill).map(([partition]) => partition),
    leaseOf: (partition) => {
      const lease = leases.leaseOf(partition)
      return (watched.get(partition) ?? lease?.epoch) === lease?.epoch ? lease : undefined
    },
    settle: () => turns.run(settle),
    settled: async () => {
      await Promise.all(takeovers)
    },
    retire: () => turns.run(retire),
  }
}
