import { setTimeout as wait } from 'node:timers/promises'
import type { Commits } from '#store/database/commits.ts'
import { type FoundWork, isWaitingWork, lookForWork, soonMs, type WaitingWork } from '#store/waiting-work.ts'
import type { JobLog, JobParts } from './job-parts.ts'
import { type Chore, firstShare } from './timer.ts'

const lookMs = 250
/** Nothing depends on it: whatever a look should miss, through whatever fault, waits no longer. */
const unaskedMs = 60_000
/** After a look or a run that failed; there is no use in asking a database that is gone four times a second. */
const retryMs = 1_000
/** An end of a job is written a moment after the job: nothing waits where so many looks in a row have found nothing. */
const looksUntilRest = 2
const nothing: FoundWork = { waiting: new Set(), isSoon: false }

type Looking = Pick<JobParts, 'database' | 'now'> & {
  log: JobLog
  onJobs: () => void
  /** Where no other process writes to the database; else null. */
  commits: Commits | null
}

/**
 * Runs chores while there is work for them: one statement asks for all of them, so that a service at rest asks its
 * database little. A chore runs at once at the start, then when a look finds work for it and its `everyMs` have passed
 * since it ended, and once a minute unasked. `onJobs` is called while jobs of the queue are due. Where nothing waits and
 * no other process writes, the next look comes when this one has written something, or after some seconds.
 */
export function runWhatWaits(chores: readonly Chore[], looking: Looking): { stop: () => Promise<void> } {
  const { database, now, log, onJobs, commits } = looking
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
    let quietLooks = 0
    while (!signal.aborted) {
      const written = commits?.count
      const found = await look()
      const { waiting, isSoon } = found ?? nothing
      if (waiting.has('jobs')) onJobs()
      for (const waiter of waiters) if (!signal.aborted) waiter.run(waiting, signal)
      await wait(found === null ? retryMs : lookMs, undefined, { signal, ref: false }).catch(() => {})
      const isQuiet = found !== null && waiting.size === 0 && !isSoon && !waiters.some(({ isRunning }) => isRunning())
      quietLooks = isQuiet && commits?.count === written ? quietLooks + 1 : 0
      if (commits === null || quietLooks < looksUntilRest) continue
      await untilWritten(commits)
      if (commits.count !== written) quietLooks = 0
    }
  }

  /** Or until what was not due at the last look may be. */
  async function untilWritten({ onCommit }: Commits): Promise<void> {
    const written = new AbortController()
    const end = onCommit(() => written.abort())
    const over = AbortSignal.any([signal, written.signal])
    await wait(soonMs - lookMs, undefined, { signal: over, ref: false }).catch(() => {})
    end()
  }

  async function look(): Promise<FoundWork | null> {
    return lookForWork(database, now()).catch((error: unknown) => {
      log.warn('A recurring job failed.', { task: 'look_for_work', job_id: null, error })
      return null
    })
  }
}

type Waiter = {
  /** Begins a run where it is time for one. */
  run: (found: ReadonlySet<WaitingWork>, signal: AbortSignal) => void
  isRunning: () => boolean
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
    isRunning: () => running !== null,
    ended: async () => void (await running),
  }
}
