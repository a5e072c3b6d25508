import { noPhases, type Verdict } from '#core/results/result.ts'
import { addReport, openRound } from '#core/results/round.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { EngineStore } from '#store/engine-store.ts'
import { type WatchPlace, type WatchRow, watchRowsAtOnce } from '#store/monitors/watch-rows.ts'
import { LeaseLostError } from '#store/results/store-batch.ts'
import type { BacklogRow } from '#store/results/unfolded-results.ts'
import { toleratedJumpMs } from '#engine/clock-watch.ts'
import { commitBatch, type CommitOptions } from '#engine/results/commit-batch.ts'
import { setAside } from '#engine/rounds/later-round.ts'
import type { RowOrigin, WatchList } from '#engine/rounds/watch-list.ts'
import { type OpenRound, openRoundOf, type Watched } from '#engine/rounds/watched.ts'

/** So many monitors have their backlogs read together. */
const monitorsOfTurn = 1_000

/**
 * Makes memory equal to the database for whole partitions: after taking them over, when notices were missed, or when a
 * transaction failed and may have been committed. Stored results of rounds that were not folded are folded in round
 * order. A round that began before that would take the place of those: what was taken over is scheduled afterwards.
 * Where a takeover fails half-way, its monitors are forgotten: what comes before the next attempt is only stored then, and
 * not folded by a memory that is older than the database.
 */
export async function readPartitions(
  options: CommitOptions,
  partitions: number[],
  origin: Exclude<RowOrigin, 'change'>,
): Promise<void> {
  try {
    await readThem(options, partitions, origin)
  } catch (error) {
    if (origin === 'takeover') for (const partition of partitions) options.watchList.removePartition(partition)
    throw error
  }
}

async function readThem(
  options: CommitOptions,
  partitions: number[],
  origin: Exclude<RowOrigin, 'change'>,
): Promise<void> {
  const { store, watchList, now } = options
  const present = await applyPages(options, partitions, origin)
  for (const partition of partitions)
    for (const { id } of watchList.ofPartition(partition)) if (!present.has(id)) watchList.remove(id)
  for (const some of withFewMonitors(watchList, partitions)) {
    await foldBacklog(options, some, await store.readBacklog(some))
    if (origin === 'takeover') for (const partition of some) watchList.begin(partition, now())
  }
}

/** The partitions in turns: one with many monitors has a turn of its own, because their backlog may be long. */
function withFewMonitors(watchList: WatchList, partitions: readonly number[]): number[][] {
  const turns: number[][] = []
  let monitors = Infinity
  for (const partition of partitions) {
    const { size } = watchList.ofPartition(partition)
    monitors += size
    if (monitors <= monitorsOfTurn) turns.at(-1)?.push(partition)
    else {
      turns.push([partition])
      monitors = size
    }
  }
  return turns
}

/** Between two pages, the rounds of all other partitions are begun. Returns the ids of the monitors that there are. */
async function applyPages(
  { store, watchList, now }: Pick<CommitOptions, 'store' | 'watchList' | 'now'>,
  partitions: number[],
  origin: RowOrigin,
): Promise<Set<string>> {
  const present = new Set<string>()
  for (let after: WatchPlace | null = null, isLast = partitions.length === 0; !isLast;) {
    const rows: WatchRow[] = await store.readWatchPage({ partitions, after })
    for (const { id } of rows) present.add(id)
    watchList.apply(rows, origin, now())
    after = rows.at(-1) ?? null
    isLast = rows.length < watchRowsAtOnce
  }
  return present
}

type Memory = { store: Pick<EngineStore, 'readWatchRows'>; watchList: WatchList; now: () => number }

/** Reads monitors that were written, whose partitions are held; for `CommitOptions`. */
export function readsAgain(memory: Memory): CommitOptions['readAgain'] {
  return (ids) => readMonitors(memory, [...new Set(ids.map(partitionOf))], ids)
}

/** Reads monitors that were written; those that are gone, paused or elsewhere are not watched any more. */
export async function readMonitors(
  { store, watchList, now }: Memory,
  partitions: number[],
  ids: string[],
): Promise<void> {
  const rows = await store.readWatchRows({ partitions, ids })
  const present = new Set(rows.map(({ id }) => id))
  for (const id of ids) if (!present.has(id)) watchList.remove(id)
  watchList.apply(rows, 'change', now())
}

type StoredRound = { watched: Watched; time: number; rows: BacklogRow[] }

async function foldBacklog(options: CommitOptions, partitions: number[], backlog: BacklogRow[]): Promise<void> {
  let remaining = groupByRound(options.watchList, await withoutFuture(options, partitions, backlog))
  while (remaining.length > 0) {
    const wave = new Map<Watched, StoredRound>()
    const later: StoredRound[] = []
    for (const stored of remaining) {
      if (wave.has(stored.watched)) later.push(stored)
      else wave.set(stored.watched, stored)
    }
    const settling = [...wave.values()].flatMap((stored) => reopened(options, stored))
    await commitBatch(options, [], settling)
    remaining = later
  }
}

/**
 * Results that lie further in the future than the clocks of two engines may part are of a time from which the clock went
 * back. They say nothing of that time when it comes, and must not keep their monitors from being checked until then: their
 * rounds count as folded.
 */
async function withoutFuture(
  { store, watchList, leaseOf, now }: CommitOptions,
  partitions: readonly number[],
  backlog: BacklogRow[],
): Promise<BacklogRow[]> {
  const latest = (now() + toleratedJumpMs) * 1000
  const future = backlog.filter(({ round }) => round > latest)
  if (future.length === 0) return backlog
  const leases = partitions.flatMap((partition) => leaseOf(partition) ?? [])
  if (leases.length < partitions.length) throw new LeaseLostError()
  await store.transaction((tx) => tx.keepFromFolds(leases, future))
  for (const { monitorKey, round } of future) {
    const watched = watchList.byKey(monitorKey)
    if (watched === undefined) continue
    watched.foldedUntil = Math.max(watched.foldedUntil, round)
    if (watched.open !== null && watched.open.time <= watched.foldedUntil)
      watchList.scheduler.close(watched.open, now())
  }
  return backlog.filter(({ round }) => round <= latest)
}

/** The round as the database knows it, open until `commitBatch` finds that it is decided. */
function reopened(
  { watchList, witnessesOf }: Pick<CommitOptions, 'watchList' | 'witnessesOf'>,
  { watched, time, rows }: StoredRound,
): OpenRound[] {
  if (time <= watched.foldedUntil) return []
  if (watched.open === null)
    watchList.scheduler.adopt(openRoundOf(watched, time, openRound(watched.locations, witnessesOf(watched))))
  const { open } = watched
  if (open === null || open.time > time) return []
  for (const row of rows) {
    const answer = { location: row.location, verdict: verdictOf(row) }
    if (open.time < time) setAside(watched, time, answer)
    else addReport(open.round, answer.location, answer.verdict)
  }
  return open.time === time ? [open] : []
}

function groupByRound(watchList: WatchList, backlog: BacklogRow[]): StoredRound[] {
  const rounds: StoredRound[] = []
  for (const row of backlog) {
    const watched = watchList.byKey(row.monitorKey)
    if (watched === undefined) continue
    const last = rounds.at(-1)
    if (last?.watched === watched && last.time === row.round) last.rows.push(row)
    else rounds.push({ watched, time: row.round, rows: [row] })
  }
  return rounds
}

function verdictOf({ status, statusCode, latencyMs, error, details }: BacklogRow): Verdict {
  return { status, statusCode, latencyMs, error, phases: noPhases, details: details ?? {} }
}
