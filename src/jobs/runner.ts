import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type Runner, type TaskList, type WorkerEvents, run } from 'graphile-worker'
import type { Database } from '#store/database.ts'
import { silentLogger } from '#store/job-queue.ts'
import type { JobLog } from './parts.ts'

export type RunnerOptions = { database: Database; tasks: TaskList; concurrency: number; log: JobLog }

const pollIntervalMs = 2000
/** A stopping runner lets attempts go on for so long, then hands them back. */
const gracefulMs = 5000
const killAfterMs = 8000
const firstPauseMs = 250
const longestPauseMs = 10_000

/**
 * Works the queue until it is stopped. Loss of the database can end graphile-worker's pool of workers: another one is
 * started, as often as it takes. Rejects when the first one cannot start.
 */
export async function keepRunning(options: RunnerOptions): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController()
  let runner: Runner | null = await startRunner(options)
  const done = supervise()
  return {
    stop: async () => {
      stopping.abort()
      if (runner !== null) await stopRunner(runner)
      await done
    },
  }

  async function supervise(): Promise<void> {
    let pauseMs = firstPauseMs
    while (!stopping.signal.aborted) {
      if (runner !== null) {
        await runner.promise.catch((error: unknown) => options.log.warn('The job workers stopped.', { error }))
        pauseMs = firstPauseMs
      }
      runner = null
      if (stopping.signal.aborted) return
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
      if (stopping.signal.aborted) return
      runner = await startRunner(options).catch((error: unknown) => {
        options.log.warn('The job workers could not start; trying again.', { error })
        return null
      })
    }
    if (runner !== null) await stopRunner(runner)
  }
}

async function startRunner({ database, tasks, concurrency, log }: RunnerOptions): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter()
  events.on('job:error', ({ job, error }) =>
    log.warn('A job failed.', { task: job.task_identifier, attempt: job.attempts, of: job.max_attempts, error }),
  )
  events.on('pool:listen:error', ({ error }) => log.warn('The job workers lost the database; polling.', { error }))
  return run({
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
}

/** Waits for what runs; it aborts itself before the deadline, after which it is left alone. */
async function stopRunner(runner: Runner): Promise<void> {
  const ending = runner.promise.catch(() => {})
  runner.stop().catch(() => {})
  const deadline = new AbortController()
  const late = wait(killAfterMs, 'late' as const, { signal: deadline.signal }).catch(() => 'ended' as const)
  const first = await Promise.race([ending.then(() => 'ended' as const), late])
  deadline.abort()
  if (first === 'late') await runner.kill().catch(() => {})
}
