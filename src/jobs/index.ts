import type { Task, TaskList } from 'graphile-worker'
import { z } from 'zod'
import { forgetAgents } from '#store/agent-forgetting.ts'
import { sweepDeliveries } from '#store/deliveries.ts'
import { forgetAuditEntries } from '#store/audit.ts'
import { forgetKeys } from '#store/idempotency.ts'
import { forgetInvitations } from '#store/invitations.ts'
import { forgetFailedJobs, releaseDeadWorkers } from '#store/job-queue.ts'
import { forgetMonitorTask } from '#store/monitor-removal.ts'
import { mailTask } from '#store/notices.ts'
import { forgetOver } from '#store/people.ts'
import { createResultPartitions } from '#store/result-partitions.ts'
import { type CompactionParts, compactionChores } from './compact.ts'
import { deliver } from './deliver.ts'
import { expiryChores } from './expiry.ts'
import { forgetMonitor } from './forget-monitor.ts'
import { measured } from './measured.ts'
import { tellMissingLocations } from './missing-locations.ts'
import { notify } from './notify.ts'
import type { JobParts } from './parts.ts'
import { keepRunning } from './runner.ts'
import { type Chore, repeat } from './timer.ts'

export type JobsOptions = Omit<JobParts, 'now'> & {
  /** Jobs at a time in this process. */
  concurrency: number
  now?: () => Date
} & Pick<CompactionParts, 'retention' | 'observer'>

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
  const timers = [...choresOf(parts), ...compactionChores(parts), ...expiryChores(parts)].map((chore) =>
    repeat(measuredChore(chore, parts), log),
  )
  return {
    stop: async () => {
      await Promise.all([runner.stop(), ...timers.map((timer) => timer.stop())])
    },
  }
}

const deliverPayload = z.object({ delivery_id: z.uuid() })

function tasksOf(parts: JobParts): TaskList {
  const { observer } = parts
  const tasks: Record<string, Task> = {
    deliver: (payload, { abortSignal }) => deliver(deliverPayload.parse(payload).delivery_id, parts, abortSignal),
    [mailTask]: (payload, { abortSignal }) => notify(payload, parts, abortSignal),
    [forgetMonitorTask]: (payload, { abortSignal }) => forgetMonitor(parts.database, payload, abortSignal),
  }
  return Object.fromEntries(
    Object.entries(tasks).map(([task, run]): [string, Task] => [
      task,
      (payload, helpers) => measured({ task, observer }, () => run(payload, helpers)),
    ]),
  )
}

function measuredChore(chore: Chore, { observer }: JobParts): Chore {
  return { ...chore, run: (signal) => measured({ task: chore.name, observer }, () => chore.run(signal)) }
}

/** Each step is bounded; what is left waits for the next time. */
function choresOf(parts: JobParts): Chore[] {
  const { database, log, now } = parts
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
    { name: 'tell_missing_locations', everyMs: 30 * second, run: () => tellMissingLocations(parts) },
    { name: 'create_result_partitions', everyMs: 6 * hour, run: () => createResultPartitions(database, now()) },
    {
      name: 'forget_idempotency_keys',
      everyMs: 10 * minute,
      run: () => count('Idempotency keys were forgotten.', forgetKeys(database, now())),
    },
    {
      name: 'forget_agents',
      everyMs: 10 * minute,
      run: () => count('What agents can use no more was removed.', forgetAgents(database, now())),
    },
    {
      name: 'forget_sign_ins',
      everyMs: hour,
      run: () => count('Sessions and links that are over were removed.', forgetOver(database, now())),
    },
    {
      name: 'forget_invitations',
      everyMs: hour,
      run: () => count('Invitations that nobody accepted were removed.', forgetInvitations(database, now())),
    },
    {
      name: 'forget_audit_entries',
      everyMs: hour,
      run: () => count('Old entries of audit logs were removed.', forgetAuditEntries(database, now())),
    },
    {
      name: 'forget_failed_jobs',
      everyMs: hour,
      run: () => count('Jobs that had failed for good were removed.', forgetFailedJobs(database)),
    },
  ]
}
