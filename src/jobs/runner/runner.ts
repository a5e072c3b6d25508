import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type Runner, type TaskList, type WorkerEvents, run } from 'graphile-worker'
import type { Database } from '#store/database/database.ts'
import { silentLogger } from '#store/database/job-queue.ts'
import type { JobLog } from './job-parts.ts'

export type RunnerOptions = { database: Database; tasks: TaskList; concurrency: number; log: JobLog }

const pollIntervalMs = 2000
/** A stopping runner lets attempts go on for so long, then hands them back. */
const gracefulMs = 5000
const abandonAfterMs = 8000
/** The last ends are written down after the workers are released. */
const settleMs = 1000
const firstPauseMs = 250
const longestPauseMs = 10_000

/** `ended` resolves, never rejects, when none of its workers works any more; with what ended them, if they failed. */
type Running = { runner: Runner; ended: Promise<unknown> }

/**
 * Works the queue until it is stopped. Loss of the database can end graphile-worker's pool of workers: another one is
 * started, as often as it takes. Rejects when the first one cannot start.
 */
export async function keepRunning(options: RunnerOptions): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController()
  let running: Running | null = await startRunner(options)
  const done = supervise()
  return {
    stop: async () => {
      stopping.abort()
      if (running !== null) await stopRunner(running)
      await done
    },
  }

  async function supervise(): Promise<void> {
    let pauseMs = firstPauseMs
    while (!stopping.signal.aborted) {
      if (running !== null) {
        const error = await running.ended
        if (!stopping.signal.aborted) options.log.warn('The job workers stopped.', { error })
        running.runner.stop().catch(() => {})
        pauseMs = firstPauseMs
      }
      running = null
      if (stopping.signal.aborted) return
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
      if (stopping.signal.aborted) return
      running = await startRunner(options).catch((error: unknown) => {
        options.log.warn('The job workers could not start; trying again.', { error })
        return null
      })
    }
    if (running !== null) await stopRunner(running)
  }
}

async function startRunner({ database, tasks, concurrency, log }: RunnerOptions): Promise<Running> {
  const events: WorkerEvents = new EventEmitter()
  events.on('job:error', ({ job, error }) =>
    log.warn('A job failed.', { task: job.task_identifier, attempt: job.attempts, of: job.max_attempts, error }),
  )
  events.on('pool:listen:error', ({ error }) => log.warn('The job workers lost the database; polling.', { error }))
  const abandoned = whenAbandoned(events)
  const runner = await run({
    pgPool: database.pool,
    taskList: tasks,
    concurrency,
    pollInterval: pollIntervalMs,
    noHandleSignals: true,
    crontab: '',
    logger: silentLogger,
    events,
    gracefulShutdownAbortTimeout: gracefulMs,
    // Batched, a job whose end cannot be written stops the pool; unbatched, it is an unhandled rejection.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  })
  const settled = runner.promise.catch((error: unknown) => error)
  const ended = Promise.race([settled, abandoned.promise]).finally(abandoned.cancel)
  return { runner, ended }
}

/**
 * graphile-worker 0.18 miscounts when several batches of ends cannot be written: its pool shuts down, and its promise
 * never settles. So it is waited for a moment only once the workers are released, and for a bounded time before.
 */
function whenAbandoned(events: WorkerEvents): { promise: Promise<unknown>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const timers: NodeJS.Timeout[] = []
  let cause: unknown
  const abandonAfter = (delayMs: number): void => void timers.push(setTimeout(() => resolve(cause), delayMs))
  events.once('pool:fatalError', ({ error }) => {
    cause = error
  })
  events.once('pool:gracefulShutdown', () => abandonAfter(abandonAfterMs))
  events.once('pool:gracefulShutdown:complete', () => abandonAfter(settleMs))
  return { promise, cancel: () => timers.forEach(clearTimeout) }
}

/** Waits for what runs; it aborts itself before the deadline, after which it is left alone. */
async function stopRunner({ runner, ended }: Running): Promise<void> {
  runner.stop().catch(() => {})
  await ended
}
