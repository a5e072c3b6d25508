// Maintenance as people plan and end it, on either twin.
import { randomUUID } from 'node:crypto'
import type { Database } from '#store/database/database.ts'
import type { ModelDatabase } from './model-database.ts'
import type { Step } from './twin-steps.ts'

export type MaintenanceStep = Extract<Step, { type: 'plan' | 'end' }>

const second = 1000

function timesOf(
  { startsIn, lasting }: Extract<Step, { type: 'plan' }>,
  nowMs: number,
): [startsMs: number, endsMs: number] {
  const startsMs = nowMs + startsIn * second
  return [startsMs, startsMs + lasting * second]
}

export function planInModel({ maintenances, nowMs }: ModelDatabase, step: MaintenanceStep): null {
  if (step.type === 'plan') {
    const [startsMs, endsMs] = timesOf(step, nowMs())
    const { monitor, excludesUptime } = step
    maintenances.push({ monitorKeys: monitor === null ? null : [monitor + 1], startsMs, endsMs, excludesUptime })
  } else for (const each of maintenances) if (each.startsMs < nowMs() && each.endsMs > nowMs()) each.endsMs = nowMs()
  return null
}

export async function planInDatabase({ pool }: Database, step: MaintenanceStep, nowMs: number): Promise<null> {
  if (step.type === 'end') {
    await pool.query('update maintenance_occurrences set ends_at = now() where starts_at < now() and ends_at > now()')
    return null
  }
  const { monitor, excludesUptime } = step
  const { rows } = await pool.query<{ key: string }>(
    `insert into maintenance_windows
      (id, workspace_id, name, schedule, time_zone, covers_all, excludes_uptime, planned_until, created_at)
    select $1, id, 'Works', '{}', 'UTC', $2, $3, 'infinity', now()
    from workspaces
    returning key`,
    [randomUUID(), monitor === null, excludesUptime],
  )
  const key = rows[0]?.key
  if (monitor !== null)
    await pool.query('insert into maintenance_monitors (window_key, monitor_key) values ($1, $2)', [key, monitor + 1])
  await pool.query('insert into maintenance_occurrences (window_key, starts_at, ends_at) values ($1, $2, $3)', [
    key,
    ...timesOf(step, nowMs).map((ms) => new Date(ms)),
  ])
  return null
}
