// The model and a real PostgreSQL, to which the same happens: the engine's own steps on each, with ids and a clock in
// common.
import { createPresenceBook } from '#engine/locations/presence.ts'
import { createLeases, type Leases } from '#engine/partitions/leases.ts'
import { readPartitions, readsAgain } from '#engine/partitions/read-into-memory.ts'
import { commitBatch, type CommitOptions } from '#engine/results/commit-batch.ts'
import { EvidenceKeeper } from '#engine/results/evidence-keeper.ts'
import { ViewKeeper } from '#engine/results/view-keeper.ts'
import { makeSelfMadeResults } from '#engine/results/self-made-results.ts'
import { createLocationIds } from '#engine/locations/location-ids.ts'
import { createWatchList } from '#engine/rounds/watch-list.ts'
import type { Watched } from '#engine/rounds/watched.ts'
import type { Result } from '#core/results/result.ts'
import type { CallStore } from '#store/call-store.ts'
import type { DeliveryStore } from '#store/delivery-store.ts'
import type { EngineStore } from '#store/engine-store.ts'
import type { ReleaseStore } from '#store/release-store.ts'
import { systemTime } from '#time/time.ts'

/** One engine of one of the twins. Its memory is read for the partitions that it holds. */
export type TwinEngine = {
  leases: Leases
  settle: () => Promise<unknown>
  read: () => Promise<void>
  commit: (results: Result[]) => Promise<void>
  /** Looks at all deadlines that have passed by its memory, and says of which monitors it found what. */
  lookAtDeadlines: () => Promise<unknown>
  /** Notes that the clock jumped by so many seconds. */
  noteJump: (seconds: number) => Promise<unknown>
  /** What it remembers of its monitors. */
  memory: () => ReadonlyMap<string, unknown>
}

export type Twin = {
  store: EngineStore
  deliveries: DeliveryStore
  calls: CallStore
  releases: ReleaseStore
  engines: TwinEngine[]
}

export type TwinOptions = {
  store: EngineStore
  deliveries: DeliveryStore
  calls: CallStore
  releases: ReleaseStore
  owners: readonly string[]
  /** As an engine that begins now follows jumps of the clock. */
  followJumps: () => Promise<(seconds: number) => Promise<void>>
  now: () => number
  newId: () => string
}

export async function createTwin({ owners, followJumps, ...parts }: TwinOptions): Promise<Twin> {
  const engines: TwinEngine[] = []
  for (const owner of owners) engines.push(engineOf({ ...parts, owner, noteJump: await followJumps() }))
  return { ...parts, engines }
}

type Owned = Pick<TwinOptions, 'store' | 'now' | 'newId'> & Pick<TwinEngine, 'noteJump'> & { owner: string }

function engineOf({ store, owner, now, newId, noteJump }: Owned): TwinEngine {
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
    readAgain: readsAgain({ store, watchList, now }),
    locationIds: createLocationIds(store, now),
    leaseOf: leases.leaseOf,
    now,
    newId,
    witnessesOf: () => new Map(),
    evidence: new EvidenceKeeper({ keep: async () => {}, onLost: () => {}, time: systemTime }),
    views: new ViewKeeper({ keep: async () => {}, onLost: () => {}, time: systemTime }),
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
      return { taken: new Set(taken.map(({ partition }) => partition)), lost: new Set(lost) }
    },
    read: () => readPartitions(commit, leases.held(), 'repair'),
    commit: (results) => commitBatch(commit, results, []),
    lookAtDeadlines: async () => {
      const passed = [...watchList.all()].filter((watched) => (deadlineOf(watched) ?? Infinity) <= now() * 1000)
      const due = new Map(passed.map((watched) => [watched, (deadlineOf(watched) ?? 0) / 1000]))
      const { results, putOff, held } = await makeSelfMadeResults(store, due)
      await commitBatch(commit, results, [])
      return { missed: results.length, putOff: idsOf(putOff), held: idsOf(held.keys()) }
    },
    noteJump,
    memory: () =>
      new Map(
        Array.from(watchList.all(), (watched) => {
          const { id, version, standing, incidentId, problem, foldedUntil, open } = watched
          const times = [foldedUntil, open?.time ?? null, deadlineOf(watched)]
          return [id, [version, { ...standing }, incidentId, problem, ...times]]
        }),
      ),
  }
}

function idsOf(list: Iterable<Watched>): string[] {
  return Array.from(list, ({ id }) => id).toSorted()
}

function deadlineOf({ source }: Watched): number | null {
  return source.type === 'called' ? source.deadline : null
}
