import type { Change } from '#bus/bus.ts'
import { isMonitorId } from '#core/monitors/monitor-id.ts'
import { createClockWatch, type Instant, instantOf } from './clock-watch.ts'
import type { EngineOptions } from './engine-options.ts'
import { createEngineParts, type EngineParts, warnOf } from './engine-parts.ts'
import { everyAfter } from './every-after.ts'
import { checkChildren, checkParent } from '#engine/rounds/parents.ts'
import { createRoundTurns } from '#engine/rounds/round-turns.ts'
import { readUsuals } from '#engine/rounds/usuals.ts'
import type { Planned } from '#engine/rounds/scheduler.ts'
import { createTicks, type Ticks } from './ticks.ts'

const usualRenewMs = 2_000
const compareMs = 10_000
const usualsMs = 5_000

/** By how much the clock jumped, and when each monitor is due by what it says now. */
/** `planned` and `noticed` are of the time after it. */
export type Jump = { jumpMs: number; planned: Planned; noticed: Instant }

export type RunningOptions = {
  /** When monitors are due, as the engine before this one in the same process had planned it. */
  planned: Planned
  onJump: (jump: Jump) => void
}

/**
 * Starts, ticks and stops the parts of an engine. When its clock jumps it ends by itself, says by how much, and is to be
 * stopped.
 */
export class RunningEngine {
  readonly #options: EngineOptions
  readonly #parts: EngineParts
  readonly #takeTurns: (nowMs: number) => void
  readonly #isAwake: (instant: Instant) => boolean
  #ticks: Ticks | null = null
  #ends: (() => void)[] = []

  constructor(options: EngineOptions, { planned, onJump }: RunningOptions) {
    const { presence, time } = options
    this.#options = options
    this.#parts = createEngineParts(options, { planned, onNextDue: () => this.#ticks?.look() })
    const { watchList, heardUntil, settle } = this.#parts
    this.#takeTurns = createRoundTurns(watchList.scheduler, presence)
    this.#isAwake = createClockWatch({
      ...instantOf(time),
      time,
      heardUntil,
      settle,
      onJump: (jumpMs) => {
        this.#end()
        const noticed = instantOf(time)
        const { nowMs } = noticed
        onJump({ jumpMs, planned: watchList.planned({ nowMs, beforeMs: nowMs - jumpMs }), noticed })
      },
    })
  }

  get watching(): number {
    return this.#parts.watchList.size
  }

  get partitions(): number {
    return this.#parts.leases.held().length
  }

  get waiting(): number {
    return this.#parts.resultFlow.waiting
  }

  unchecked(): number {
    return this.#parts.unchecked.count()
  }

  lagMs(): number {
    return this.#parts.watchList.scheduler.lagMs(this.#options.time.nowMs())
  }

  /** From now on it takes its share of the partitions and watches their monitors. */
  begin(): void {
    const { bus, readConfigurations, renewMs = usualRenewMs, log, time } = this.#options
    const { resultFlow, holdings } = this.#parts
    const repeated = (pauseMs: number, work: () => Promise<void>, failure: string): (() => void) =>
      everyAfter(time, { pauseMs, work, onError: warnOf(log, failure) })
    const ticks = createTicks({ time, tick: () => this.#tick(), wantedMs: () => this.#wantedMs() })
    this.#ticks = ticks
    this.#ends = [
      ticks.end,
      bus.onResults((results) => {
        const committed = resultFlow.accept(results)
        ticks.look()
        return committed
      }),
      bus.onConfigurationRequest(readConfigurations),
      bus.onChange((change) => {
        this.#onChange(change)
        ticks.look()
      }),
      repeated(renewMs, () => holdings.settle(), 'The partitions could not be renewed.'),
      repeated(compareMs, () => this.#compare(), 'The watch list could not be compared.'),
      repeated(usualsMs, () => this.#readUsuals(), 'What is usual for monitors could not be read.'),
    ]
  }

  /** Resolves when it watches all that it can take now; rejects when the database cannot be asked. */
  async settled(): Promise<void> {
    await this.#parts.holdings.settle()
    await this.#parts.holdings.settled()
  }

  /** Finishes what was accepted and gives the partitions back. */
  async stop(): Promise<void> {
    const { resultFlow, serialQueue, holdings, commit } = this.#parts
    this.#end()
    resultFlow.close()
    await serialQueue.drained()
    await Promise.all([commit.evidence.close(), commit.views.close()])
    await holdings.retire()
  }

  #end(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  /** What is under way waits for each tick; where nothing is, the next one is for the monitor that is due first. */
  #wantedMs(): number {
    const { resultFlow, selfMadeQueue, watchSync, watchList } = this.#parts
    const { nextDueMs, openRounds } = watchList.scheduler
    const isUnderWay = openRounds > 0 || resultFlow.waiting > 0 || !selfMadeQueue.isEmpty || watchSync.hasNoted
    return isUnderWay ? -Infinity : nextDueMs
  }

  #tick(): void {
    const { resultFlow, heardUntil, watchSync } = this.#parts
    const instant = instantOf(this.#options.time)
    const { nowMs } = instant
    const isAwake = this.#isAwake(instant)
    resultFlow.commitDue(nowMs)
    if (!isAwake) return
    if (heardUntil.look(nowMs)) this.#options.presence.doubt(nowMs)
    if (heardUntil.knowsWhoIsThere(nowMs)) this.#takeTurns(nowMs)
    void watchSync.readNoted(nowMs)
    resultFlow.makeDue(nowMs)
  }

  async #compare(): Promise<void> {
    await this.#parts.watchSync.compare()
    this.#parts.unchecked.look()
  }

  #readUsuals(): Promise<void> {
    const { watchList } = this.#parts
    const { store, time } = this.#options
    return readUsuals({ store, monitors: watchList.all, now: time.nowMs })
  }

  /** A group is evaluated at once when one of its members changed, and what is down when that it depends on is back. */
  #onChange({ monitorId, hasRecovered = false, failedMs }: Change): void {
    // It would be looked for again and again, and the others that were noted with it never read.
    if (!isMonitorId(monitorId)) return
    const { watchSync, watchList } = this.#parts
    const nowMs = this.#options.time.nowMs()
    if (failedMs !== undefined) {
      const parent = watchList.byId(monitorId)
      if (parent !== undefined) checkParent(watchList.scheduler, parent, { failedMs, nowMs })
      return
    }
    watchSync.note(monitorId)
    for (const group of watchList.groupsOf(monitorId)) watchList.scheduler.schedule(group, { isAtOnce: true, nowMs })
    if (hasRecovered) checkChildren(watchList.scheduler, watchList.childrenOf(monitorId), nowMs)
  }
}
