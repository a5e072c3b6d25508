// The way of a result inside the engine, from top to bottom: it waits (results/result-queue), its batch is committed
// (results/commit-batch), which folds the rounds it closes (results/draft-rounds) and writes what follows from them,
// down to the alerts (results/write-drafts). Memory changes after the commit; the sender is told last.
import { isMonitorId } from '#core/monitors/monitor-id.ts'
import type { Result } from '#core/results/result.ts'
import { LeaseLostError } from '#store/results/store-batch.ts'
import type { EngineObserver, EngineOptions } from './engine-options.ts'
import type { HeardUntil } from '#engine/locations/heard-until.ts'
import type { HeldPartitions } from '#engine/partitions/held-partitions.ts'
import type { WatchSync } from '#engine/partitions/watch-sync.ts'
import { commitBatch, type CommitOptions, commitSideBySide } from '#engine/results/commit-batch.ts'
import { createResultQueue, type ResultQueue, type WaitingBatch } from '#engine/results/result-queue.ts'
import type { SelfMadeQueue } from '#engine/results/self-made-queue.ts'
import { createSelfMadeWork } from '#engine/results/self-made-work.ts'
import type { MemoryRepair } from '#engine/rounds/memory-repair.ts'
import type { Time } from '#time/time.ts'

export type ResultFlowOptions = {
  commit: CommitOptions
  held: HeldPartitions
  memoryRepair: MemoryRepair
  watchSync: Pick<WatchSync, 'readNewer'>
  selfMadeQueue: SelfMadeQueue
  heardUntil: Pick<HeardUntil, 'timeMs'>
  bus: Pick<EngineOptions['bus'], 'hasHeard'>
  /** Asks the database what is still held here. Never rejects. */
  settle: () => Promise<void>
  observer: Pick<EngineObserver, 'batch'>
  log: EngineOptions['log']
  time: Pick<Time, 'steadyMs' | 'soon' | 'after'>
}

/** Takes results, those that arrive and those that the engine makes itself, until they are committed. */
export class ResultFlow {
  readonly #options: ResultFlowOptions
  readonly #queue: ResultQueue
  readonly #makeSelfMade: (nowMs: number) => Promise<void>
  #isCommitting = false
  #isClosed = false
  /** Before this no batch begins for the sake of what is urgent; of the clock that never jumps. */
  #restedMs = 0
  #endWait: (() => void) | null = null

