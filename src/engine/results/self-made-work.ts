import type { Result } from '#core/results/result.ts'
import type { EngineStore } from '#store/engine-store.ts'
import type { Heard } from '#engine/locations/heard-until.ts'
import type { SelfMadeQueue } from './self-made-queue.ts'
import { makeSelfMadeResults } from './self-made-results.ts'
import type { Scheduler } from '#engine/rounds/scheduler.ts'
import { retryPauseMs } from '#engine/rounds/memory-repair.ts'
import type { Watched } from '#engine/rounds/watched.ts'

export type SelfMadeWorkOptions = {
  store: Pick<EngineStore, 'readMembers' | 'readDeadlines'>
  queue: SelfMadeQueue
  scheduler: Scheduler
  /** Whether this very object is still the memory of a monitor that is evaluated here. */
  isWatched: (watched: Watched) => boolean
  /**
   * Everything that was received before this moment has been stored, as far as can be told without asking the broker.
   */
  heardUntilMs: (nowMs: number, what: Heard) => number
  /** Whether nothing of these partitions that was received before now still waits to be stored. */
  hasHeard: (partitions: readonly number[]) => Promise<boolean>
  /** Runs work on memory that is as the database. */
  decide: (work: () => Promise<void>) => Promise<void>
  commit: (results: Result[]) => Promise<void>
  now: () => number
}

/**
 * Makes the results that no prober and no caller sends: of deadlines that passed, and of groups that are due. Called by
 * each tick. A call that was received before the deadline is stored first. Never rejects: what failed is due again.
 */
export function createSelfMadeWork(options: SelfMadeWorkOptions): (nowMs: number) => Promise<void> {
  const { store, queue, scheduler, isWatched, heardUntilMs, hasHeard, decide, commit, now } = options

  async function make(due: ReadonlyMap<Watched, number>): Promise<void> {
    const watched = new Map([...due].filter(([each]) => isWatched(each)))
    const { results, putOff, held } = await makeSelfMadeResults(store, watched)
    queue.hold(held, now() + retryPauseMs)
    for (const each of putOff) scheduler.schedule(each, { isAtOnce: false, nowMs: now() })
    await commit(results)
  }

  async function makeSafely(due: ReadonlyMap<Watched, number>): Promise<void> {
    if (due.size === 0) return
    try {
      await decide(() => make(due))
    } catch {
      for (const [watched, dueMs] of due) queue.add(watched, dueMs)
    }
  }

  /** A call that the broker has, however late it hands it over, is stored before a deadline counts as missed. */
  async function makeMissed(due: ReadonlyMap<Watched, number>): Promise<void> {
    if (due.size === 0) return
    const partitions = new Set([...due.keys()].map(({ partition }) => partition))
    if (await hasHeard([...partitions])) await makeSafely(due)
    else queue.hold(due, now() + retryPauseMs)
  }

  return async (nowMs) => {
    queue.release(nowMs)
    if (queue.size === 0) return
    const due = queue.takeBefore((watched) => heardUntilMs(nowMs, isCalled(watched) ? 'calls' : 'results'))
    const called = new Map([...due].filter(([watched]) => isCalled(watched)))
    const others = new Map([...due].filter(([watched]) => !isCalled(watched)))
    await Promise.all([makeMissed(called), makeSafely(others)])
  }
}

function isCalled({ source }: Watched): boolean {
  return source.type === 'called'
}
