import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type Job, type Runner, type Task, type TaskList, type WorkerEvents, run } from 'graphile-worker'
import type { Database } from '#store/database/database.ts'
import { silentLogger } from '#store/database/job-queue.ts'
import { type HeldJobs, createHeldJobs } from './held-jobs.ts'
import type { JobLog } from './job-parts.ts'
import { type LaneOptions, type Lanes, createLanes } from './lanes.ts'
import { repeat } from './timer.ts'
import { type Turns, createTurns } from './turns.ts'

export type RunnerOptions = {
  database: Database
  tasks: Readonly<Record<string, Task>>
  concurrency: number
  /** The most jobs at a time in these lanes. */
  limits?: LaneOptions['limits']
  log: JobLog
  /** Told when the queue was changed here, or is about to be: jobs have ended, or were handed back. */
  onChanged?: () => void
}

/**
 * While there are no jobs, the workers together ask no more often, however many they are. They hear of new ones, and are
 * hurried when others become due (`look.ts`).
 */
const idlePauseMs = 10_000
/** A worker that waits longer for the answer to its question for a job holds up the others no more. */
const longestTurnMs = 5000
const handBackEveryMs = 5000
/** A stopping runner lets attempts go on for so long, then hands them back. */
const gracefulMs = 5000
const abandonAfterMs = 8000
/** The last ends are written down after the workers are released. */
const settleMs = 1000
const firstPauseMs = 250
const longestPauseMs = 10_000

/** `ended` resolves, never rejects, when none of its workers works any more; with what ended them, if they failed. */
type Running = { runner: Runner; ended: Promise<unknown>; hurry: () => void }

export type JobRunner = {
  /** Jobs are due: a worker that rests asks for one now. */
  hurry: () => void
  stop: () => Promise<void>
}

/**
 * Works the queue until it is stopped. Loss of the database can end graphile-worker's pool of workers: another one is
 * started, as often as it takes. Rejects when the first one cannot start.
 */
export async function keepRunning(options: RunnerOptions): Promise<JobRunner> {
  const { database, log, onChanged } = options
  const stopping = new AbortController()
  const held = createHeldJobs()
  let running: Running | null = await startRunner(options, held)
  const done = supervise()
  const handingBack = repeat({ name: 'hand_back_lost_jobs', everyMs: handBackEveryMs, run: handBackLost }, log)
  return {
    hurry: () => running?.hurry(),
    stop: async () => {
      stopping.abort()
      await Promise.all([handingBack.stop(), running === null ? null : stopRunner(running)])
      await done
    },
  }

  async function handBackLost(): Promise<void> {
    const number = await held.handBackLost(database)
    if (number === 0) return
    log.info('Jobs that were locked but not running were released.', { number })
    running?.hurry()
    onChanged?.()
  }

  async function supervise(): Promise<void> {
    let pauseMs = firstPauseMs
    while (!stopping.signal.aborted) {
      if (running !== null) {
        const error = await running.ended
        if (!stopping.signal.aborted) log.warn('The job workers stopped.', { error })
        running.runner.stop().catch(() => {})
        pauseMs = firstPauseMs
      }
      running = null
      if (stopping.signal.aborted) return
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
      if (stopping.signal.aborted) return
      running = await startRunner(options, held).catch((error: unknown) => {
        log.warn('The job workers could not start. Trying again.', { error })
        return null
      })
    }
    if (running !== null) await stopRunner(running)
  }
}

async function startRunner(
  { database, tasks, concurrency, limits = new Map<string, number>(), log, onChanged = () => {} }: RunnerOptions,
  held: HeldJobs,
): Promise<Running> {
  const events: WorkerEvents = new EventEmitter()
  const lanes = createLanes({ workers: concurrency, limits })
  events.on('pool:create', ({ workerPool }) => held.addPool(workerPool.id))
  events.on('job:start', ({ job }) => {
    held.begin(job.id)
    lanes.enter(laneOf(job))
  })
  const turns = takeTurns(events)
  events.on('job:error', ({ job, error }) =>
    log.warn('A job failed.', {
      task: job.task_identifier,
      job_id: job.id,
      attempt: job.attempts,
      of: job.max_attempts,
      error,
    }),
  )
  events.on('pool:listen:error', ({ error }) =>
    log.warn('The job workers lost their connection for notifications. Polling instead.', { error }),
  )
  const abandoned = whenAbandoned(events)
  const runner = await run({
    pgPool: database.pool,
    taskList: tasksIn(tasks, { held, lanes, onRoom: turns.hurry, onChanged }),
    concurrency,
    forbiddenFlags: async () => {
      await turns.begin()
      return lanes.full()
    },
    pollInterval: idlePauseMs,
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
  return { runner, ended, hurry: turns.hurry }
}

/** A job has its lane as its only flag; jobs of earlier releases have none. */
function laneOf({ flags }: Pick<Job, 'flags'>): string | null {
  const [lane = null] = Object.keys(flags ?? {})
  return lane
}

type Ends = { held: HeldJobs; lanes: Lanes; onRoom: () => void; onChanged: () => void }

/** The tasks, whose ends are told. */
function tasksIn(tasks: RunnerOptions['tasks'], { held, lanes, onRoom, onChanged }: Ends): TaskList {
  const told =
    (task: Task): Task =>
    async (payload, helpers) => {
      try {
        return await task(payload, helpers)
      } finally {
        held.end(helpers.job.id)
        const isAwaited = lanes.full().length > 0
        lanes.leave(laneOf(helpers.job))
        if (isAwaited) onRoom()
        onChanged()
      }
    }
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, told(task)]))
}

/** Workers ask for jobs one after the other: asked at once, each would find room in the same lane. */
function takeTurns(events: WorkerEvents): Turns {
  const turns = createTurns(longestTurnMs)
  let pauseMs = idlePauseMs
  events.on('job:start', () => turns.end(0))
  events.on('worker:getJob:empty', () => turns.end(pauseMs))
  events.on('worker:getJob:error', () => turns.end(pauseMs))
  events.on('pool:listen:notification', turns.hurry)
  events.once('pool:gracefulShutdown', () => {
    pauseMs = 0
    turns.hurry()
  })
  return turns
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
