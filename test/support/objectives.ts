import { randomUUID } from 'node:crypto'
import type { Span } from '#core/objectives/spans.ts'
import type { Database } from '#store/database/database.ts'

/** Milliseconds since 1970. */
export type MonitorPast = { sinceMs: number; nowMs: number; outages?: readonly Span[]; gaps?: readonly Span[] }

/** Gives a monitor a past: checked without a pause until now, but for `gaps`, and down in `outages`. */
export async function givePast({ pool }: Database, monitorId: string, past: MonitorPast): Promise<void> {
  const { sinceMs, nowMs, outages = [], gaps = [] } = past
  const of = [monitorId]
  await pool.query('update monitors set created_at = $2 where id = $1', [monitorId, new Date(sinceMs)])
  await pool.query(
    `update monitor_state
    set current_status = 'up', round_at = $2, last_checked_at = $2
    where monitor_key = (select key from monitors where id = $1)`,
    [monitorId, new Date(nowMs)],
  )
  await pool.query('delete from monitor_gaps where monitor_key = (select key from monitors where id = $1)', of)
  await pool.query('delete from incidents where monitor_id = $1', of)
  await pool.query(
    `insert into monitor_gaps (monitor_key, started_at, ended_at)
    select key, unnest($2::timestamptz[]), unnest($3::timestamptz[]) from monitors where id = $1`,
    [monitorId, ...timesOf(gaps)],
  )
  await pool.query(
    `insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
    select unnest($2::uuid[]), workspace_id, id, name, 'resolved', 'Down', unnest($3::timestamptz[]), unnest($4::timestamptz[])
    from monitors where id = $1`,
    [monitorId, outages.map(() => randomUUID()), ...timesOf(outages)],
  )
}

function timesOf(spans: readonly Span[]): [Date[], Date[]] {
  return [spans.map(([from]) => new Date(from)), spans.map(([, until]) => new Date(until))]
}
