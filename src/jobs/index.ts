import type { TaskList } from 'graphile-worker'
import { z } from 'zod'
import { sweepDeliveries } from '#store/deliveries.ts'
import { forgetKeys } from '#store/idempotency.ts'
import { forgetFailedJobs, releaseDeadWorkers } from '#store/job-queue.ts'
import { forgetMonitorTask } from '#store/monitor-removal.ts'
import { mailTask } from '#store/notices.ts'
import { createResultPartitions } from '#store/result-partitions.ts'
import { deliver } from './deliver.ts'
import { forgetMonitor } from './forget-monitor.ts'
import { notify } from './notify.ts'
import type { JobParts } from './parts.ts'
import { keepRunning } from './runner.ts'
import { type Chore, repeat } from './timer.ts'

export type JobsOptions = Omit<JobParts, 'now'> & {
  /** Jobs at a time in this process. */
  concurrency: number
  now?: () => Date
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
/** Twice the longest attempt and then some; a job held longer has no worker any more. */
const deadAfterMs = 2 * minute

/** Works the job queue and does the chores until it is stopped, whatever the database does meanwhile. */
export async function startJobs(options: JobsOptions): Promise<{ stop: () => Promise<void> }> {
  const { database, concurrency, log } = options
  const parts = { ...options, now: options.now ?? ((): Date => new Date()) }
  const runner = await keepRunning({ database, concurrency, log, tasks: tasksOf(parts) })
  const timers = choresOf(parts).map((chore) => repeat(chore, log))
  return {
    stop: async () => {
      await Promise.all([runner.stop(), ...timers.map((timer) => timer.stop())])
    },
  }
}

const deliverPayload = z.object({ delivery_id: z.uuid() })

function tasksOf(parts: JobParts): TaskList {
  return {
    deliver: (payload, { abortSignal }) => deliver(deliverPayload.parse(payload).delivery_id, parts, abortSignal),
    [mailTask]: (payload, { abortSignal }) => notify(payload, parts, abortSignal),
    [forgetMonitorTask]: (payload, { abortSignal }) => forgetMonitor(parts.database, payload, abortSignal),
  }
}

/** Each step is bounded; what is left waits for the next time. */
function choresOf({ database, log, now }: JobParts): Chore[] {
  const count = (what: string, done: Promise<number>): Promise<void> =>
    done.then((number) => (number > 0 ? log.info(what, { number }) : undefined))
  return [
    {
      name: 'sweep_deliveries',
      everyMs: 30 * second,
      run: () => count('Overdue deliveries were nudged.', sweepDeliveries(database)),
    },
    {
      name: 'release_dead_workers',
      everyMs: minute,
      run: () =>
        count(
          'Jobs of dead workers were handed back.',
          releaseDeadWorkers(database, { tasks: ['deliver', mailTask], heldMs: deadAfterMs }),
        ),
    },
    { name: 'create_result_partitions', everyMs: 6 * hour, run: () => createResultPartitions(database, now()) },
    {
      name: 'forget_idempotency_keys',
      everyMs: 10 * minute,
      run: () => count('Idempotency keys were forgotten.', forgetKeys(database, now())),
    },
    {
      name: 'forget_failed_jobs',
      everyMs: hour,
      run: () => count('Jobs that had failed for good were removed.', forgetFailedJobs(database)),
    },
  ]
}
