import { setTimeout as wait } from 'node:timers/promises'
import { isWaitingWork, lookForWork, type WaitingWork } from '#store/waiting-work.ts'
import type { JobLog, JobParts } from './job-parts.ts'
import { type Chore, firstShare } from './timer.ts'

const lookMs = 250
/** Nothing depends on it: whatever a look should miss, through whatever fault, waits no longer. */
const unaskedMs = 60_000
/** After a look or a run that failed; there is no use in asking a database that is gone four times a second. */
const retryMs = 1_000
const nothing: ReadonlySet<WaitingWork> = new Set()

type Looking = Pick<JobParts, 'database' | 'now'> & { log: JobLog; onJobs: () => void }

/**
 * Runs chores while there is work for them: one statement asks for all of them, so that a service at rest asks its
 * database little. A chore runs at once at the start, then when a look finds work for it and its `everyMs` have passed
 * since it ended, and once a minute unasked. `onJobs` is called while jobs of the queue are due.
 */
export function runWhatWaits(chores: readonly Chore[], looking: Looking): { stop: () => Promise<void> } {
  const { database, now, log, onJobs } = looking
  const stopping = new AbortController()
  const { signal } = stopping
  const waiters = chores.map((chore, place) => createWaiter(chore, log, firstShare(place)))
  const done = loop()
  return {
    stop: async () => {
      stopping.abort()
      await done
      await Promise.all(waiters.map(({ ended }) => ended()))
    },
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const found = await look()
      if (found?.has('jobs') === true) onJobs()
      for (const waiter of waiters) if (!signal.aborted) waiter.run(found ?? nothing, signal)
      await wait(found === null ? retryMs : lookMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async function look(): Promise<ReadonlySet<WaitingWork> | null> {
    return lookForWork(database, now()).catch((error: unknown) => {
      log.warn('A recurring job failed.', { task: 'look_for_work', job_id: null, error })
      return null
    })
  }
}

type Waiter = {
  /** Begins a run where it is time for one. */
  run: (found: ReadonlySet<WaitingWork>, signal: AbortSignal) => void
  ended: () => Promise<void>
}

function createWaiter({ name, everyMs, run }: Chore, log: JobLog, share: number): Waiter {
  let restMs = unaskedMs * share
  let running: Promise<void> | null = null
  let askedFromMs = 0
  let unaskedFromMs = 0
  const begin = async (signal: AbortSignal): Promise<void> => {
    const isDone = await run(signal).then(
      () => true,
      (error: unknown) => {
        log.warn('A recurring job failed.', { task: name, job_id: null, error })
        return false
      },
    )
    const endedMs = performance.now()
    askedFromMs = endedMs + (isDone ? everyMs : Math.max(everyMs, retryMs))
    unaskedFromMs = endedMs + (isDone ? restMs : Math.max(everyMs, retryMs))
    if (isDone) restMs = unaskedMs
    running = null
  }
  return {
    run: (found, signal) => {
      if (running !== null) return
      const isAsked = isWaitingWork(name) && found.has(name)
      const nowMs = performance.now()
      if (nowMs >= (isAsked ? askedFromMs : unaskedFromMs)) running = begin(signal)
    },
    ended: async () => void (await running),
  }
}
