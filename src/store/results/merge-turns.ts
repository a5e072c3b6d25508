// Whose results are merged next: the rows of `result_merges`. Times in microseconds since 1970.
import type { PoolClient } from 'pg'
import { type MergeFacts, restingUntil, resultsPerSpan, singleResults } from '#core/results/merge-spans.ts'
import { numberArray } from '#store/database/array-literal.ts'
import type { Database } from '#store/database/database.ts'

export type ClaimedTurn = { key: number; mergedUntil: number }

/** `until` is null where nothing was merged. */
export type TakenTurn = { key: number; until: number | null; dueAt: number }

/** Gives each monitor without a row its row; at most 10,000 a call. Monitors that are being deleted are left out. */
export async function beginMerging({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const begun = await pool.query(beginStatement)
  return begun.rowCount ?? 0
}

/** Locks the rows whose turn it is until the end of the transaction, without rows that another process has. */
export async function claimTurns(
  client: PoolClient,
  { now, limit }: { now: Date; limit: number },
): Promise<ClaimedTurn[]> {
  const claimed = await client.query<ClaimedTurn>({ name: 'claim_turns', text: claimStatement, values: [now, limit] })
  return claimed.rows
}

export async function readFacts(
  client: PoolClient,
  claimed: readonly ClaimedTurn[],
  nowUs: number,
): Promise<(MergeFacts & { key: number })[]> {
  if (claimed.length === 0) return []
  const untils = claimed.map(({ mergedUntil }) => mergedUntil)
  // Not a named statement: with the two times as constants PostgreSQL plans only the days that they reach.
  const found = await client.query<MergeFacts & { key: number }>(factsStatement, [
    numberArray(claimed.map(({ key }) => key)),
    numberArray(untils),
    dateOf(restingUntil(nowUs)),
    dateOf(Math.min(...untils)),
  ])
  return found.rows
}

export async function endTurns(client: PoolClient, turns: readonly TakenTurn[]): Promise<void> {
  await client.query({
    name: 'end_turns',
    text: endStatement,
    values: [
      numberArray(turns.map(({ key }) => key)),
      numberArray(turns.map(({ until }) => until)),
      numberArray(turns.map(({ dueAt }) => dueAt)),
    ],
  })
}

/** Whether results of before a time wait to be merged: of monitors whose turn has come. */
export async function hasWaiting(
  { pool }: Pick<Database, 'pool'>,
  { before, now }: { before: Date; now: Date },
): Promise<boolean> {
  const found = await pool.query(
    `select
    from result_merges
    where due_at <= $1
      and merged_until < $2
    limit 1`,
    [now, before],
  )
  return found.rows.length > 0
}

/** Seconds since the monitor that waits longest was to be looked at; 0 when none waits. */
export async function readMergeLag({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const found = await pool.query<{ seconds: number | null }>(
    'select extract(epoch from $1::timestamptz - min(due_at))::float8 as seconds from result_merges',
    [now],
  )
  return Math.max(0, found.rows[0]?.seconds ?? 0)
}

export function dateOf(timeUs: number): Date {
  return new Date(timeUs / 1000)
}

const beginStatement = `
insert into result_merges (monitor_key, merged_until, due_at)
select key, timestamptz 'epoch', created_at + interval '125 minutes'
from monitors
where not exists (select from result_merges where monitor_key = key)
order by key
limit 10000
for key share skip locked
on conflict do nothing`

// The monitors are held too, so that none is deleted while its latencies are counted: the deletion would wait for the
// row of `result_merges`, and the count for the monitor.
const claimStatement = `
select r.monitor_key::float8 as key, ${micros('r.merged_until')} as "mergedUntil"
from result_merges r
join monitors m on m.key = r.monitor_key
where r.due_at <= $1
order by r.due_at
limit $2
for update of r skip locked
for key share of m skip locked`

const since = 'r.monitor_key = c.monitor_key and r.round_at >= c.merged_until and r.round_at >= $4'
const resting = `${since} and r.round_at < $3`

// $3 is the end of what may be merged, $4 the earliest `merged_until` of all.
const factsStatement = `
select
  c.monitor_key::float8 as key, ${micros('c.merged_until')} as "mergedUntil", ${micros('first.at')} as first,
  ${micros('single.at')} as single, ${micros('unfolded.at')} as unfolded, ${micros('beyond.at')} as beyond
from (
  select monitor_key, timestamptz 'epoch' + until * interval '1 microsecond' as merged_until
  from unnest($1::bigint[], $2::bigint[]) as turn (monitor_key, until)
) as c
left join monitor_state s on s.monitor_key = c.monitor_key
left join lateral (
  select r.round_at as at from results r where ${resting} order by r.round_at limit 1
) as first on true
left join lateral (
  select r.round_at as at from results r where ${since} order by r.round_at desc offset ${singleResults - 1} limit 1
) as single on true
left join lateral (
  select r.round_at as at
  from results r
  where ${resting}
    and r.round_at > coalesce(s.round_at, '-infinity')
  order by r.round_at
  limit 1
) as unfolded on true
left join lateral (
  select r.round_at as at from results r where ${resting} order by r.round_at offset ${resultsPerSpan} limit 1
) as beyond on true`

const endStatement = `
update result_merges r
set merged_until = coalesce(timestamptz 'epoch' + turn.until * interval '1 microsecond', r.merged_until),
  due_at = timestamptz 'epoch' + turn.due * interval '1 microsecond'
from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as turn (monitor_key, until, due)
where r.monitor_key = turn.monitor_key`

function micros(time: string): string {
  return `(extract(epoch from ${time}) * 1000000)::float8`
}
