import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Result } from '#core/results/result.ts'
import { oldestRoundMs } from '#core/results/round.ts'
import { isStorable } from '#core/results/storable.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { EngineStore } from '#store/engine-store.ts'
import { isDataError, isMissingMonitor } from '#store/database/database-failures.ts'
import {
  type Lease,
  LeaseLostError,
  type RejectedResult,
  resultKey,
  type StorableResult,
} from '#store/results/store-batch.ts'
import type { MonitorKey } from '#store/monitors/watch-rows.ts'
import { writeDrafts } from './write-drafts.ts'
import { applyDraft, type Arrival, type Draft, draftRounds, isLater, type WitnessesOf } from './draft-rounds.ts'
import type { EvidenceKeeper } from './evidence-keeper.ts'
import type { ViewKeeper } from './view-keeper.ts'
import type { LocationIds } from '#engine/locations/location-ids.ts'
import type { Course, RoundTraces } from './round-traces.ts'
import { applyExpiryDrafts, draftExpiries, writeExpiryDrafts } from './expiry-drafts.ts'
import { assertFolded, OvertakenError } from './overtaken-calls.ts'
import { keepReached } from './reached-addresses.ts'
import { setAside, takeUpLater } from '#engine/rounds/later-round.ts'
import type { WatchList } from '#engine/rounds/watch-list.ts'
import type { OpenRound, Watched } from '#engine/rounds/watched.ts'

export type CommitOptions = {
  store: EngineStore
  watchList: WatchList
  locationIds: LocationIds
  leaseOf: (partition: number) => Lease | undefined
  now: () => number
  newId: () => string
  witnessesOf: WitnessesOf
  /** Gets the monitors whose version had risen when their fold was to be written: they are to be read again. */
  changed: Set<string>
  /** Reads monitors again at once. */
  readAgain: (monitorIds: string[]) => Promise<void>
  evidence: EvidenceKeeper
  views: ViewKeeper
  /** Null where no round is traced. */
  traces: RoundTraces | null
  onStored: (count: number) => void
  /** Called for each monitor whose status changed, because the status of its groups depends on it. */
  onTurned: (watched: Watched, turn: { hasRecovered: boolean }) => void
  /**
   * Called for each parent of monitors whose rounds failed while they were not down yet: whether it is down as well is to
   * be known before alerts leave. `failedMs` is when the last of these rounds began.
   */
  onParentDoubted: (monitorId: string, failedMs: number) => void
  /** Called for each round that is closed and written, before memory follows. */
  onDecided: (draft: Draft) => void
  onRejected: (reason: string, result: Result) => void
}

/** A result with everything that storing it needs; `arrival` is null when its monitor is not watched any more. */
type Incoming = { result: Result; partition: number; monitorKey: number; locationId: number; arrival: Arrival | null }

const furthestAheadMs = 60_000

/** Transactions of at most so many results and rounds use plans that are kept, which PostgreSQL makes for few rows. */
const fewRows = 100

/** How many results one transaction takes, about, and how many transactions run side by side. */
const resultsPerTransaction = 1_000
const maxTransactions = 2

/**
 * Does what `commitBatch` does, in two transactions at once when many results came: the database works on one while
 * this thread prepares the other, or on both. They share no partition, so neither waits for the other's locks. Throws
 * when both have ended and one has failed.
 */
