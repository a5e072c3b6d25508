import { randomUUID } from 'node:crypto'
import type { Database } from '#store/database.ts'
import { createWorkspace } from '#store/workspaces.ts'

/** Monitors of a new workspace, in its name's plan `pro`, that nobody checks; without their states. */
export async function addManyMonitors(database: Database, count: number): Promise<{ workspaceId: string }> {
  const workspaceId = randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'Many', plan: 'pro' })
  await database.pool.query(insertStatement, [workspaceId, count])
  return { workspaceId }
}

const insertStatement = `
insert into monitors (
  id, workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations, expected_status_min,
  expected_status_max, failure_threshold, recovery_threshold, confirmation_threshold, expiry_alerts,
  vulnerability_alerts, vulnerability_severity, charts, billing
)
select
  gen_random_uuid(), $1, n % 64, 'Monitor ' || n, 'http', 'https://example.com', 'GET', 60, 1000, '{a}', 200, 399, 1, 2,
  1, true, false, 'low', 'both', 'plan'
from generate_series(1, $2::integer) as n`
