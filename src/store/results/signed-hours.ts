// Hours of results, summed up before they are merged, so that a day of them can be signed (docs/design/signed-history.md).
import type { PoolClient } from 'pg'
import { restingUntil } from '#core/results/merge-spans.ts'
import { boundedTransaction } from '#store/database/bounded-transaction.ts'
import type { Database } from '#store/database/database.ts'

const limits = { lockTimeoutMs: 1_000, statementTimeoutMs: 30_000 }
const monitorsAtOnce = 200
const hourMs = 3_600_000

/**
 * Sums up one hour of some monitors, once no result can come into it any more; null when there is no such hour. A step
 * is one transaction under the lock of the progress, so that every hour of a monitor is summed up once. The first call
 * of all begins with the current hour: what lies before may be merged already.
 */
export async function sumUpNextHours(database: Database, now: Date): Promise<{ hours: number } | null> {
  return boundedTransaction(database, limits, async ({ client }) => {
    await client.query(
      `insert into signed_progress (since, hour)
      values (date_bin('1 hour', $1, timestamptz 'epoch'), date_bin('1 hour', $1, timestamptz 'epoch'))
      on conflict do nothing`,
      [now],
    )
    const progress = await holdProgress(client)
    if (progress === null || !hasRested(progress.hour, now)) return null
    const { rows } = await client.query<{ hours: number; lastKey: string | null }>({
      name: 'sum_up_hours',
      text: sumStatement,
      values: [progress.hour, progress.afterKey, monitorsAtOnce],
    })
    const { hours = 0, lastKey = null } = rows[0] ?? {}
    await client.query(
      `update signed_progress
      set hour = case when $1::bigint is null then hour + interval '1 hour' else hour end, after_key = coalesce($1, 0)`,
      [lastKey],
    )
    return { hours }
  })
}

export type Progress = { since: Date; hour: Date; afterKey: string }

/** Locks the progress until the end of the transaction; null where it has not begun, or another process has it. */
export async function holdProgress(client: PoolClient): Promise<Progress | null> {
  const { rows } = await client.query<Progress>(
    'select since, hour, after_key as "afterKey" from signed_progress for update skip locked',
  )
  return rows[0] ?? null
}

/** Results before then may be merged, in microseconds since 1970: they are summed up, or never will be. */
export async function summedUpUntil(client: Pick<PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ hour: Date }>('select hour from signed_progress')
  return rows[0] === undefined ? Number.POSITIVE_INFINITY : rows[0].hour.getTime() * 1000
}

function hasRested(hour: Date, now: Date): boolean {
  return (hour.getTime() + hourMs) * 1000 <= restingUntil(now.getTime() * 1000)
}

/** The counts of rows of `results` that stand for the checks of one hour. Merging does not change them. */
export const countsOfHour = `
  coalesce(sum(repeats) filter (where not in_maintenance), 0)::integer as checks,
  coalesce(sum(repeats) filter (where not in_maintenance and status = 'u'), 0)::integer as up,
  coalesce(sum(repeats) filter (where not in_maintenance and status = 'g'), 0)::integer as degraded,
  coalesce(sum(repeats) filter (where not in_maintenance and status = 'd'), 0)::integer as down,
  coalesce(sum(repeats) filter (where in_maintenance), 0)::integer as in_maintenance,
  coalesce(sum(coalesce(latency_count, (latency_ms is not null)::integer)) filter (where not in_maintenance), 0)::integer
    as latency_count,
  coalesce(sum(coalesce(latency_sum_ms, latency_ms)) filter (where not in_maintenance), 0)::bigint as latency_sum_ms`

/**
 * The hash of the results of one hour: of each a line with its round in microseconds since 1970, status, status code,
 * latency, whether it was in maintenance, how many checks it stands for, and the hash of its error. It has what merging
 * does away with.
 */
export const hashOfRounds = `
  sha256(convert_to(string_agg(
    (extract(epoch from round_at) * 1000000)::bigint || ' ' || status::text || ' ' ||
      coalesce(status_code::text, '-') || ' ' || coalesce(latency_ms::text, '-') || ' ' ||
      case when in_maintenance then 'm' else '-' end || ' ' || repeats || ' ' ||
      coalesce(encode(sha256(convert_to(error, 'UTF8')), 'hex'), '-') || E'\\n',
    '' order by round_at
  ), 'UTF8'))`

const sumStatement = `
with chosen as materialized (
  select key
  from monitors
  where key > $2
  order by key
  limit $3
), summed as (
  insert into signed_hours (
    monitor_key, hour, location, checks, up, degraded, down, in_maintenance, latency_count, latency_sum_ms, rounds_hash
  )
  select monitor_key, $1, location, ${countsOfHour}, ${hashOfRounds} as rounds_hash
  from chosen
  cross join lateral (
    select *
    from results
    where monitor_key = key
      and round_at >= $1
      and round_at < $1::timestamptz + interval '1 hour'
    -- Planned for one monitor at a time, so by the index, also while the table has no statistics yet.
    offset 0
  ) as r
  group by monitor_key, location
  returning 1
)
select
  (select count(*) from summed)::integer as hours,
  case when (select count(*) from chosen) = $3 then (select max(key) from chosen) end as "lastKey"`
