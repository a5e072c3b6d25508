// What both twins hold before the first step.
import { randomUUID } from 'node:crypto'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { Database } from '#store/database/database.ts'
import { hashToken } from '#store/database/secrets.ts'
import { optionsOf } from './model-calls.ts'
import type { ModelDatabase, MonitorRow } from './model-database.ts'
import { locations } from './twin-steps.ts'

export const monitorIds = [0, 1, 40].map((partition) => `2d9bd30e-5f10-4a4f-8f4e-b5a3c1d7ee${hexOf(partition)}`)
/** Two more, which are called. */
export const calledIds = [1, 41].map((partition) => `3d9bd30e-5f10-4a4f-8f4e-b5a3c1d7ee${hexOf(partition)}`)
const graceSeconds = 30

const emptied = [
  'results',
  'uptime_days',
  'incident_events',
  'deliveries',
  'incidents',
  'monitors',
  'alert_channels',
  'workspaces',
  'locations',
  'engines',
  'rejected_results',
  'intakes',
  'own_troubles',
  'graphile_worker._private_jobs',
]

/** An installation in which nothing has happened yet, on both sides. */
export async function fill({ pool }: Database, model: ModelDatabase): Promise<void> {
  await pool.query(`truncate ${emptied.join(', ')} cascade`)
  await pool.query(`update partitions set owner = null, epoch = 0, held_until = '-infinity'`)
  await pool.query(`update settings set value = '"2020-01-01T00:00:00Z"' where name = 'slow_answers_since'`)
  const workspaceId = randomUUID()
  await pool.query(`insert into workspaces (id, name, plan) values ($1, 'Twins', 'pro')`, [workspaceId])
  for (const [place, code] of locations.entries()) {
    await pool.query(
      'insert into locations (id, code, name, position) overriding system value values ($1, $2, $3, $4)',
      [place + 1, code, code, place],
    )
    model.locations.set(code, place + 1)
  }
  for (const name of ['Operations', 'Night shift']) await addContact({ pool }, model, { workspaceId, name })
  for (const [place, id] of [...monitorIds, ...calledIds].entries())
    await addMonitor({ pool }, model, { workspaceId, id, key: place + 1 })
}

async function addContact(
  { pool }: Pick<Database, 'pool'>,
  model: ModelDatabase,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<void> {
  const id = randomUUID()
  await pool.query(
    `insert into alert_channels (id, workspace_id, name, kind, destination, confirmed)
    values ($1, $2, $3, 'webhook', 'https://alerts.example/in', true)`,
    [id, workspaceId, name],
  )
  model.contacts.set(id, { id, workspaceId, name, kind: 'webhook', isEnabled: true, failingSinceMs: null })
}

/**
 * One that needs two failures, one that both locations have to see down, and one with a slow recovery; one of those that
 * are called needs two failures.
 */
async function addMonitor(
  { pool }: Pick<Database, 'pool'>,
  model: ModelDatabase,
  { workspaceId, id, key }: { workspaceId: string; id: string; key: number },
): Promise<void> {
  const name = `Shop ${key}`
  const isToBeCalled = calledIds.includes(id)
  const kind = isToBeCalled ? 'heartbeat' : 'http'
  const url = isToBeCalled ? null : 'https://shop.example/'
  const places = isToBeCalled ? locations.slice(0, 1) : locations
  const grace = isToBeCalled ? graceSeconds : null
  const partition = partitionOf(id)
  const thresholds = [key === 1 || key === 4 ? 2 : 1, key === 3 ? 2 : 1, key === 2 ? 2 : 1] as const
  const createdMs = model.nowMs() - 60_000
  await pool.query(
    `insert into monitors (
      key, id, workspace_id, partition, name, kind, url, method, interval_seconds, timeout_ms, locations,
      expected_status_min, expected_status_max, failure_threshold, recovery_threshold, confirmation_threshold,
      expiry_alerts, vulnerability_alerts, vulnerability_severity, charts, billing, heartbeat_grace_seconds, call_hash,
      check_options
    )
    overriding system value
    values (
      $1, $2, $3, $4, $5, $11, $6, 'GET', 60, 10000, $7, 200, 399, $8, $9, $10, true, false, 'low', 'both', 'plan', $12, $13,
      $14
    )`,
    [
      key,
      id,
      workspaceId,
      partition,
      name,
      url,
      places,
      ...thresholds,
      kind,
      grace,
      hashToken(id),
      optionsOf(rhythmOf(id)),
    ],
  )
  const createdAt = new Date(createdMs)
  await pool.query('insert into monitor_state (monitor_key, version, round_at) values ($1, 1, $2)', [key, createdAt])
  await pool.query('insert into monitor_gaps (monitor_key, started_at) values ($1, $2)', [key, createdAt])
  const [failureThreshold, recoveryThreshold, confirmationThreshold] = thresholds
  const schedule = {
    kind,
    version: 1,
    intervalSeconds: 60,
    timeoutMs: 10_000,
    graceSeconds: grace ?? 0,
    ...rhythmOf(id),
  } as const
  const rules = { failureThreshold, retrySeconds: null, recoveryThreshold, confirmationThreshold }
  const who = { id, key, partition, workspaceId, name, url, isEnabled: true }
  model.monitors.set(key, { ...who, ...schedule, ...rules, locations: [...places] })
  const standing = { status: 'pending', failures: 0, successes: 0 } as const
  const untold = { deadline: null, callStartedMs: null, runDue: null }
  const none = { lastCheckedAt: null, incidentId: null, problemAt: null, ...untold }
  model.states.set(key, { version: 1, ...standing, round: createdMs * 1000, ...none })
  model.gaps.set(`${key}/${createdMs * 1000}`, { monitorKey: key, startedAt: createdMs * 1000, endedAt: null })
}

/** One of those that are called is called by a schedule, and its runs have a limit. */
function rhythmOf(id: string): Pick<MonitorRow, 'schedule' | 'maxRunSeconds'> {
  if (id !== calledIds[1]) return { schedule: null, maxRunSeconds: null }
  return { schedule: { expression: '* * * * *', timeZone: 'Europe/Vienna' }, maxRunSeconds: 15 }
}

function hexOf(partition: number): string {
  return partition.toString(16).padStart(2, '0')
}
