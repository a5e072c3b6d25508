import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { type Verdict, noPhases } from '#core/results/result.ts'
import { dayOf, startOf } from '#core/language/utc-day.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { storeResults } from '#store/results/store-batch.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { openIncidents } from '#store/incidents/transitions.ts'
import type { Answer, TestApi } from './api.ts'

const created = z.object({ data: monitorSchema })
const failed = z.object({
  error: z.string(),
  message: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
})

/** Creates a monitor through the API; `input` overrides an http monitor of example.com. */
export async function createMonitor(
  api: TestApi,
  input: Record<string, unknown> = {},
  token = api.token,
): Promise<MonitorRecord> {
  const answer = await api.post('/monitors', { name: 'Shop', url: 'https://example.com', ...input }, { token })
  assert.equal(answer.status, 201, answer.text)
  return created.parse(answer.body).data
}

/** The monitor of an answer that is `{data}`, alone or with more. */
export function monitorOf(answer: Answer): MonitorRecord {
  return created.parse(answer.body).data
}

/** Status, code and the fields to blame, for comparing. */
export function refusalOf(answer: Answer): [status: number, error: string, ...fields: string[]] {
  const { error, fields } = failed.parse(answer.body)
  return [answer.status, error, ...Object.keys(fields ?? {})]
}

/** `version`: of the monitor as it was; the present one unless told. */
export type Checked = Partial<Verdict> & {
  at: Date | string
  location?: string
  microseconds?: number
  version?: number
}

/** Stores results as the engine does, with their day rollups, in the leases a fresh database has. */
export async function addResults(database: Database, monitorId: string, checks: readonly Checked[]): Promise<void> {
  const monitor = await database.query
    .selectFrom('monitors')
    .select(['key', 'partition', 'version'])
    .where('id', '=', monitorId)
    .executeTakeFirstOrThrow()
  const locations = await database.query.selectFrom('locations').select(['id', 'code']).orderBy('position').execute()
  const results = checks.map(({ at, location, microseconds = 0, version = monitor.version, ...verdict }) => ({
    monitorKey: Number(monitor.key),
    version,
    round: new Date(at).getTime() * 1000 + microseconds,
    locationId: (locations.find(({ code }) => code === location) ?? locations[0])?.id ?? assert.fail('no location'),
    verdict: {
      status: 'up',
      statusCode: 200,
      latencyMs: 100,
      error: null,
      phases: noPhases,
      details: {},
      ...verdict,
    } satisfies Verdict,
  }))
  for (const day of new Set(checks.map(({ at }) => dayOf(new Date(at)))))
    await createResultPartitions(database, startOf(day))
  const { partition } = monitor
  const held = await database.pool.query<{ epoch: number }>(
    'select epoch::float8 as epoch from partitions where partition = $1',
    [partition],
  )
  await database.transaction((tx) => storeResults(tx, [{ partition, epoch: held.rows[0]?.epoch ?? 0 }], results))
}

/** A running incident of a monitor that is down, as the engine's fold leaves it. */
export async function addRunningIncident(database: Database, monitor: MonitorRecord, at: Date): Promise<string> {
  return database.transaction((tx) => openRunningIncident(tx, monitor, at))
}

/** The same in a transaction that the caller holds. */
export async function openRunningIncident(tx: Transaction, monitor: MonitorRecord, at: Date): Promise<string> {
  const incidentId = randomUUID()
  const { key, workspace_id: workspaceId } = await tx.query
    .selectFrom('monitors')
    .select(['key', 'workspace_id'])
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow()
  await openIncidents(tx, [
    {
      incidentId,
      workspaceId,
      monitorId: monitor.id,
      monitorName: monitor.name,
      title: `${monitor.name} is down`,
      cause: 'The connection was refused.',
      at,
      locationCode: 'amsterdam',
    },
  ])
  await tx.query
    .insertInto('problems')
    .values({
      monitor_key: key,
      started_at: at,
      status: 'down',
      error: 'refused',
      locations: ['amsterdam'],
      incident_id: incidentId,
    })
    .execute()
  await tx.query
    .updateTable('monitor_state')
    .set({
      current_status: 'down',
      consecutive_failures: 3,
      incident_id: incidentId,
      problem_at: at,
      round_at: at,
      last_checked_at: at,
    })
    .where('monitor_key', '=', key)
    .execute()
  return incidentId
}

/** An incident that is over, without events. */
export async function addIncident(
  database: Database,
  monitor: { id: string; name: string },
  { startedAt, resolvedAt }: { startedAt: string; resolvedAt: string },
): Promise<void> {
  await database.pool.query(
    `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
    select gen_random_uuid(), workspace_id, id, name, 'resolved', name || ' is down', $2, $3 from monitors where id = $1`,
    [monitor.id, startedAt, resolvedAt],
  )
}

export async function addProblem(
  database: Database,
  monitorId: string,
  problem: { startedAt: string; endedAt: string | null; status?: string; error?: string; locations?: string[] },
): Promise<void> {
  const { startedAt, endedAt, status = 'down', error = 'refused', locations = ['amsterdam'] } = problem
  await database.pool.query(
    `insert into problems (monitor_key, started_at, ended_at, status, error, locations)
    select key, $2, $3, $4, $5, $6 from monitors where id = $1`,
    [monitorId, startedAt, endedAt, status, error, locations],
  )
}

/** Day rollups of days whose results are no longer kept. */
export async function addDays(
  database: Database,
  monitorId: string,
  days: readonly { date: string; up?: number; down?: number; restricted?: number }[],
): Promise<void> {
  await database.pool.query(
    `insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
    select key, d.date, d.up + d.down + d.restricted, d.up, d.down, d.restricted, 0, 0
    from monitors, unnest($2::date[], $3::integer[], $4::integer[], $5::integer[]) as d (date, up, down, restricted)
    where id = $1`,
    [
      monitorId,
      days.map(({ date }) => date),
      days.map(({ up = 0 }) => up),
      days.map(({ down = 0 }) => down),
      days.map(({ restricted = 0 }) => restricted),
    ],
  )
}