export async function commitSideBySide(
  options: CommitOptions,
  results: Result[],
  settling: OpenRound[],
): Promise<void> {
  const count = Math.min(maxTransactions, Math.round(results.length / resultsPerTransaction))
  if (count <= 1) return commitBatch(options, results, settling)
  const ended = await Promise.allSettled(
    Array.from({ length: count }, (_, part) =>
      commitBatch(
        options,
        results.filter(({ monitorId }) => partitionOf(monitorId) % count === part),
        settling.filter(({ watched }) => watched.partition % count === part),
      ),
    ),
  )
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

/**
 * Stores results, folds the rounds they close and those that settle, writes what follows, all in one transaction, and
 * then changes memory. Results that the database refuses are set aside one by one; any other failure is thrown with
 * memory unchanged.
 */
export async function commitBatch(options: CommitOptions, results: Result[], settling: OpenRound[]): Promise<void> {
  const incoming = await resolve(options, results)
  const [first = [], ...later] = wavesOf(incoming)
  if (first.length > 0 || settling.length > 0) await commitOrSplit(options, first, settling)
  for (const wave of later) await commitOrSplit(options, wave, [])
}

/**
 * Each call is a round of its own, and a monitor has one round in a transaction: further calls go into further
 * transactions.
 */
function wavesOf(incoming: Incoming[]): Incoming[][] {
  const waves: Incoming[][] = []
  const calls = new Map<Watched, number>()
  for (const each of incoming) {
    const watched = each.arrival?.watched
    const wave = watched === undefined || watched.source.type === 'probed' ? 0 : (calls.get(watched) ?? 0)
    if (watched !== undefined) calls.set(watched, wave + 1)
    ;(waves[wave] ??= []).push(each)
  }
  return waves
}

async function commitOrSplit(options: CommitOptions, incoming: Incoming[], settling: OpenRound[]): Promise<void> {
  try {
    await commitCurrent(options, incoming, settling)
  } catch (error) {
    if (!isDataError(error) || incoming.length === 0) throw error
    const [only] = incoming
    if (incoming.length > 1) {
      const middle = incoming.length >> 1
      await commitOrSplit(options, incoming.slice(0, middle), [])
      await commitOrSplit(options, incoming.slice(middle), settling)
    } else if (only !== undefined) {
      if (!isMissingMonitor(error)) await reject(options, [{ reason: String(error), result: only.result }])
      if (settling.length > 0) await commitOrSplit(options, [], settling)
    }
  }
}

/** Once more where monitors changed while calls to them were being stored. */
async function commitCurrent(options: CommitOptions, incoming: Incoming[], settling: OpenRound[]): Promise<void> {
  try {
    await commit(options, { incoming, settling, isAgain: false })
  } catch (error) {
    if (!(error instanceof OvertakenError)) throw error
    await options.readAgain(error.monitorIds)
    await commit(options, { incoming, settling, isAgain: true })
  }
}

type Committing = { incoming: Incoming[]; settling: OpenRound[]; isAgain: boolean }

async function commit(options: CommitOptions, { incoming, settling, isAgain }: Committing): Promise<void> {
  const { store, now, newId, witnessesOf } = options
  const leases = leasesOf(options, incoming, settling)
  const storable = incoming.flatMap(storableOf)
  const course: Course = { judgingMs: 0, judgedMs: 0, writtenMs: 0 }
  const plansOnce = incoming.length + settling.length <= fewRows
  const { drafts, expiries, stale, stored, arrived } = await store.transaction(
    async (tx) => {
      const fresh = await tx.storeResults(leases, await tx.withSoftwareCounts(storable))
      const arrivals = incoming.flatMap((each) => (isFresh(each, fresh) && each.arrival !== null ? [each.arrival] : []))
      const seen = draftExpiries(arrivals)
      await writeExpiryDrafts(tx, seen)
      await keepReached(tx, arrivals)
      course.judgingMs = now()
      const made = draftRounds({ arrivals, settling, nowMs: course.judgingMs, newId, witnessesOf })
      course.judgedMs = now()
      const overtaken = await writeDrafts(tx, made)
      if (!isAgain) assertFolded({ arrivals, settling }, overtaken)
      course.writtenMs = now()
      return {
        drafts: made,
        expiries: seen,
        stale: overtaken,
        stored: fresh?.size ?? storable.length,
        arrived: arrivals,
      }
    },
    { plansOnce },
  )
  options.onStored(stored)
  options.traces?.committed({
    stored: incoming.map(({ result, arrival }) => ({ result, watched: arrival?.watched ?? null })),
    drafts: drafts.filter(({ watched, outcome }) => outcome !== null && !stale.has(watched.key)),
    course,
    nowMs: now(),
  })
  keepLater(arrived, drafts, now())
  applyAll(options, drafts, stale)
  applyExpiryDrafts(expiries)
  options.evidence.note(arrived)
  options.views.note(arrived)
  for (const { arrival } of incoming) arrival?.watched.busy?.delete(arrival.result.location)
}

/** What these results tell is stored, and no draft has counted it. */
function keepLater(arrivals: readonly Arrival[], drafts: readonly Draft[], nowMs: number): void {
  const others = arrivals.filter(({ watched, result }) => watched.open?.time !== result.round)
  if (others.length === 0) return
  const drafted = new Map(drafts.map(({ watched, open }) => [watched, open]))
  for (const arrival of others) {
    const { watched, result } = arrival
    if (isLater(drafted.get(watched) ?? watched.open, arrival, nowMs)) setAside(watched, result.round, result)
  }
}

function applyAll(options: CommitOptions, drafts: Draft[], stale: Set<number>): void {
  const { watchList, changed, now, witnessesOf, onTurned, onParentDoubted, onDecided } = options
  const { scheduler } = watchList
  const doubted = new Map<string, number>()
  for (const draft of drafts) {
    const { watched, open } = draft
    const before = watched.standing.status
    for (const parentId of doubtedBy(draft, before))
      doubted.set(parentId, Math.max(doubted.get(parentId) ?? 0, open.time / 1000))
    if (stale.has(watched.key)) changed.add(watched.id)
    else {
      if (draft.outcome !== null) onDecided(draft)
      applyDraft(draft)
    }
    settle(draft, { scheduler, nowMs: now() })
    takeUpLater(watched, { scheduler, witnessesOf, nowMs: now() })
    if (draft.outcome?.type === 'no_data') scheduler.again(watched, now())
    if (draft.outcome?.type === 'failed') retrySoon(draft, { scheduler, nowMs: now() })
    if (watched.source.type === 'called') scheduler.schedule(watched, { isAtOnce: false, nowMs: now() })
    if (watched.standing.status !== before) onTurned(watched, { hasRecovered: before === 'down' })
  }
  for (const [parentId, failedMs] of doubted) onParentDoubted(parentId, failedMs)
}

/**
 * Another engine may have begun the round of a draft, and this one the same while the first results of it were being
 * stored: what was decided then decides both, and what was heard counts here as well.
 */
function settle({ watched, open, outcome }: Draft, { scheduler, nowMs }: Settling): void {
  const begun = watched.open?.time === open.time ? watched.open : null
  if (outcome !== null) for (const each of new Set([open, begun ?? open])) scheduler.close(each, nowMs)
  else if (watched.open === null) scheduler.adopt(open)
  else if (begun !== null) begun.round = open.round
}

/** Until it is down: then the failure is certain. */
function retrySoon({ watched, open }: Draft, { scheduler, nowMs }: Settling): void {
  const { settings, standing } = watched
  if (settings.retrySeconds === null || standing.status === 'down') return
  scheduler.soon(watched, Math.max(nowMs, open.time / 1000 + settings.retrySeconds * 1000))
}

type Settling = { scheduler: WatchList['scheduler']; nowMs: number }

function doubtedBy({ watched, outcome }: Draft, before: CurrentStatus): readonly string[] {
  return outcome?.type === 'failed' && before !== 'down' ? watched.parentIds : []
}

function leasesOf({ leaseOf }: CommitOptions, incoming: Incoming[], settling: OpenRound[]): Lease[] {
  const partitions = new Set<number>()
  for (const { partition } of incoming) partitions.add(partition)
  for (const { watched } of settling) partitions.add(watched.partition)
  return Array.from(partitions, (partition) => {
    const lease = leaseOf(partition)
    if (lease === undefined) throw new LeaseLostError()
    return lease
  })
}

/** A location that could not tell sends a result without verdict: it counts in its round and is not stored. */
function storableOf({ result, monitorKey, locationId }: Incoming): StorableResult[] {
  const { version, round, verdict } = result
  return verdict === null ? [] : [{ monitorKey, version, round, locationId, verdict }]
}

function isFresh({ result, monitorKey, locationId }: Incoming, fresh: Set<string> | null): boolean {
  return fresh === null || result.verdict === null || fresh.has(resultKey(monitorKey, result.round, locationId))
}

/**
 * Finds the keys of monitors and locations. Results of deleted monitors are dropped, and those of locations that their
 * monitor does not choose, or no longer chooses. Results of an unknown location or an impossible time are set aside.
 */
async function resolve(options: CommitOptions, results: Result[]): Promise<Incoming[]> {
  const { watchList, store, locationIds, now } = options
  const watchedOnes = results.map(({ monitorId }) => watchList.byId(monitorId))
  const unknown = results.filter((_, index) => watchedOnes[index] === undefined)
  const others = unknown.length === 0 ? new Map<string, MonitorKey>() : await store.readMonitorKeys(uniqueIds(unknown))
  await locationIds.learn(results.map(({ location }) => location))
  const nowMs = now()
  const incoming: Incoming[] = []
  const rejected: Rejection[] = []
  for (const [index, result] of results.entries()) {
    const watched = watchedOnes[index]
    const other = others.get(result.monitorId)
    const monitorKey = watched?.key ?? other?.key
    if (monitorKey === undefined || !isChosen(result, watched, other)) continue
    const locationId = locationIds.idOf(result.location)
    const problem = problemOf(result, { locationId, nowMs })
    if (problem !== null || locationId === undefined) {
      rejected.push({ reason: problem ?? 'unknown location', result })
      continue
    }
    const arrival = watched === undefined ? null : { watched, result }
    incoming.push({ result, partition: partitionOf(result.monitorId), monitorKey, locationId, arrival })
  }
  await reject(options, rejected)
  return incoming
}

function isChosen({ location }: Result, watched: Watched | undefined, other: MonitorKey | undefined): boolean {
  if (watched !== undefined) return watched.source.type !== 'probed' || watched.locations.includes(location)
  return other?.checkedFrom?.includes(location) ?? true
}

function problemOf(
  result: Result,
  { locationId, nowMs }: { locationId: number | undefined; nowMs: number },
): string | null {
  const { round } = result
  if (locationId === undefined) return 'unknown location'
  if (!isStorable(result)) return unstorable
  if (round / 1000 < nowMs - oldestRoundMs) return 'older than two hours'
  return round / 1000 > nowMs + furthestAheadMs ? 'round lies in the future' : null
}

type Rejection = { reason: string; result: Result }

const unstorable = 'a text or a number that the database does not take'

/** All at once, because a location may send hundreds of them, which others wait for. */
async function reject({ store, onRejected }: CommitOptions, rejections: readonly Rejection[]): Promise<void> {
  if (rejections.length === 0) return
  await store.transaction((tx) => tx.keepRejected(rejections.map(keptOf)))
  for (const { reason, result } of rejections) onRejected(reason, result)
}

/** What its target sent is kept nowhere in the clear, and where it stands goes with its monitor. */
function keptOf({ reason, result }: Rejection): RejectedResult {
  const { evidence: _evidence, address: _address, view: _view, ...plain } = result
  return { reason, result: isStorable(result) ? plain : { ...plain, verdict: null } }
}

function uniqueIds(results: Result[]): string[] {
  return [...new Set(results.map(({ monitorId }) => monitorId))]
}
