import { createScheduler, type Scheduler, type SchedulerOptions } from './scheduler.ts'
import { type Shared, type Watched, watchedOf } from './watched.ts'
import type { WatchRow } from '#store/monitors/watch-rows.ts'

/** Why rows were read, which decides what of the memory they replace. */
export type RowOrigin =
  /** Partitions were taken over: everything is new, and times may have been missed. */
  | 'takeover'
  /** Something was written: a monitor that begins anew is checked at once. */
  | 'change'
  /** A comparison found that notices were missed. */
  | 'compare'
  /** A transaction failed: the database knows better than this memory. */
  | 'repair'

/** The monitors that this engine looks after, with their schedule. */
export type WatchList = {
  readonly scheduler: Scheduler
  readonly size: number
  all: () => Iterable<Watched>
  byId: (id: string) => Watched | undefined
  byKey: (key: number) => Watched | undefined
  /** Groups that this engine watches and that have this member. */
  groupsOf: (monitorId: string) => Iterable<Watched>
  apply: (rows: WatchRow[], origin: RowOrigin, nowMs: number) => void
  remove: (id: string) => void
  /** Members of a partition: to be compared with the table, and dropped when it goes to another engine. */
  ofPartition: (partition: number) => ReadonlySet<Watched>
}

export function createWatchList(options: SchedulerOptions): WatchList {
  const scheduler = createScheduler(options)
  const ids = new Map<string, Watched>()
  const keys = new Map<number, Watched>()
  const partitions = new Map<number, Set<Watched>>()
  const groups = new Map<string, Watched>()
  const shared: Shared = { locations: new Map(), settings: new Map() }

  function membersOf(partition: number): Set<Watched> {
    const members = partitions.get(partition) ?? new Set()
    partitions.set(partition, members)
    return members
  }

  function add(watched: Watched): void {
    ids.set(watched.id, watched)
    keys.set(watched.key, watched)
    membersOf(watched.partition).add(watched)
    if (watched.source.type === 'group') groups.set(watched.id, watched)
  }

  function apply(row: WatchRow, origin: RowOrigin, nowMs: number): void {
    const known = ids.get(row.id)
    const fresh = watchedOf(row, shared, nowMs)
    if (known === undefined) {
      add(fresh)
      if (origin === 'takeover') scheduler.resume(fresh, nowMs)
      else scheduler.schedule(fresh, { isAtOnce: row.status === 'pending', nowMs })
      return
    }
    if (known.version === row.version && origin !== 'repair') return
    const isNewVersion = known.version !== row.version
    const isAtOnce = isNewVersion && (row.status === 'pending' || known.intervalMs !== fresh.intervalMs)
    const isRoundKept = !isNewVersion && known.open !== null && known.open.time > fresh.foldedUntil
    if (known.open !== null && !isRoundKept) scheduler.close(known.open, nowMs)
    replaceWith(known, fresh)
    if (known.source.type === 'group') groups.set(known.id, known)
    else groups.delete(known.id)
    if (isNewVersion || known.source.type === 'called') scheduler.schedule(known, { isAtOnce, nowMs })
  }

  return {
    scheduler,
    get size() {
      return ids.size
    },
    all: () => ids.values(),
    byId: (id) => ids.get(id),
    byKey: (key) => keys.get(key),
    groupsOf: (monitorId) => [...groups.values()].filter((group) => hasMember(group, monitorId)),
    apply: (rows, origin, nowMs) => rows.forEach((row) => apply(row, origin, nowMs)),
    remove: (id) => {
      const watched = ids.get(id)
      if (watched === undefined) return
      scheduler.remove(watched)
      ids.delete(id)
      groups.delete(id)
      keys.delete(watched.key)
      partitions.get(watched.partition)?.delete(watched)
    },
    ofPartition: membersOf,
  }
}

function hasMember({ source }: Watched, monitorId: string): boolean {
  return source.type === 'group' && source.memberIds.includes(monitorId)
}

/** The object stays the same, because heaps and open rounds refer to it. A new version waits for nobody's old check. */
function replaceWith(known: Watched, fresh: Watched): void {
  if (known.version !== fresh.version) known.busy = null
  known.version = fresh.version
  known.intervalMs = fresh.intervalMs
  known.phaseMs = fresh.phaseMs
  known.timeoutMs = fresh.timeoutMs
  known.locations = fresh.locations
  known.settings = fresh.settings
  known.source = fresh.source
  known.standing = fresh.standing
  known.incidentId = fresh.incidentId
  known.problem = fresh.problem
  known.sight = fresh.sight
  known.foldedUntil = fresh.foldedUntil
}
