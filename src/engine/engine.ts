import { instantOf, setBetween, toleratedJumpMs } from './clock-watch.ts'
import type { EngineOptions } from './engine-options.ts'
import { type Jump, RunningEngine } from './running-engine.ts'
import type { Planned } from '#engine/rounds/scheduler.ts'

export type Engine = {
  /** Finishes what was accepted and gives the partitions back. */
  stop: () => Promise<void>
  readonly watching: number
  readonly partitions: number
  /** Monitors without data for five minutes and for three of their intervals. */
  unchecked: () => number
  /** How late the most overdue round is, in milliseconds. */
  lagMs: () => number
  /** Results that arrived and are in no batch yet. */
  readonly waiting: number
}

const noteAgainMs = 1_000

/** Schedules the monitors of its partitions, takes their results, and writes what follows from them. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const engine = new LastingEngine(options)
  await engine.start()
  return engine
}

/** Replaces the running engine when the clock jumps, because no time that it has planned lies where it should then. */
class LastingEngine implements Engine {
  readonly #options: EngineOptions
  #running: RunningEngine
  #replacing: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(options: EngineOptions) {
    this.#options = options
    this.#running = this.#create()
  }

  async start(): Promise<void> {
    this.#running.begin()
    await this.#running.settled()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#replacing
    await this.#running.stop()
  }

  get watching(): number {
    return this.#running.watching
  }

  get partitions(): number {
    return this.#running.partitions
  }

  get waiting(): number {
    return this.#running.waiting
  }

  unchecked(): number {
    return this.#running.unchecked()
  }

  lagMs(): number {
    return this.#running.lagMs()
  }

  #create(planned: Planned = new Map()): RunningEngine {
    return new RunningEngine(this.#options, { planned, onJump: (jump) => this.#beginAnew(jump) })
  }

  #beginAnew(jump: Jump): void {
    if (this.#isStopping) return
    this.#tell(jump.jumpMs)
    this.#replacing = this.#replace(jump)
  }

  #tell(jumpMs: number): void {
    const { log, presence, observer } = this.#options
    log.warn('The clock jumped. Every monitor is still checked when it was due.', {
      seconds: Math.round(jumpMs / 1000),
    })
    presence.shift(jumpMs)
    observer.jumped()
  }

  /** The new engine takes its partitions by itself, even when the database is away at first. */
  async #replace(jump: Jump): Promise<void> {
    const { log } = this.#options
    await this.#running
      .stop()
      .catch((error: unknown) => log.warn('The partitions could not be given back.', { error: String(error) }))
    const planned = await this.#noteAll(jump)
    if (this.#isStopping) return
    this.#running = this.#create(planned)
    this.#running.begin()
  }

  /** No engine watches the clock meanwhile, and it may jump again. Returns what is planned by the time that it is then. */
  async #noteAll(first: Jump): Promise<Planned> {
    let { jumpMs, planned, noticed } = first
    for (;;) {
      await this.#noteJump(jumpMs)
      const instant = instantOf(this.#options.time)
      jumpMs = setBetween(noticed, instant)
      if (this.#isStopping || Math.abs(jumpMs) <= toleratedJumpMs) return planned
      this.#tell(jumpMs)
      planned = new Map([...planned].map(([id, dueMs]) => [id, dueMs + jumpMs]))
      noticed = instant
    }
  }

  /** A new engine that read the deadlines of the former time would call those missed that only look so. */
  async #noteJump(jumpMs: number): Promise<void> {
    const { log, onClockJump, time } = this.#options
    for (let hasFailed = false; !this.#isStopping; hasFailed = true)
      try {
        await onClockJump?.(jumpMs)
        return
      } catch (error) {
        if (!hasFailed) log.warn('A jump of the clock could not be stored yet.', { error: String(error) })
        await time.pause(noteAgainMs)
      }
  }
}
