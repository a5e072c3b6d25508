import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { DayCounts } from '#core/uptime.ts'
import type { ProblemRecord } from '#core/uptime-bars.ts'
import type { Database, Reader } from '#store/database.ts'

// The callers have looked the monitor up in its workspace: `monitorKey` is nothing a caller can name.

/** A flapping monitor may have thousands; the newest are shown. */
const maxProblems = 1000

/** The days that had checks, oldest first: one row a day, for ever. */
export async function readDays(
  reader: Reader,
  { monitorKey, from, to }: { monitorKey: string; from: string; to: string },
): Promise<DayCounts[]> {
  return reader.query
    .selectFrom('uptime_days')
    .select([
      sql<string>`day::text`.as('date'),
      'checks',
      'up',
      'down',
      'restricted',
      sql<number>`latency_sum_ms::float8`.as('latencySumMs'),
      'latency_count as latencyCount',
    ])
    .where('monitor_key', '=', monitorKey)
    .where(sql<boolean>`day between ${from}::date and ${to}::date`)
    .orderBy('day')
    .execute()
}

/** The first day with checks. */
export async function readFirstDay(reader: Reader, monitorKey: string): Promise<string | null> {
  const row = await reader.query
    .selectFrom('uptime_days')
    .select(sql<string>`day::text`.as('date'))
    .where('monitor_key', '=', monitorKey)
    .where('checks', '>', 0)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  return row?.date ?? null
}

/** What the checks since a time came to, counted from the results themselves. */
export async function countSince(
  { pool }: Pick<Database, 'pool'>,
  { monitorKey, since }: { monitorKey: string; since: Date },
): Promise<Omit<DayCounts, 'date'>> {
  const found = await pool.query<Omit<DayCounts, 'date'>>({
    name: 'count_results_since',
    text: countStatement,
    values: [monitorKey, since],
  })
  const [row] = found.rows
  assert.ok(row)
  return row
}

/** The failures that reach beyond a time, oldest first. */
export async function listProblems(
  reader: Reader,
  { monitorKey, since }: { monitorKey: string; since: Date },
): Promise<ProblemRecord[]> {
  const rows = await reader.query
    .selectFrom('problems')
    .select(['started_at', 'ended_at', 'status', 'error', 'locations', 'incident_id'])
    .where('monitor_key', '=', monitorKey)
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '>', since), row('started_at', '>=', since)]))
    .orderBy('started_at', 'desc')
    .limit(maxProblems)
    .$castTo<ProblemRow>()
    .execute()
  return rows.map(toProblem).toReversed()
}

type ProblemRow = {
  started_at: Date
  ended_at: Date | null
  status: ProblemRecord['status']
  error: string | null
  locations: string[]
  incident_id: string | null
}

function toProblem(row: ProblemRow): ProblemRecord {
  return {
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    status: row.status,
    error: row.error,
    location_codes: row.locations,
    incident_id: row.incident_id,
  }
}

// A merged result stands for `repeats` checks.
const countStatement = `
select
  coalesce(sum(repeats), 0)::float8 as checks,
  coalesce(sum(repeats) filter (where status = 'u'), 0)::float8 as up,
  coalesce(sum(repeats) filter (where status = 'd'), 0)::float8 as down,
  coalesce(sum(repeats) filter (where status = 'g'), 0)::float8 as restricted,
  coalesce(sum(latency_ms::bigint * repeats) filter (where status = 'u'), 0)::float8 as "latencySumMs",
  coalesce(sum(repeats) filter (where status = 'u' and latency_ms is not null), 0)::float8 as "latencyCount"
from results
where monitor_key = $1
  and round_at >= $2`
