import { versionOfNone } from '#store/results/results-to-come.ts'
import { partitionHoldSeconds } from '#core/monitors/schedule.ts'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import type { EngineStore } from '#store/engine-store.ts'
import { type WatchPlace, type WatchRow, watchRowsAtOnce } from '#store/monitors/watch-rows.ts'
import type { BacklogRow } from '#store/results/unfolded-results.ts'
import type { Lease } from '#store/results/store-batch.ts'
import {
  isCalled,
  type ModelDatabase,
  ModelTransaction,
  type MonitorRow,
  placeOf,
  type ResultRow,
} from './model-database.ts'
import { readDeadlines } from './model-calls.ts'
import { modelEngineTransaction } from './model-engine-transaction.ts'
import { notModelled } from './not-modelled.ts'

const holdMs = partitionHoldSeconds * 1000
const aliveMs = 6_000
const forgottenMs = 60_000
const backlogMs = 7_200_000

/** What `createEngineStore` does on PostgreSQL, for monitors that locations check or that are called. */
export function modelEngineStore(database: ModelDatabase): EngineStore {
  return {
    transaction: async (work) => {
      const tx = new ModelTransaction(database)
      try {
        const done = await work(modelEngineTransaction(tx))
        tx.commit()
        return done
      } finally {
        tx.rollBack()
      }
    },
    ...leasesOf(database),
    readWatchPage: async ({ partitions, after }) =>
      enabledIn(database, partitions)
        .filter(({ partition, key }) => after === null || comparePlaces({ partition, key }, after) > 0)
        .toSorted(comparePlaces)
        .slice(0, watchRowsAtOnce)
        .map((monitor) => watchRowOf(database, monitor)),
    readWatchRows: async ({ partitions, ids }) =>
      enabledIn(database, partitions)
        .filter(({ id }) => ids.includes(id))
        .map((monitor) => watchRowOf(database, monitor)),
    readWatchSums: async (partitions) => {
      const sums = new Map<number, { count: number; versions: number }>()
      for (const { partition, version } of enabledIn(database, partitions)) {
        const { count, versions } = sums.get(partition) ?? { count: 0, versions: 0 }
        sums.set(partition, { count: count + 1, versions: versions + version })
      }
      return sums
    },
    readBacklog: async (partitions) =>
      enabledIn(database, partitions).flatMap((monitor) => backlogOf(database, monitor)),
    readDeadlines: async (keys) => readDeadlines(database, keys),
    readMembers: async () => notModelled('a group'),
    readMonitorKeys: async (ids) => {
      const found = ids.flatMap((id) => database.monitorById(id) ?? [])
      return new Map(
        found.map(({ id, key, kind, locations }) => [id, { key, checkedFrom: isProbed(kind) ? locations : null }]),
      )
    },
    readLocationIds: async () => new Map(database.locations),
    readHours: async () => new Map(),
  }
}

function comparePlaces(one: WatchPlace, other: WatchPlace): number {
  return one.partition - other.partition || one.key - other.key
}

