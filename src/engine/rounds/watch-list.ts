import { createScheduler, type Planned, type Scheduler, type SchedulerOptions } from './scheduler.ts'
import { createWatchIndex, type WatchIndex } from './watch-index.ts'
import { type Shared, type Watched, watchedOf } from './watched.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'

/** Why rows were read, which decides what of the memory they replace. */
export type RowOrigin =
  /** Partitions were taken over: no monitor of theirs is known here, and none is scheduled before `begin`. */
  | 'takeover'
  /** Monitors were written: one that begins anew is checked at once. */
  | 'change'
  /** A comparison found that notices were missed. */
  | 'compare'
  /** A transaction failed: the database knows better than this memory. */
  | 'repair'

/** The monitors that this engine watches, with their schedule. */
export type WatchList = Pick<
  WatchIndex,
  'size' | 'all' | 'byId' | 'byKey' | 'groupsOf' | 'childrenOf' | 'ofPartition'
> & {
  readonly scheduler: Scheduler
  apply: (rows: WatchRow[], origin: RowOrigin, nowMs: number) => void
  /** Begins to schedule what was taken over with a partition; times may have been missed. */
  begin: (partition: number, nowMs: number) => void
  remove: (id: string) => void
  /** Forgets the monitors of a partition that is another engine's by now, or that could not be read as a whole. */
  removePartition: (partition: number) => void
  /** When what is watched is due, for the engine that follows this one after the clock jumped. */
  planned: (jump: { nowMs: number; beforeMs: number }) => Planned
}

export function createWatchList(options: SchedulerOptions): WatchList {
  const scheduler = createScheduler(options)
  const index = createWatchIndex()
  const shared: Shared = { locations: new Map(), settings: new Map() }

  function apply(row: WatchRow, origin: RowOrigin, nowMs: number): void {
    const known = index.byId(row.id)
    const fresh = watchedOf(row, shared, nowMs)
    if (known === undefined) {
      index.add(fresh)
      if (origin !== 'takeover') scheduler.schedule(fresh, { isAtOnce: row.status === 'pending', nowMs })
      return
    }
    if (known.version === row.version && origin !== 'repair') return
    const isNewVersion = known.version !== row.version
    const isAtOnce = isNewVersion && (row.status === 'pending' || known.intervalMs !== fresh.intervalMs)
    const isRoundKept = !isNewVersion && known.open !== null && known.open.time > fresh.foldedUntil
    if (known.open !== null && !isRoundKept) scheduler.close(known.open, nowMs)
    replaceWith(known, fresh)
    index.regroup(known)
    if (isNewVersion || known.source.type === 'called') scheduler.schedule(known, { isAtOnce, nowMs })
  }

  function remove(watched: Watched): void {
    scheduler.remove(watched)
    index.remove(watched)
  }

  return {
    scheduler,
    get size() {
      return index.size
    },
    all: index.all,
    byId: index.byId,
    byKey: index.byKey,
    groupsOf: index.groupsOf,
    childrenOf: index.childrenOf,
    ofPartition: index.ofPartition,
    apply: (rows, origin, nowMs) => rows.forEach((row) => apply(row, origin, nowMs)),
    begin: (partition, nowMs) => {
      for (const watched of index.ofPartition(partition)) if (watched.heapIndex === -1) scheduler.resume(watched, nowMs)
    },
    remove: (id) => {
      const watched = index.byId(id)
      if (watched !== undefined) remove(watched)
    },
    removePartition: (partition) => index.ofPartition(partition).forEach(remove),
    planned: ({ nowMs, beforeMs }) => {
      const planned: Planned = new Map()
      for (const watched of index.all()) {
        // A round that is open is named by a time that no longer is: it begins again, and at once.
        const leftMs = watched.open === null ? leftOf(watched, { nowMs, beforeMs }) : 0
        // What was just taken over is not scheduled yet.
        const isScheduled = watched.heapIndex !== -1 && watched.source.type !== 'called'
        if (isScheduled) planned.set(watched.id, Math.round(nowMs + leftMs))
      }
      return planned
    },
  }
}

/**
 * Of a monitor that was resumed between the jump and the tick that saw it, the next time was planned by the new time
 * already. None is due later than an interval from now.
 */
function leftOf({ dueMs, intervalMs }: Watched, { nowMs, beforeMs }: { nowMs: number; beforeMs: number }): number {
  const isNext = (leftMs: number): boolean => leftMs >= 0 && leftMs <= intervalMs
  const [byOld, byNew] = [dueMs - beforeMs, dueMs - nowMs]
  if (!isNext(byOld) && isNext(byNew)) return byNew
  return Math.min(Math.max(0, byOld), intervalMs)
}

/**
 * The object stays the same, because heaps and open rounds refer to it. With a new version no location is busy with a
 * check of the old one.
 */
function replaceWith(known: Watched, fresh: Watched): void {
  const isSame = known.version === fresh.version
  // What is usual is in no row: it is read by itself, and stays what it was.
  const usual = isSame ? known.episodes?.usual : undefined
  if (!isSame) known.busy = null
  if (!isSame) known.viewAsk = null
  known.version = fresh.version
  known.intervalMs = fresh.intervalMs
  known.phaseMs = fresh.phaseMs
  known.timeoutMs = fresh.timeoutMs
  known.locations = fresh.locations
  known.settings = fresh.settings
  known.source = fresh.source
  known.parentIds = fresh.parentIds
  known.standing = fresh.standing
  known.incidentId = fresh.incidentId
  known.problem = fresh.problem
  known.episodes = fresh.episodes && { ...fresh.episodes, usual: usual ?? fresh.episodes.usual }
  known.sight = fresh.sight
  known.foldedUntil = fresh.foldedUntil
  // What is stored of it is read as well.
  known.later = null
}
