import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Change, EngineBus } from '#bus/bus.ts'
import type { CheckConfiguration } from '#core/check.ts'
import type { Result } from '#core/result.ts'
import type { Database } from '#store/database.ts'
import { LeaseLostError } from '#store/intake.ts'
import { ingest, type IngestOptions, ingestSideBySide } from './ingest.ts'
import { createIntake, type Intake } from './intake.ts'
import { createLane } from './lane.ts'
import { createFollowing, type Following } from './following.ts'
import { createHearing, type Hearing } from './hearing.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import { createLeases, type Leases } from './leases.ts'
import { createOwnQueue } from './own-queue.ts'
import { makeOwnResults } from './own-results.ts'
import { createLocationIds } from './location-ids.ts'
import type { PresenceBook } from './presence.ts'
import { every, everyAfter } from './every.ts'
import { readPartitions } from './takeover.ts'
import { createWatchList, type WatchList } from './watch-list.ts'
import type { Watched } from './watched.ts'

export type EngineOptions = {
  /** Its own connections, which end transactions that go silent (architecture.md, Partitions). */
  database: Database
  bus: EngineBus
  presence: PresenceBook
  /** Unique among all engines of the database. */
  name: string
  readConfigurations: (location: string, ids: string[]) => Promise<CheckConfiguration[]>
  observer: EngineObserver
  log: { warn: (message: string, details?: Record<string, unknown>) => void }
  now?: () => number
}

/** What the metrics want to know. */
export type EngineObserver = {
  round: (lagMs: number) => void
  skipped: () => void
  stored: (count: number) => void
  rejected: () => void
  /** Results that arrived together were stored, or could not be and were handed back. */
  batch: (batch: { results: number; seconds: number; isStored: boolean }) => void
}

export type Engine = {
  /** Finishes what was accepted and gives the partitions back. */
  stop: () => Promise<void>
  readonly watching: number
  readonly partitions: number
  /** Monitors without data for five minutes and three of their intervals (decisions.md A2). */
  unchecked: () => number
  /** How long the monitor has waited for its round to begin that has waited longest, in milliseconds. */
  lagMs: () => number
  /** Results that arrived and are in no batch yet. */
  readonly waiting: number
}

const tickMs = 50
const uncheckedMs = 300_000
const leaseMs = 2_000
/** How often whoever was asked is looked at. */
const reviewMs = 500
/** Without a tick for so long this engine stood still: others may have taken what it held. */
const standstillMs = 2_000
/** For so long it then waits for the database's word on that. */
const settleMs = 5_000
/** After so long, whoever is there looks as if they were gone. */
const deafMs = 4_000
const compareMs = 10_000
/** After a failure, before the database is asked again. */
const retryPauseMs = 500

