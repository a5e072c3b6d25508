// Results as they are pushed to a receiver: a row of `settings` says up to which time, and which process pushes now. The
// results themselves are what waits.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { PushedResult } from '#core/results/otlp.ts'
import type { Database } from '#store/database/database.ts'

/** A turn to push. `failures` is how often the receiver failed since it last took something. */
export type PushTurn = { holder: string; pushedUntil: Date; failures: number }

const turnSchema = z.object({ pushed_until: z.coerce.date(), failures: z.int() })

/**
 * The turn of this process until `heldUntil`, or null while it is another's. Where nothing was ever pushed, it begins at
 * `first`.
 */
export async function claimPush(
  { pool }: Pick<Database, 'pool'>,
  { now, heldUntil, first }: { now: Date; heldUntil: Date; first: Date },
): Promise<PushTurn | null> {
  await pool.query(beginStatement, [first.toISOString()])
  const holder = randomUUID()
  const claimed = await pool.query<{ value: unknown }>(claimStatement, [
    now.toISOString(),
    heldUntil.toISOString(),
    holder,
  ])
  const [row] = claimed.rows
  if (row === undefined) return null
  const { pushed_until: pushedUntil, failures } = turnSchema.parse(row.value)
  return { holder, pushedUntil, failures }
}

/**
 * Writes how far the turn came, and until when no process pushes. False where the turn has become another's, because it
 * took too long.
 */
export async function keepPush(
  { pool }: Pick<Database, 'pool'>,
  { holder, pushedUntil, failures }: PushTurn,
  heldUntil: Date,
): Promise<boolean> {
  const kept = await pool.query(keepStatement, [holder, pushedUntil.toISOString(), failures, heldUntil.toISOString()])
  return kept.rowCount === 1
}

type ResultRow = [
  workspaceId: string,
  monitorId: string,
  name: string,
  kind: string,
  location: string,
  status: PushedResult['status'],
  latencyMs: number | null,
  round: number,
]

/** The results of a time, of some monitors behind a key. `next` is the last of these keys, null behind the last of all. */
export async function readPushed(
  { pool }: Pick<Database, 'pool'>,
  { from, until, after, monitors }: { from: Date; until: Date; after: number; monitors: number },
): Promise<{ results: PushedResult[]; next: number | null }> {
  // Not a named statement: only with its bounds known PostgreSQL plans for the one day of `results`.
  const found = await pool.query<{ next: number | null; results: ResultRow[] }>(readStatement, [
    from,
    until,
    after,
    monitors,
  ])
  const [row] = found.rows
  return { results: (row?.results ?? []).map(toPushed), next: row?.next ?? null }
}

function toPushed(row: ResultRow): PushedResult {
  const [workspaceId, monitorId, name, kind, location, status, latencyMs, round] = row
  return { workspaceId, monitorId, name, kind, location, status, latencyMs, round }
}

const beginStatement = `
insert into settings (name, value)
values ('otlp_push', jsonb_build_object('pushed_until', $1::text, 'failures', 0, 'held_until', '-infinity'))
on conflict (name) do nothing`

const claimStatement = `
update settings
set value = value || jsonb_build_object('held_until', $2::text, 'holder', $3::text)
where name = 'otlp_push'
  and (value ->> 'held_until')::timestamptz <= $1::timestamptz
returning value`

const keepStatement = `
update settings
set value = value || jsonb_build_object('pushed_until', $2::text, 'failures', $3::integer, 'held_until', $4::text)
where name = 'otlp_push'
  and value ->> 'holder' = $1`

const readStatement = `
with page as materialized (
  select key, id, workspace_id, name, kind
  from monitors
  where key > $3
  order by key
  limit $4
)
select
  (select max(key)::float8 from page) as next,
  (
    select coalesce(json_agg(json_build_array(
      p.workspace_id, p.id, p.name, p.kind, l.code,
      case r.status when 'u' then 'up' when 'd' then 'down' else 'degraded' end,
      r.latency_ms, (extract(epoch from r.round_at) * 1000000)::bigint
    ) order by r.round_at, p.key, r.location), '[]')
    from page p
    cross join lateral (
      select round_at, location, status, latency_ms
      from results
      where monitor_key = p.key
        and round_at >= $1::timestamptz
        and round_at < $2::timestamptz
      -- Planned for one monitor at a time, so by the index.
      offset 0
    ) as r
    join locations l on l.id = r.location
  ) as results`
