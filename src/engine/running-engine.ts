import { randomUUID } from 'node:crypto'
import type { Change } from '#bus/bus.ts'
import type { Result } from '#core/results/result.ts'
import { LeaseLostError } from '#store/results/store-batch.ts'
import { createClockWatch } from './clock-watch.ts'
import type { EngineOptions } from './engine-options.ts'
import { every, everyAfter } from './every.ts'
import { createWatchSync, type WatchSync } from '#engine/partitions/watch-sync.ts'
import { createHeardUntil, type HeardUntil } from '#engine/locations/heard-until.ts'
import { createHoldings, type Holdings } from '#engine/partitions/holdings.ts'
import { commitBatch, type CommitOptions, commitSideBySide } from '#engine/results/commit-batch.ts'
import { createResultQueue, type ResultQueue } from '#engine/results/result-queue.ts'
import { createSerialQueue } from '#engine/rounds/serial-queue.ts'
import { createLeases, type Leases } from '#engine/partitions/leases.ts'
import { createLocationIds } from '#engine/locations/location-ids.ts'
import { createSelfMadeQueue } from '#engine/results/self-made-queue.ts'
import { createSelfMadeWork } from '#engine/results/self-made-work.ts'
import { createRoundTurns } from '#engine/rounds/round-turns.ts'
import { readPartitions } from '#engine/partitions/read-into-memory.ts'
import { createMemoryRepair } from '#engine/rounds/memory-repair.ts'
import { createUnchecked, type Unchecked } from '#engine/rounds/unchecked.ts'
import { createWatchList, type WatchList } from '#engine/rounds/watch-list.ts'
import type { Watched } from '#engine/rounds/watched.ts'

const tickMs = 50
const leaseMs = 2_000
const compareMs = 10_000

/** An engine for as long as its clock does not go back: then it ends by itself, tells by how much, and is to be stopped. */
export class RunningEngine {
  readonly #options: EngineOptions
  readonly #now: () => number
  readonly #serialQueue = createSerialQueue()
  readonly #selfMadeQueue = createSelfMadeQueue()
  readonly #memoryRepair = createMemoryRepair((partitions) => readPartitions(this.#commitOptions, partitions, 'repair'))
  readonly #heardUntil: HeardUntil
  readonly #leases: Leases
  readonly #watchList: WatchList
  readonly #commitOptions: CommitOptions
  readonly #holdings: Holdings
  readonly #watchSync: WatchSync
  readonly #resultQueue: ResultQueue
  readonly #unchecked: Unchecked
  readonly #takeTurns: (nowMs: number) => void
  readonly #makeDue: (nowMs: number) => Promise<void>
  readonly #isAwake: (nowMs: number) => boolean
  #ends: (() => void)[] = []

