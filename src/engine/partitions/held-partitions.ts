import type { Lease } from '#store/results/store-batch.ts'
import type { Leases } from './leases.ts'

/** A partition with the epoch under which it was taken: taken again, it has another. */
export type TakenPartition = readonly [partition: number, epoch: number]

/** The partitions that this engine holds, and those of them whose monitors are in its memory. */
export type HeldPartitions = {
  /** Undefined as well for one that was lost and taken again, until the memory of the first time is forgotten. */
  leaseOf: (partition: number) => Lease | undefined
  isHeld: (partition: number) => boolean
  /** Whether it is held without a break since it was taken. */
  isStillHeld: (taken: TakenPartition) => boolean
  /** Partitions whose monitors are watched here: held, caught up with and read. */
  watched: () => number[]
  /** Whether it is one of these. */
  isWatched: (partition: number) => boolean
  /** Its monitors are in memory now. */
  watch: (taken: TakenPartition) => void
  /** Its monitors are no longer in memory. */
  forget: (partition: number) => void
}

export function createHeldPartitions(leases: Pick<Leases, 'leaseOf'>): HeldPartitions {
  const watched = new Map<number, number>()
  const isStillHeld = ([partition, epoch]: TakenPartition): boolean => leases.leaseOf(partition)?.epoch === epoch
  const leaseOf = (partition: number): Lease | undefined => {
    const lease = leases.leaseOf(partition)
    return (watched.get(partition) ?? lease?.epoch) === lease?.epoch ? lease : undefined
  }
  return {
    leaseOf,
    isHeld: (partition) => leaseOf(partition) !== undefined,
    isStillHeld,
    watched: () => [...watched].filter(isStillHeld).map(([partition]) => partition),
    isWatched: (partition) => watched.has(partition) && leaseOf(partition) !== undefined,
    watch: ([partition, epoch]) => void watched.set(partition, epoch),
    forget: (partition) => void watched.delete(partition),
  }
}
