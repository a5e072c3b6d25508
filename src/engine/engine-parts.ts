import { partitionOf } from '#core/monitors/schedule.ts'
import type { EngineLog, EngineOptions } from './engine-options.ts'
import { ResultFlow } from './result-flow.ts'
import { createHeardUntil, type HeardUntil } from '#engine/locations/heard-until.ts'
import { createLocationIds } from '#engine/locations/location-ids.ts'
import { createHeldPartitions, type HeldPartitions } from '#engine/partitions/held-partitions.ts'
import { createHoldings, type Holdings } from '#engine/partitions/holdings.ts'
import { createLeases, type Leases } from '#engine/partitions/leases.ts'
import { readPartitions, readsAgain } from '#engine/partitions/read-into-memory.ts'
import { createWatchSync, type WatchSync } from '#engine/partitions/watch-sync.ts'
import type { CommitOptions } from '#engine/results/commit-batch.ts'
import { logDecided } from '#engine/results/decided-lines.ts'
import { EvidenceKeeper } from '#engine/results/evidence-keeper.ts'
import { ViewKeeper } from '#engine/results/view-keeper.ts'
import { createRejectedLines } from '#engine/results/rejected-lines.ts'
import { RoundTraces } from '#engine/results/round-traces.ts'
import { createSelfMadeQueue, type SelfMadeQueue } from '#engine/results/self-made-queue.ts'
import { createMemoryRepair, type MemoryRepair } from '#engine/rounds/memory-repair.ts'
import { createSerialQueue, type SerialQueue } from '#engine/rounds/serial-queue.ts'
import type { SchedulerOptions } from '#engine/rounds/scheduler.ts'
import { createUnchecked, type Unchecked } from '#engine/rounds/unchecked.ts'
import { createWatchList, type WatchList } from '#engine/rounds/watch-list.ts'

/** What is held and watched, and how it stays equal to the database. */
type MemoryParts = {
  leases: Leases
  held: HeldPartitions
  watchList: WatchList
  selfMadeQueue: SelfMadeQueue
  commit: CommitOptions
  serialQueue: SerialQueue
  memoryRepair: MemoryRepair
  watchSync: WatchSync
  holdings: Holdings
}

type GivenSchedule = Required<Pick<SchedulerOptions, 'planned' | 'onNextDue'>>

export type EngineParts = MemoryParts & {
  heardUntil: HeardUntil
  resultFlow: ResultFlow
  unchecked: Unchecked
  /** Asks the database what is still held here. Never rejects. */
  settle: () => Promise<void>
}

/**
 * The parts of one running engine. Each is given the parts that it calls, which are made before it. `planned`: when
 * monitors are due, as an engine before this one had planned it.
 */
export function createEngineParts(options: EngineOptions, schedule: GivenSchedule): EngineParts {
  const { bus, observer, log, time } = options
  const memory = createMemoryParts(options, schedule)
  const { holdings, watchList } = memory
  const settle = (): Promise<void> => holdings.settle().catch(warnOf(log, 'The partitions could not be renewed.'))
  const heardUntil = createHeardUntil(bus, time.nowMs())
  const resultFlow = new ResultFlow({ ...memory, heardUntil, bus, settle, observer, log, time })
  const unchecked = createUnchecked({
    monitors: watchList.all,
    now: time.nowMs,
    onBegun: (monitors) => log.warn('Monitors are not being checked. Is a prober missing?', { monitors }),
  })
  return { ...memory, heardUntil, resultFlow, unchecked, settle }
}

function createMemoryParts(options: EngineOptions, schedule: GivenSchedule): MemoryParts {
  const { store, bus, log, time } = options
  const leases = createLeases(store, options.name)
  const held = createHeldPartitions(leases)
  const selfMadeQueue = createSelfMadeQueue()
  const watchList = createWatchListOf(options, { ...schedule, held, selfMadeQueue })
  const commit = createCommitOptions(options, { watchList, held })
  const serialQueue = createSerialQueue()
  const { watched } = held
  const memoryRepair = createMemoryRepair({
    serialQueue,
    watched,
    read: (partitions) => readPartitions(commit, partitions, 'repair'),
    now: time.nowMs,
  })
  const onFailure = warnOf(log, 'Changed monitors could not be read.')
  const watchSync = createWatchSync({ commit, serialQueue, memoryRepair, watched, onFailure })
  const holdings = createHoldings({
    time,
    bus,
    leases,
    held,
    serialQueue,
    read: (partitions) => readPartitions(commit, partitions, 'takeover'),
    drop: watchList.removePartition,
    onFailure: warnOf(log, 'Monitors of taken partitions could not be read; they will be read again.'),
  })
  return { leases, held, watchList, selfMadeQueue, commit, serialQueue, memoryRepair, watchSync, holdings }
}

export function warnOf(log: Pick<EngineLog, 'warn'>, message: string): (error: unknown) => void {
  return (error) => log.warn(message, { error: String(error) })
}

type Watching = GivenSchedule & { held: HeldPartitions; selfMadeQueue: SelfMadeQueue }

function createWatchListOf(
  { presence, bus, observer, random }: EngineOptions,
  { held, selfMadeQueue, planned, onNextDue }: Watching,
): WatchList {
  return createWatchList({
    planned,
    onNextDue,
    presence,
    againUs: 1 + Math.floor(random() * 999),
    isHeld: held.isHeld,
    assign: bus.assign,
    onRound: observer.round,
    onSkipped: observer.skipped,
    onSelfMadeDue: selfMadeQueue.add,
  })
}

type Memory = { watchList: WatchList; held: HeldPartitions }

function createCommitOptions(options: EngineOptions, { watchList, held }: Memory): CommitOptions {
  const { store, bus, presence, keepEvidence = forget, keepViews = forget, observer, log, tracer = null } = options
  const { time, newId } = options
  const now = time.nowMs
  const tellRejected = createRejectedLines(log, time)
  return {
    store,
    watchList,
    changed: new Set(),
    readAgain: readsAgain({ store, watchList, now }),
    locationIds: createLocationIds(store, now),
    leaseOf: held.leaseOf,
    now,
    newId,
    witnessesOf: (watched) => presence.witnesses(watched.locations, watched, now()),
    evidence: new EvidenceKeeper({
      time,
      keep: keepEvidence,
      onLost: (details) => log.warn('Evidence of incidents was lost.', details),
    }),
    views: new ViewKeeper({
      time,
      keep: keepViews,
      onLost: (details) => log.warn('Views of locations were lost.', details),
    }),
    traces: tracer === null ? null : new RoundTraces(tracer, now),
    onStored: observer.stored,
    onTurned: ({ id, partition }, { hasRecovered }) =>
      bus.announceChange({ monitorId: id, partition, ...(hasRecovered ? { hasRecovered } : {}) }),
    // Another engine may watch it.
    onParentDoubted: (monitorId, failedMs) =>
      bus.announceChange({ monitorId, partition: partitionOf(monitorId), failedMs }),
    onDecided: (draft) => logDecided(draft, log),
    onRejected: (reason, result) => {
      observer.rejected()
      tellRejected(reason, result)
    },
  }
}

async function forget(): Promise<void> {}
