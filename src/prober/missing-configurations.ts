import { maxConfigurationsPerRequest } from '#bus/bus.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { roundGraceMs } from '#core/results/round.ts'
import type { Time } from '#time/time.ts'

/** The pause after configurations could not be read. */
const askAgainMs = 500

type Waiting = { monitorId: string; arrivedMs: number }

type Asking<Task extends Waiting> = {
  ask: (monitorIds: string[]) => Promise<CheckConfiguration[]>
  /** `task` is null where it has been given up meanwhile. */
  onFound: (configuration: CheckConfiguration, task: Task | null) => void
  /** What was asked for at once has come. */
  onAnswered: () => void
  onFailed: (error: unknown) => void
  time: Pick<Time, 'steadyMs' | 'pause'>
}

/** Tasks whose configuration was asked for, the last one of each monitor. */
export class MissingConfigurations<Task extends Waiting> {
  readonly #asking: Asking<Task>
  #tasks = new Map<string, Task>()
  #isAsking = false
  #isStopped = false

  constructor(asking: Asking<Task>) {
    this.#asking = asking
  }

  get waiting(): number {
    return this.#tasks.size
  }

  want(task: Task): void {
    this.#tasks.set(task.monitorId, task)
    if (!this.#isAsking) void this.#ask()
  }

  stop(): void {
    this.#isStopped = true
  }

  /** Asks for what is missing, a bounded number at a time. What no longer exists is not answered and forgotten. */
  async #ask(): Promise<void> {
    this.#isAsking = true
    const { ask, onFound, onAnswered, onFailed, time } = this.#asking
    while (this.#tasks.size > 0 && !this.#isStopped) {
      const ids = [...this.#tasks.keys()].slice(0, maxConfigurationsPerRequest)
      const tasks = new Map(ids.map((id) => [id, this.#tasks.get(id)]))
      for (const id of ids) this.#tasks.delete(id)
      try {
        for (const configuration of await ask(ids)) onFound(configuration, tasks.get(configuration.monitorId) ?? null)
        onAnswered()
      } catch (error) {
        onFailed(error)
        this.#wantAgain(tasks)
        await time.pause(askAgainMs)
      }
    }
    this.#isAsking = false
  }

  /** Only what no later assignment replaces, and what the engine may still wait for. */
  #wantAgain(tasks: ReadonlyMap<string, Task | undefined>): void {
    const nowMs = this.#asking.time.steadyMs()
    for (const [id, task] of tasks)
      if (task !== undefined && !this.#tasks.has(id) && nowMs - task.arrivedMs < roundGraceMs) this.#tasks.set(id, task)
  }
}
