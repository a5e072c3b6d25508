// Alerts to contacts that bundle them.
import type { Database } from '#store/database/database.ts'

/** Lets time pass for what waits to leave together, and for the jobs that send it. */
export async function passTime({ pool }: Database, workspaceId: string, seconds: number): Promise<void> {
  await pool.query(
    `update alert_channels set bundle_until = bundle_until - $2 * interval '1 s' where workspace_id = $1`,
    [workspaceId, seconds],
  )
  await pool.query(
    `update deliveries
    set due_at = due_at - $2 * interval '1 s'
    where workspace_id = $1
      and state = 'pending'`,
    [workspaceId, seconds],
  )
  await pool.query(
    `select graphile_worker.reschedule_jobs(array[job.id], run_at => delivery.due_at)
    from graphile_worker.jobs as job
    join deliveries as delivery on job.key = 'deliver:' || delivery.id
    where delivery.workspace_id = $1
      and job.locked_at is null`,
    [workspaceId],
  )
  await pool.query(`select pg_notify('jobs:insert', '{"count":1}')`)
}