  constructor(options: EngineOptions, onBack: (backMs: number) => void) {
    const { database, bus, presence, log, now = Date.now } = options
    this.#options = options
    this.#now = now
    this.#heardUntil = createHeardUntil(bus, now())
    this.#leases = createLeases(database, options.name)
    this.#watchList = this.#createWatchList()
    this.#commitOptions = this.#createCommitOptions()
    this.#holdings = this.#createHoldings()
    this.#watchSync = createWatchSync(this.#commitOptions, {
      serialQueue: this.#serialQueue,
      watched: this.#holdings.watched,
    })
    this.#resultQueue = this.#createResultQueue()
    this.#unchecked = createUnchecked({
      monitors: this.#watchList.all,
      now,
      onBegun: (monitors) => log.warn('Monitors are not being checked: is a prober missing?', { monitors }),
    })
    this.#takeTurns = createRoundTurns(this.#watchList.scheduler, presence)
    this.#makeDue = this.#createSelfMadeWork()
    this.#isAwake = createClockWatch({
      nowMs: now(),
      heardUntil: this.#heardUntil,
      settle: () => this.#settle(),
      onBack: (backMs) => {
        this.#end()
        onBack(backMs)
      },
    })
  }

  get watching(): number {
    return this.#watchList.size
  }

  get partitions(): number {
    return this.#leases.held().length
  }

  get waiting(): number {
    return this.#resultQueue.waiting
  }

  unchecked(): number {
    return this.#unchecked.count()
  }

  lagMs(): number {
    return this.#watchList.scheduler.lagMs(this.#now())
  }

  /** It takes its partitions, and watches what it took, from now on. */
  begin(): void {
    const { bus, readConfigurations } = this.#options
    this.#ends = [
      bus.onResults((results) => this.#resultQueue.accept(results)),
      bus.onConfigurationRequest(readConfigurations),
      bus.onChange((change) => this.#onChange(change)),
      every(tickMs, () => this.#tick()),
      everyAfter(leaseMs, () => this.#holdings.settle(), this.#warnOf('The partitions could not be renewed.')),
      everyAfter(compareMs, () => this.#compare(), this.#warnOf('The watch list could not be compared.')),
    ]
  }

  /** Resolves when it watches all that it can take now; rejects when the database cannot be asked. */
  async settled(): Promise<void> {
    await this.#holdings.settle()
    await this.#holdings.settled()
  }

  /** Finishes what was accepted and gives the partitions back. */
  async stop(): Promise<void> {
    this.#end()
    this.#resultQueue.close()
    await this.#serialQueue.drained()
    await this.#holdings.retire()
  }

  #end(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  #tick(): void {
    const nowMs = this.#now()
    const isAwake = this.#isAwake(nowMs)
    this.#resultQueue.pump(nowMs)
    if (!isAwake) return
    if (this.#heardUntil.look(nowMs)) this.#options.presence.doubt(nowMs)
    if (this.#heardUntil.knowsWhoIsThere(nowMs)) this.#takeTurns(nowMs)
    if (!this.#memoryRepair.isTimely(nowMs)) return
    if (this.#watchSync.hasNoted) void this.#readChanged()
    void this.#makeDue(nowMs)
  }

  async #measure(results: Result[]): Promise<void> {
    const startedMs = performance.now()
    let isStored = false
    try {
      await this.#serialQueue.run(() => this.#take(results))
      isStored = true
    } finally {
      const seconds = (performance.now() - startedMs) / 1000
      if (results.length > 0) this.#options.observer.batch({ results: results.length, seconds, isStored })
    }
  }

  /** One batch. When it fails, nobody knows whether it was committed: memory is made equal to the database first. */
  async #take(results: Result[]): Promise<void> {
    try {
      await this.#memoryRepair.repair(this.#holdings.watched())
      await this.#watchSync.readNewer(results)
      const expired = this.#watchList.scheduler.expired(this.#now())
      const ours = expired.filter(({ watched }) => this.#isHeld(watched.partition))
      await commitSideBySide(this.#commitOptions, results, ours)
    } catch (error) {
      this.#distrustMemory(error)
      throw error
    }
  }

  #distrustMemory(error: unknown): void {
    this.#memoryRepair.doubt(this.#holdings.watched(), this.#now())
    this.#options.log.warn('Results could not be stored; they will be sent again.', { error: String(error) })
    if (error instanceof LeaseLostError) void this.#settle()
  }

  async #settle(): Promise<void> {
    await this.#holdings.settle().catch(this.#warnOf('The partitions could not be renewed.'))
  }

  async #readChanged(): Promise<void> {
    try {
      await this.#watchSync.readNoted()
    } catch (error) {
      this.#memoryRepair.wait(this.#now())
      this.#options.log.warn('Changed monitors could not be read.', { error: String(error) })
    }
  }

  async #compare(): Promise<void> {
    await this.#watchSync.compare()
    this.#unchecked.look()
  }

  /** Groups look at a member that changed at once. */
  #onChange({ monitorId }: Change): void {
    this.#watchSync.note([monitorId])
    const nowMs = this.#now()
    for (const group of this.#watchList.groupsOf(monitorId))
      this.#watchList.scheduler.schedule(group, { isAtOnce: true, nowMs })
  }

  #isHeld(partition: number): boolean {
    return this.#holdings.leaseOf(partition) !== undefined
  }

  #isWatched(watched: Watched): boolean {
    return this.#watchList.byId(watched.id) === watched && this.#isHeld(watched.partition)
  }

  #drop(partition: number): void {
    this.#memoryRepair.forget(partition)
    for (const { id } of this.#watchList.ofPartition(partition)) this.#watchList.remove(id)
  }

  #warnOf(message: string): (error: unknown) => void {
    return (error) => this.#options.log.warn(message, { error: String(error) })
  }

  #createWatchList(): WatchList {
    const { presence, bus, observer } = this.#options
    return createWatchList({
      presence,
      isHeld: (partition) => this.#isHeld(partition),
      assign: bus.assign,
      onRound: observer.round,
      onSkipped: observer.skipped,
      onSelfMadeDue: this.#selfMadeQueue.add,
    })
  }

  #createCommitOptions(): CommitOptions {
    const { database, bus, observer, log } = this.#options
    return {
      database,
      watchList: this.#watchList,
      locationIds: createLocationIds(database, this.#now),
      leaseOf: (partition) => this.#holdings.leaseOf(partition),
      now: this.#now,
      newId: randomUUID,
      onStale: (ids) => this.#watchSync.note(ids),
      onStored: observer.stored,
      onTurned: ({ id, partition }) => bus.announceChange({ monitorId: id, partition }),
      onRejected: (reason, { monitorId, location }) => {
        observer.rejected()
        log.warn('A result was set aside.', { reason, monitor: monitorId, location })
      },
    }
  }

  #createHoldings(): Holdings {
    return createHoldings({
      bus: this.#options.bus,
      leases: this.#leases,
      serialQueue: this.#serialQueue,
      read: (partitions) => readPartitions(this.#commitOptions, partitions, 'takeover'),
      drop: (partition) => this.#drop(partition),
      onFailure: this.#warnOf('Monitors of taken partitions could not be read; they will be read again.'),
    })
  }

  #createResultQueue(): ResultQueue {
    return createResultQueue({
      isHeld: (partition) => this.#isHeld(partition),
      commitBatch: (results) => this.#measure(results),
      hasExpired: (nowMs) => this.#memoryRepair.isTimely(nowMs) && this.#watchList.scheduler.hasExpired(nowMs),
      now: this.#now,
    })
  }

  #createSelfMadeWork(): (nowMs: number) => Promise<void> {
    return createSelfMadeWork({
      database: this.#options.database,
      serialQueue: this.#serialQueue,
      queue: this.#selfMadeQueue,
      scheduler: this.#watchList.scheduler,
      isWatched: (watched) => this.#isWatched(watched),
      // A call that was received before the deadline and still waits is heard first.
      heardUntilMs: (nowMs, what) =>
        Math.min(this.#resultQueue.oldestMs ?? Infinity, this.#heardUntil.timeMs(nowMs, what)),
      hasHeard: (partitions) => this.#options.bus.hasHeard(partitions),
      repair: () => this.#memoryRepair.repair(this.#holdings.watched()),
      commitBatch: (results) => commitBatch(this.#commitOptions, results, []),
      onFailure: (error) => this.#distrustMemory(error),
      now: this.#now,
    })
  }
}