/** Schedules the monitors of its partitions, takes their results, and writes what follows from them. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const engine = new RunningEngine(options)
  await engine.start()
  return engine
}

class RunningEngine implements Engine {
  readonly #options: EngineOptions
  readonly #now: () => number
  readonly #lane = createLane()
  readonly #leases: Leases
  readonly #holdings: Holdings
  readonly #watchList: WatchList
  readonly #following: Following
  readonly #intake: Intake
  readonly #ingestOptions: IngestOptions
  readonly #own = createOwnQueue()
  readonly #hearing: Hearing
  #tickedMs: number
  #isAwaking = false
  #reviewedMs = -Infinity
  #generation = 0
  readonly #startedMs = performance.now()
  /** Partitions whose memory may be behind the database. */
  readonly #broken = new Set<number>()
  #retryAfterMs = -Infinity
  #hasUnchecked = false
  #ends: (() => void)[] = []

  constructor(options: EngineOptions) {
    const { database, bus, presence, observer } = options
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#tickedMs = this.#now()
    this.#hearing = createHearing(bus, this.#tickedMs)
    this.#leases = createLeases(database, options.name)
    this.#watchList = createWatchList({
      presence,
      assign: bus.assign,
      onRound: observer.round,
      onSkipped: observer.skipped,
      onOwn: this.#own.add,
    })
    this.#ingestOptions = {
      database,
      watchList: this.#watchList,
      locationIds: createLocationIds(database, this.#now),
      leaseOf: (partition) => this.#holdings.leaseOf(partition),
      now: this.#now,
      newId: randomUUID,
      onStale: (ids) => this.#following.note(ids),
      onStored: observer.stored,
      onTurned: ({ id, partition }) => bus.announceChange({ monitorId: id, partition }),
      onRejected: (reason, result) => this.#reportRejected(reason, result),
    }
    this.#holdings = createHoldings({
      bus,
      leases: this.#leases,
      lane: this.#lane,
      read: (partitions) => readPartitions(this.#ingestOptions, partitions, 'takeover'),
      drop: (partition) => this.#drop(partition),
      onFailure: this.#warnOf('Monitors of taken partitions could not be read; they will be read again.'),
    })
    this.#following = createFollowing(this.#ingestOptions, { lane: this.#lane, watched: this.#holdings.watched })
    this.#intake = createIntake({
      isHeld: (partition) => this.#holdings.leaseOf(partition) !== undefined,
      ingest: (results) => this.#measure(results, () => this.#lane.run(() => this.#take(results))),
      hasExpired: (nowMs) => nowMs >= this.#retryAfterMs && this.#watchList.scheduler.hasExpired(nowMs),
      now: this.#now,
    })
  }

  get watching(): number {
    return this.#watchList.size
  }

  get partitions(): number {
    return this.#leases.held().length
  }

  unchecked(): number {
    const nowMs = this.#now()
    let count = 0
    for (const watched of this.#watchList.all()) if (isUnchecked(watched, nowMs)) count += 1
    return count
  }

  lagMs(): number {
    return this.#watchList.scheduler.lagMs(this.#now())
  }

  get waiting(): number {
    return this.#intake.waiting
  }

  async start(): Promise<void> {
    const { bus, readConfigurations } = this.#options
    this.#ends = [
      bus.onResults((results) => this.#intake.accept(results)),
      bus.onConfigurationRequest(readConfigurations),
      bus.onChange(({ monitorId }: Change) => this.#onChange(monitorId)),
      every(tickMs, () => this.#tick()),
      everyAfter(leaseMs, () => this.#holdings.settle(), this.#warnOf('The partitions could not be renewed.')),
      everyAfter(compareMs, () => this.#compare(), this.#warnOf('The watch list could not be compared.')),
    ]
    await this.#holdings.settle()
    await this.#holdings.settled()
  }

  async stop(): Promise<void> {
    for (const end of this.#ends) end()
    this.#intake.close()
    await this.#lane.drained()
    await this.#holdings.retire()
  }

  #tick(): void {
    const nowMs = this.#now()
    const gapMs = nowMs - this.#tickedMs
    this.#tickedMs = nowMs
    if (gapMs > standstillMs) void this.#awake(nowMs, gapMs)
    this.#intake.pump(nowMs)
    if (this.#isAwaking) return
    if (this.#hearing.look(nowMs)) this.#options.presence.doubt(nowMs)
    if (this.#hearing.knowsWhoIsThere(nowMs)) this.#ask(nowMs)
    if (this.#following.hasNoted && nowMs >= this.#retryAfterMs) void this.#readChanged()
    this.#own.release(nowMs)
    if (this.#own.size > 0 && nowMs >= this.#retryAfterMs) void this.#makeOwn()
  }

  /** Only who knows who is there can say which locations take part, and which are gone. */
  #ask(nowMs: number): void {
    const { scheduler } = this.#watchList
    scheduler.tick(nowMs)
    if (nowMs - this.#reviewedMs < reviewMs) return
    this.#reviewedMs = nowMs
    const generation = this.#options.presence.generation(nowMs)
    if (generation !== this.#generation || scheduler.hasUnasked) scheduler.review(nowMs)
    this.#generation = generation
  }

  /** Asks nothing and says nothing before it knows what it still holds, unless nobody can tell. */
  async #awake(nowMs: number, gapMs: number): Promise<void> {
    if (this.#isAwaking) return
    this.#isAwaking = true
    if (gapMs > deafMs) this.#hearing.beginAnew(nowMs)
    await Promise.race([this.#settleAgain(), pause(settleMs)])
    this.#isAwaking = false
  }

  async #measure(results: Result[], ingestAll: () => Promise<void>): Promise<void> {
    const startedMs = performance.now()
    let isStored = false
    try {
      await ingestAll()
      isStored = true
    } finally {
      const seconds = (performance.now() - startedMs) / 1000
      if (results.length > 0) this.#options.observer.batch({ results: results.length, seconds, isStored })
    }
  }

  /** One batch. When it fails, nobody knows whether it was committed: memory is made equal to the database first. */
  async #take(results: Result[]): Promise<void> {
    try {
      await this.#repair()
      const expired = this.#watchList.scheduler.expired(this.#now())
      const ours = expired.filter(({ watched }) => this.#holdings.leaseOf(watched.partition) !== undefined)
      await ingestSideBySide(this.#ingestOptions, results, ours)
    } catch (error) {
      this.#distrustMemory(error)
      throw error
    }
  }

  /** A call that was received before the deadline and still waits is heard first. */
  async #makeOwn(): Promise<void> {
    const nowMs = this.#now()
    const due = this.#own.takeBefore(Math.min(this.#intake.oldestMs ?? Infinity, this.#hearing.heardUntilMs(nowMs)))
    if (due.size === 0) return
    const { database } = this.#options
    try {
      await this.#lane.run(async () => {
        await this.#repair()
        const watched = new Map([...due].filter(([each]) => this.#isWatched(each)))
        const runningMs = performance.now() - this.#startedMs
        const { results, putOff, held } = await makeOwnResults(database, watched, runningMs)
        this.#own.hold(held, this.#now() + retryPauseMs)
        for (const each of putOff) this.#watchList.scheduler.schedule(each, { isAtOnce: false, nowMs: this.#now() })
        await ingest(this.#ingestOptions, results, [])
      })
    } catch (error) {
      for (const [watched, dueMs] of due) this.#own.add(watched, dueMs)
      this.#distrustMemory(error)
    }
  }

  #isWatched(watched: Watched): boolean {
    return this.#watchList.byId(watched.id) === watched && this.#holdings.leaseOf(watched.partition) !== undefined
  }

  #distrustMemory(error: unknown): void {
    for (const partition of this.#holdings.watched()) this.#broken.add(partition)
    this.#retryAfterMs = this.#now() + retryPauseMs
    this.#options.log.warn('Results could not be stored; they will be sent again.', { error: String(error) })
    if (error instanceof LeaseLostError) void this.#settleAgain()
  }

  async #settleAgain(): Promise<void> {
    await this.#holdings.settle().catch(this.#warnOf('The partitions could not be renewed.'))
  }

  async #repair(): Promise<void> {
    if (this.#broken.size === 0) return
    const partitions = this.#holdings.watched().filter((partition) => this.#broken.has(partition))
    await readPartitions(this.#ingestOptions, partitions, 'repair')
    for (const partition of partitions) this.#broken.delete(partition)
  }

  #drop(partition: number): void {
    this.#broken.delete(partition)
    for (const { id } of this.#watchList.ofPartition(partition)) this.#watchList.remove(id)
  }

  async #readChanged(): Promise<void> {
    try {
      await this.#following.readNoted()
    } catch (error) {
      this.#retryAfterMs = this.#now() + retryPauseMs
      this.#options.log.warn('Changed monitors could not be read.', { error: String(error) })
    }
  }

  async #compare(): Promise<void> {
    await this.#following.compare()
    this.#warnOfUnchecked()
  }

  /** One notice when it begins, not one a monitor (decisions.md A2). */
  #warnOfUnchecked(): void {
    const monitors = this.unchecked()
    if (monitors > 0 && !this.#hasUnchecked)
      this.#options.log.warn('Monitors are not being checked: is a prober missing?', { monitors })
    this.#hasUnchecked = monitors > 0
  }

  /** Groups look at a member that changed at once. */
  #onChange(monitorId: string): void {
    this.#following.note([monitorId])
    const nowMs = this.#now()
    for (const group of this.#watchList.groupsOf(monitorId))
      this.#watchList.scheduler.schedule(group, { isAtOnce: true, nowMs })
  }

  #reportRejected(reason: string, { monitorId, location }: Result): void {
    this.#options.observer.rejected()
    this.#options.log.warn('A result was set aside.', { reason, monitor: monitorId, location })
  }

  #warnOf(message: string): (error: unknown) => void {
    return (error) => this.#options.log.warn(message, { error: String(error) })
  }
}

function isUnchecked({ dataMs, intervalMs, source }: Watched, nowMs: number): boolean {
  return source.type === 'probed' && nowMs - dataMs > Math.max(uncheckedMs, 3 * intervalMs)
}