function leasesOf(
  database: ModelDatabase,
): Pick<EngineStore, 'announceEngine' | 'renewPartitions' | 'takePartitions' | 'releasePartitions' | 'retireEngine'> {
  const { partitions, engines, partitionLocks: locks, nowMs } = database
  const ownedBy = (owner: string): number[] =>
    [...partitions.keys()].filter((partition) => partitions[partition]?.owner === owner)

  /** Changes those of these rows that are the owner's once they are free. */
  async function changeOwned(
    owner: string,
    some: readonly number[] | null,
    change: { owner: string | null; holdMs: number },
  ): Promise<Lease[]> {
    const statement = {}
    await locks.take(
      ownedBy(owner).filter((partition) => some?.includes(partition) ?? true),
      statement,
    )
    const changed: Lease[] = []
    for (const [partition, row] of partitions.entries()) {
      if (row.owner !== owner || !(some?.includes(partition) ?? true)) continue
      row.owner = change.owner
      row.heldUntilMs = nowMs() + change.holdMs
      changed.push({ partition, epoch: row.epoch })
    }
    locks.release(statement)
    return changed
  }

  return {
    announceEngine: async (owner) => {
      const silentMs = nowMs() - (engines.get(owner) ?? nowMs())
      const awayMs = silentMs > aliveMs ? silentMs : 0
      for (const [name, seenMs] of engines)
        if (seenMs < nowMs() - forgottenMs - awayMs || seenMs > nowMs() + forgottenMs) engines.delete(name)
      engines.set(owner, nowMs())
      const isAlive = (seenMs: number): boolean => seenMs > nowMs() - aliveMs - awayMs && seenMs < nowMs() + aliveMs
      return [...engines.values()].filter(isAlive).length
    },
    renewPartitions: (owner) => changeOwned(owner, null, { owner, holdMs }),
    takePartitions: async (owner, count) => {
      const free = [...partitions.entries()].filter(
        ([partition, { heldUntilMs }]) =>
          (heldUntilMs < nowMs() || heldUntilMs > nowMs() + 2 * holdMs) && locks.isFree(partition),
      )
      return free.slice(0, count).map(([partition, row]) => {
        row.owner = owner
        row.epoch += 1
        row.heldUntilMs = nowMs() + holdMs
        return { partition, epoch: row.epoch }
      })
    },
    releasePartitions: async (owner, some) => void (await changeOwned(owner, some, { owner: null, holdMs: -Infinity })),
    retireEngine: async (owner) => {
      await changeOwned(owner, null, { owner: null, holdMs: -Infinity })
      engines.delete(owner)
    },
  }
}

function enabledIn({ monitors }: ModelDatabase, partitions: readonly number[]): MonitorRow[] {
  return [...monitors.values()].filter(({ isEnabled, partition }) => isEnabled && partitions.includes(partition))
}

function watchRowOf({ states, problems }: ModelDatabase, monitor: MonitorRow): WatchRow {
  const { workspaceId: _workspace, name: _name, url: _url, isEnabled: _isEnabled, ...set } = monitor
  const state = states.get(monitor.key) ?? notModelled('a monitor without a state')
  const { status, failures, successes, round, incidentId, problemAt, deadline } = state
  const problem = problemAt === null ? undefined : problems.get(placeOf(monitor.key, problemAt))
  return {
    ...set,
    status,
    failures,
    successes,
    round,
    incidentId,
    problem:
      problem === undefined ? null : { at: problem.startedAt, status: problem.status, locations: problem.locations },
    alertDegradedRounds: null,
    alertSlowFactor: null,
    alertSlowRounds: 3,
    degradedEpisode: null,
    slowEpisode: null,
    deadline,
    memberIds: [],
    parentIds: [],
    expiry: null,
  }
}

function backlogOf(database: ModelDatabase, monitor: MonitorRow): BacklogRow[] {
  const { key, version } = monitor
  const isOfThisStory = (result: ResultRow): boolean =>
    isCalled(monitor) ? result.version !== versionOfNone : result.version === version
  const folded = database.states.get(key)?.round ?? Infinity
  const oldest = (database.nowMs() - backlogMs) * 1000
  const left = [...(database.results.get(key)?.values() ?? [])].filter(
    (result) => isOfThisStory(result) && result.round > Math.max(folded, oldest),
  )
  const inOrder = left.toSorted((one, other) => one.round - other.round || one.locationId - other.locationId)
  return inOrder.map((result) => backlogRowOf(database, result))
}

function backlogRowOf(
  { locations, monitors }: ModelDatabase,
  { monitorKey, round, locationId, verdict }: ResultRow,
): BacklogRow {
  const [location = ''] = [...locations].find(([, id]) => id === locationId) ?? []
  const { status, statusCode, latencyMs, error, details } = verdict
  const monitor = monitors.get(monitorKey)
  const said = monitor !== undefined && isCalled(monitor) ? details : null
  return { monitorKey, round, location, status, statusCode, latencyMs, error, details: said }
}

function isProbed(kind: MonitorRow['kind']): boolean {
  return kindTraits[kind].source === 'probed'
}
