// When nobody could tell how monitors are.
import { numberArray } from '#store/database/array-literal.ts'
import type { Database, Transaction } from '#store/database/database.ts'

/** Of monitors that are `pending` from now on, until their first round; one that runs already goes on. */
export async function beginGaps({ client }: Transaction, monitorKeys: readonly string[], at: Date): Promise<void> {
  await client.query({
    name: 'begin_gaps',
    text: `insert into monitor_gaps (monitor_key, started_at)
    select unnest($1::bigint[]), $2
    on conflict do nothing`,
    values: [monitorKeys, at],
  })
}

/** Times in microseconds since 1970. */
export type GapChanges = {
  /** The first rounds of monitors that were `pending`. */
  ended: { monitorKey: number; at: number }[]
  /** Silence that a round has ended. */
  over: { monitorKey: number; from: number; until: number }[]
}

export async function writeGaps({ client }: Transaction, { ended, over }: GapChanges): Promise<void> {
  if (ended.length > 0)
    await client.query({
      name: 'end_gaps',
      text: endStatement,
      values: [numberArray(ended.map(({ monitorKey }) => monitorKey)), numberArray(ended.map(({ at }) => at))],
    })
  if (over.length > 0)
    await client.query({
      name: 'add_gaps',
      text: addStatement,
      values: [
        numberArray(over.map(({ monitorKey }) => monitorKey)),
        numberArray(over.map(({ from }) => from)),
        numberArray(over.map(({ until }) => until)),
      ],
    })
}

/** Removes at most `limit` that ended before `before`. */
export async function forgetGaps({ pool }: Pick<Database, 'pool'>, before: Date, limit: number): Promise<number> {
  const removed = await pool.query(forgetStatement, [before, limit])
  return removed.rowCount ?? 0
}

const microsecond = `interval '1 microsecond'`

const endStatement = `
update monitor_gaps g
set ended_at = greatest(g.started_at, timestamptz 'epoch' + e.at * ${microsecond})
from unnest($1::bigint[], $2::bigint[]) as e (monitor_key, at)
where g.monitor_key = e.monitor_key
  and g.ended_at is null`

const addStatement = `
insert into monitor_gaps (monitor_key, started_at, ended_at)
select monitor_key, timestamptz 'epoch' + a.from * ${microsecond}, timestamptz 'epoch' + a.until * ${microsecond}
from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as a (monitor_key, "from", until)
on conflict (monitor_key, started_at) do nothing`

const forgetStatement = `
delete from monitor_gaps
where (monitor_key, started_at) in (
  select monitor_key, started_at
  from monitor_gaps
  where ended_at < $1
  order by ended_at
  limit $2
  for update skip locked
)`
