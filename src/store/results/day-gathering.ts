import { dayMs } from '#core/language/utc-day.ts'
import { boundedTransaction } from '#store/database/bounded-transaction.ts'
import type { Database } from '#store/database/database.ts'

const limits = { lockTimeoutMs: 1_000, statementTimeoutMs: 30_000 }
/** In one transaction: some 6,000 rows. */
const monitorsAtOnce = 100
/** A month's last results may come two hours after its end. */
const settledAfterMs = dayMs
const tables = ['uptime_days', 'latency_days'] as const

/** `rows` were put in their new places. */
export type GatherStep = { month: string; rows: number }

/** Notes which months are to be gathered: the ones that have ended, since the oldest monitor was made. */
export async function beginGathering({ pool }: Pick<Database, 'pool'>, now: Date): Promise<void> {
  await pool.query(beginStatement, [new Date(now.getTime() - settledAfterMs)])
}

/**
 * One step of gathering the days of a month. Days come one by one, of all monitors in turn, so that no two days of a
 * monitor lie on the same page, and three years are a thousand pages to read; written anew in the order of monitors,
 * they are forty. Their sums are put down with them (`uptime_months`): nothing changes in such a month any more. Each step
 * is a transaction; readers see every day once, before and after. Null when there is nothing to do, or when others are
 * at it.
 */
export async function gatherNextMonth(database: Database): Promise<GatherStep | null> {
  return boundedTransaction(database, limits, async ({ client }) => {
    const claimed = await client.query<{ month: string; key: string }>(claimStatement)
    const [turn] = claimed.rows
    if (turn === undefined) return null
    const { month, key } = turn
    const ends = await client.query<{ key: string }>(endStatement, [key])
    const end = ends.rows[0]?.key ?? null
    const held = await client.query<{ key: string }>(holdStatement, [key, end])
    const keys = held.rows.map((row) => row.key)
    let rows = 0
    for (const table of tables) rows += (await client.query(moveStatement(table), [keys, month])).rowCount ?? 0
    await client.query(sumStatement, [keys, month])
    await client.query('update gathered_months set next_key = $2 where month = $1', [month, end])
    return { month, rows }
  })
}

const beginStatement = `
insert into gathered_months (month)
select month::date
from (select date_trunc('month', min(created_at)) as first from monitors) as oldest
cross join generate_series(first, date_trunc('month', $1::timestamptz) - interval '1 month', interval '1 month') as month
on conflict do nothing`

const claimStatement = `
select month::text as month, next_key as key
from gathered_months
where next_key is not null
order by month
limit 1
for update skip locked`

const endStatement = `
select key
from monitors
where key >= $1
order by key
offset ${monitorsAtOnce}
limit 1`

// A monitor that is being deleted takes its days with it, so gathering does not wait for it.
const holdStatement = `
select key
from monitors
where key >= $1
  and ($2::bigint is null or key < $2)
order by key
for key share skip locked`

function moveStatement(table: (typeof tables)[number]): string {
  return `
with moved as (
  delete from ${table}
  where monitor_key = any($1::bigint[])
    and day >= $2::date
    and day < $2::date + interval '1 month'
  returning *
)
insert into ${table}
select *
from moved
order by monitor_key, day`
}

const sumStatement = `
insert into uptime_months (monitor_key, month, checks, up, down, restricted, latency_sum_ms, latency_count)
select monitor_key, $2::date, sum(checks), sum(up), sum(down), sum(restricted), sum(latency_sum_ms), sum(latency_count)
from uptime_days
where monitor_key = any($1::bigint[])
  and day >= $2::date
  and day < $2::date + interval '1 month'
group by monitor_key
on conflict (monitor_key, month) do update set
  checks = excluded.checks, up = excluded.up, down = excluded.down, restricted = excluded.restricted,
  latency_sum_ms = excluded.latency_sum_ms, latency_count = excluded.latency_count`