  constructor(options: ResultFlowOptions) {
    const { commit, held, heardUntil, bus, selfMadeQueue } = options
    const { store, watchList, now } = commit
    this.#options = options
    this.#queue = createResultQueue({ isHeld: held.isHeld, now })
    this.#makeSelfMade = createSelfMadeWork({
      store,
      queue: selfMadeQueue,
      scheduler: watchList.scheduler,
      // Where a takeover failed half-way, calls that are stored and not folded yet may have met the deadline.
      isWatched: (watched) => watchList.byId(watched.id) === watched && held.isWatched(watched.partition),
      // A call that was received before the deadline and still waits is heard first.
      heardUntilMs: (nowMs, what) => Math.min(this.#queue.oldestMs ?? Infinity, heardUntil.timeMs(nowMs, what)),
      hasHeard: (partitions) => bus.hasHeard(partitions),
      decide: (work) => this.#decide(work),
      commit: (results) => commitBatch(commit, results, []),
      now,
    })
  }

  /** Results that arrived and are in no batch yet. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Resolves when these results are committed, rejects when they are not: the sender then sends them again. Those of
   * what can be no monitor are dropped, as those of a monitor that was deleted are.
   */
  accept(results: Result[]): Promise<void> {
    const ofMonitors = results.filter(({ monitorId }) => isMonitorId(monitorId))
    this.#options.commit.traces?.arrived(ofMonitors)
    const isUrgent = ofMonitors.some((result) => this.#isUrgent(result))
    const committed = this.#queue.add(ofMonitors, { isUrgent })
    if (isUrgent) this.#hurry()
    else this.commitDue(this.#options.commit.now())
    return committed
  }

  /** Begins a batch when one is due. One follows the other. */
  commitDue(nowMs: number): void {
    if (this.#isCommitting || this.#isClosed || !this.#isBatchDue(nowMs)) return
    this.#isCommitting = true
    const { time, commit } = this.#options
    const begunMs = time.steadyMs()
    void this.#commit(this.#queue.takeBatch()).finally(() => {
      this.#isCommitting = false
      const endedMs = time.steadyMs()
      this.#restedMs = endedMs + (endedMs - begunMs)
      this.commitDue(commit.now())
      if (this.#queue.hasUrgent) this.#hurry()
    })
  }

  /** Makes the results that no prober and no caller sends: of passed deadlines, and of groups that are due. */
  makeDue(nowMs: number): void {
    if (this.#options.memoryRepair.isTimely(nowMs)) void this.#makeSelfMade(nowMs)
  }

  /** Hands back what waits and takes nothing more. */
  close(): void {
    this.#isClosed = true
    this.#endWait?.()
    this.#queue.close()
  }

  /** A caller waits until its call is durable, and people for what turns a monitor. */
  #isUrgent({ monitorId, verdict }: Result): boolean {
    const watched = this.#options.commit.watchList.byId(monitorId)
    if (watched === undefined || verdict === null) return false
    const { status } = watched.standing
    return (
      watched.source.type === 'called' || status === 'pending' || (verdict.status === 'down') !== (status === 'down')
    )
  }

  /**
   * Begins a batch as soon as what comes in this turn of the event loop is there. After each batch there is a pause of
   * its length, in which more may come: under load batches grow, instead of becoming many.
   */
  #hurry(): void {
    if (this.#endWait !== null || this.#isCommitting || this.#isClosed) return
    const { time, commit } = this.#options
    const go = (): void => {
      this.#endWait = null
      this.commitDue(commit.now())
      // A timer may be early by a part of a millisecond.
      if (this.#queue.hasUrgent) this.#hurry()
    }
    const restMs = this.#restedMs - time.steadyMs()
    this.#endWait = restMs > 0 ? time.after(restMs, go) : time.soon(go)
  }

  /** Rounds whose deadline has passed want a batch even when no result came. */
  #isBatchDue(nowMs: number): boolean {
    const { commit, memoryRepair, time } = this.#options
    if (this.#queue.hasUrgent && time.steadyMs() >= this.#restedMs) return true
    return this.#queue.isDue(nowMs) || (memoryRepair.isTimely(nowMs) && commit.watchList.scheduler.hasExpired(nowMs))
  }

  async #commit({ results, acknowledge, handBack }: WaitingBatch): Promise<void> {
    try {
      await this.#measure(results.length, () => this.#decide(() => this.#store(results)))
      acknowledge()
    } catch (cause) {
      handBack(cause)
    }
  }

  async #store(results: Result[]): Promise<void> {
    const { commit, held, watchSync } = this.#options
    await watchSync.readNewer(results)
    const expired = commit.watchList.scheduler.expired(commit.now())
    const ours = expired.filter(({ watched }) => held.isHeld(watched.partition))
    await commitSideBySide(commit, results, ours)
  }

  /** When it fails, memory is read again before anything else is decided (`memoryRepair`). */
  async #decide(work: () => Promise<void>): Promise<void> {
    const { memoryRepair, settle, log } = this.#options
    try {
      await memoryRepair.decide(work)
    } catch (error) {
      log.warn('Results could not be stored; they will be sent again.', { error: String(error) })
      if (error instanceof LeaseLostError) void settle()
      throw error
    }
  }

  async #measure(results: number, work: () => Promise<void>): Promise<void> {
    const { time, observer } = this.#options
    const startedMs = time.steadyMs()
    let isStored = false
    try {
      await work()
      isStored = true
    } finally {
      const seconds = (time.steadyMs() - startedMs) / 1000
      if (results > 0) observer.batch({ results, seconds, isStored })
    }
  }
}
