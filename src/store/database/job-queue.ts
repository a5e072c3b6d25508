import { Logger } from 'graphile-worker'
import type pg from 'pg'
import type { Database, Transaction } from './database.ts'

/** graphile-worker prints by itself; what matters of it is logged by the jobs. */
export const silentLogger = new Logger(() => () => {})

export type Job = {
  task: string
  payload: Record<string, unknown>
  /** Jobs of one key are one job, as long as it has not begun. */
  key?: string
  /** Null: at once. */
  runAt?: Date | null
  maxAttempts: number
  /** Lower runs first. */
  priority?: number
  /** Jobs of one lane share a bounded number of workers. */
  lane?: string
}

/** Jobs added in a transaction exist exactly when it commits. */
export async function addJobs(transaction: Transaction, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return
  await transaction.client.query({
    name: 'add_jobs',
    text: `select count(*) from graphile_worker.add_jobs(array(
      select row(
        job.task, job.payload, null, job.run_at, job.max_attempts, job.key, job.priority,
        case when job.lane is not null then array[job.lane] end
      )::graphile_worker.job_spec
      from json_to_recordset($1::json)
        as job(task text, payload json, run_at timestamptz, max_attempts smallint, key text, priority smallint, lane text)
    ))`,
    values: [JSON.stringify(jobs.map(asSpecification))],
  })
}

function asSpecification(job: Job): Record<string, unknown> {
  return {
    task: job.task,
    payload: job.payload,
    run_at: job.runAt ?? null,
    max_attempts: job.maxAttempts,
    key: job.key ?? null,
    priority: job.priority ?? 0,
    lane: job.lane ?? null,
  }
}

/**
 * Hands back what a killed process held; graphile-worker itself waits four hours. `heldMs` has to exceed the longest
 * run of every task named. A live worker that is hit only runs its jobs twice.
 */
export async function releaseDeadWorkers(
  database: Database,
  { tasks, heldMs }: { tasks: readonly string[]; heldMs: number },
): Promise<number> {
  const dead = await database.pool.query<{ worker: string }>(
    `select distinct locked_by as worker
    from graphile_worker.jobs
    where task_identifier = any($1::text[])
      and locked_at < now() - $2 * interval '1 ms'
    limit 100`,
    [tasks, heldMs],
  )
  if (dead.rows.length === 0) return 0
  await database.pool.query('select graphile_worker.force_unlock_workers($1::text[])', [
    dead.rows.map(({ worker }) => worker),
  ])
  return dead.rows.length
}

export type LockedJob = { id: string; attempts: number }

/** Jobs that these pools of workers have locked, at most 1,000. */
export async function listLockedJobs({ pool }: Database, pools: readonly string[]): Promise<LockedJob[]> {
  const locked = await pool.query<LockedJob>({
    name: 'list_locked_jobs',
    text: `select id::text, attempts
    from graphile_worker.jobs
    where locked_by = any($1::text[])
    order by id
    limit 1000`,
    values: [pools],
  })
  return locked.rows
}

/**
 * Unlocks these jobs of pools that are still at others, for which graphile-worker has no function. A job that was never
 * begun gets its attempt back, so that it is not given up unseen. Workers at rest are woken, as they are for new jobs.
 */
export async function unlockJobs(
  { pool }: Database,
  { pools, jobs }: { pools: readonly string[]; jobs: readonly (LockedJob & { wasBegun: boolean })[] },
): Promise<number> {
  const { rows } = await pool.query<{ number: number }>(
    `with unlocked as (
      update graphile_worker._private_jobs as job
      set locked_at = null, locked_by = null, attempts = job.attempts - case when lost."wasBegun" then 0 else 1 end
      from json_to_recordset($2::json) as lost(id bigint, attempts smallint, "wasBegun" boolean)
      where job.id = lost.id
        and job.attempts = lost.attempts
        and job.attempts > 0
        and job.locked_by = any($1::text[])
      returning 1
    )
    select
      count(*)::integer as number,
      case when count(*) > 0 then pg_notify('jobs:insert', json_build_object('r', random(), 'count', count(*))::text) end
    from unlocked`,
    [pools, JSON.stringify(jobs)],
  )
  return rows[0]?.number ?? 0
}

/** Removes jobs that used up their attempts a day ago; at most 1,000 a call. */
export async function forgetFailedJobs(database: Database): Promise<number> {
  const removed: pg.QueryResult = await database.pool.query(
    `select id
    from graphile_worker.complete_jobs(array(
      select id
      from graphile_worker.jobs
      where attempts >= max_attempts
        and locked_at is null
        and updated_at < now() - interval '1 day'
      order by id
      limit 1000
    ))`,
  )
  return removed.rows.length
}
