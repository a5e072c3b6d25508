// The model and a real PostgreSQL, to which the same happens: the engine's own steps on each, with ids and a clock in
// common.
import { createPresenceBook } from '#engine/locations/presence.ts'
import { createLeases, type Leases } from '#engine/partitions/leases.ts'
import { readPartitions } from '#engine/partitions/read-into-memory.ts'
import { commitBatch, type CommitOptions } from '#engine/results/commit-batch.ts'
import { EvidenceKeeper } from '#engine/results/evidence-keeper.ts'
import { createLocationIds } from '#engine/locations/location-ids.ts'
import { createWatchList } from '#engine/rounds/watch-list.ts'
import type { Result } from '#core/results/result.ts'
import type { DeliveryStore } from '#store/delivery-store.ts'
import type { EngineStore } from '#store/engine-store.ts'
import { systemTime } from '#time/time.ts'

/** One engine of one of the twins. Its memory is read for the partitions that it holds. */
export type TwinEngine = {
  leases: Leases
  settle: () => Promise<unknown>
  read: () => Promise<void>
  commit: (results: Result[]) => Promise<void>
  /** What it remembers of its monitors. */
  memory: () => ReadonlyMap<string, unknown>
}

export type Twin = {
  store: EngineStore
  deliveries: DeliveryStore
  engines: TwinEngine[]
}

export type TwinOptions = {
  store: EngineStore
  deliveries: DeliveryStore
  owners: readonly string[]
  now: () => number
  newId: () => string
}

export function createTwin({ store, deliveries, owners, now, newId }: TwinOptions): Twin {
  return { store, deliveries, engines: owners.map((owner) => engineOf({ store, owner, now, newId })) }
}

type Owned = Pick<TwinOptions, 'store' | 'now' | 'newId'> & { owner: string }

function engineOf({ store, owner, now, newId }: Owned): TwinEngine {
  const leases = createLeases(store, owner)
  const watchList = createWatchList({
    presence: createPresenceBook(),
    isHeld: () => true,
    againUs: 1,
    assign: () => {},
    onRound: () => {},
    onSkipped: () => {},
    onSelfMadeDue: () => {},
  })
  const commit: CommitOptions = {
    store,
    watchList,
    changed: new Set(),
    locationIds: createLocationIds(store, now),
    leaseOf: leases.leaseOf,
    now,
    newId,
    witnessesOf: () => new Map(),
    evidence: new EvidenceKeeper({ keep: async () => {}, onLost: () => {}, time: systemTime }),
    onStored: () => {},
    onTurned: () => {},
    onParentDoubted: () => {},
    traces: null,
    onDecided: () => {},
    onRejected: () => {},
  }
  return {
    leases,
    settle: async () => {
      const { taken, lost } = await leases.settle(async () => {})
      for (const partition of lost) watchList.removePartition(partition)
      return { taken: new Set(taken), lost: new Set(lost) }
    },
    read: () => readPartitions(commit, leases.held(), 'repair'),
    commit: (results) => commitBatch(commit, results, []),
    memory: () =>
      new Map(
        Array.from(watchList.all(), ({ id, version, standing, incidentId, problem, foldedUntil, open }) => {
          return [id, [version, { ...standing }, incidentId, problem, foldedUntil, open?.time ?? null]]
        }),
      ),
  }
}
