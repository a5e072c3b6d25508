import { randomUUID } from 'node:crypto'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { Database } from '#store/database/database.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'

/** Inserts monitors, without states, into a new workspace on the plan `pro`; no prober checks them. */
export async function addManyMonitors(database: Database, count: number): Promise<{ workspaceId: string }> {
  const workspaceId = randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'Many', plan: 'pro' })
  await insertMonitors(database, workspaceId, count)
  return { workspaceId }
}

/** The same in a workspace that there is, with their states, as they are created. Their ids by their numbers. */
export async function addPendingMonitors(
  database: Database,
  { workspaceId, count }: { workspaceId: string; count: number },
): Promise<string[]> {
  const ids = await insertMonitors(database, workspaceId, count)
  await database.pool.query(
    `insert into monitor_state (monitor_key, version, round_at)
    select key, version, now()
    from monitors
    where id = any($1)`,
    [ids],
  )
  return ids
}

async function insertMonitors({ pool }: Database, workspaceId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await pool.query(insertStatement, [workspaceId, ids, ids.map(partitionOf)])
  return ids
}

const insertStatement = `
insert into monitors (
  id, workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations, expected_status_min,
  expected_status_max, failure_threshold, recovery_threshold, confirmation_threshold, expiry_alerts,
  vulnerability_alerts, vulnerability_severity, charts, billing
)
select
  id, $1, partition, 'Monitor ' || n, 'http', 'https://example.com', 'GET', 60, 1000, '{a}', 200, 399, 1, 2, 1, true,
  false, 'low', 'both', 'plan'
from unnest($2::uuid[], $3::smallint[]) with ordinality as new (id, partition, n)`
