import { partitionCount } from '#core/monitors/schedule.ts'
import type { EngineStore } from '#store/engine-store.ts'
import type { Lease } from '#store/results/store-batch.ts'

export type Leases = {
  leaseOf: (partition: number) => Lease | undefined
  held: () => number[]
  /**
   * Renews what is held, takes or gives back partitions towards a fair share. Returns what changed hands. Partitions
   * that are to be given back are passed to `beforeRelease` and held until it has resolved.
   */
  settle: (beforeRelease: (partitions: number[]) => Promise<void>) => Promise<{ taken: Lease[]; lost: number[] }>
  /** Gives everything back. */
  retire: () => Promise<void>
}

type LeaseStore = Pick<
  EngineStore,
  'announceEngine' | 'renewPartitions' | 'takePartitions' | 'releasePartitions' | 'retireEngine'
>

/** Which partitions this engine holds, as rows that every engine sees. They expire by the database's clock. */
export function createLeases(store: LeaseStore, owner: string): Leases {
  let leases = new Map<number, Lease>()
  return {
    leaseOf: (partition) => leases.get(partition),
    held: () => [...leases.keys()],
    settle: async (beforeRelease) => {
      const before = leases
      const engines = await store.announceEngine(owner)
      const share = Math.ceil(partitionCount / engines)
      let kept = await store.renewPartitions(owner)
      const excess = kept.slice(share).map(({ partition }) => partition)
      if (excess.length > 0) {
        await beforeRelease(excess)
        await store.releasePartitions(owner, excess)
        // That may have taken seconds, in which the others need another renewal.
        kept = await store.renewPartitions(owner)
      }
      const missing = share - kept.length
      const taken = missing > 0 ? await store.takePartitions(owner, missing) : []
      leases = new Map([...kept, ...taken].map((lease) => [lease.partition, lease]))
      // A partition that was lost and taken again has a new epoch: its memory starts anew.
      const isSame = (lease: Lease): boolean => leases.get(lease.partition)?.epoch === lease.epoch
      return {
        taken: [...leases.values()].filter((lease) => before.get(lease.partition)?.epoch !== lease.epoch),
        lost: [...before.values()].filter((lease) => !isSame(lease)).map(({ partition }) => partition),
      }
    },
    retire: async () => {
      leases = new Map()
      await store.retireEngine(owner)
    },
  }
}
