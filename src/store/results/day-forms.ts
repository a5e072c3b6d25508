import type { PoolClient } from 'pg'
import { hourUs, quarterHourUs } from '#core/results/merge-spans.ts'
import { dayMs, startOf } from '#core/language/utc-day.ts'
import { partitionName } from './result-partitions.ts'

/** One of the two numbers of the advisory lock of a day; the other is the day, counted since 1970. */
const lockOfDays = 7_305_018

/**
 * The length of the buckets of each day, held until the end of the transaction, so that no rewrite of these days begins
 * meanwhile. Null for a day that is being rewritten or is about to be, or whose table is gone.
 */
export async function lockDayForms(client: PoolClient, days: readonly string[]): Promise<Map<string, number | null>> {
  if (days.length === 0) return new Map()
  const locked = await client.query<{ day: string; isHeld: boolean }>(
    `select day, pg_try_advisory_xact_lock_shared($2, number) as "isHeld"
    from unnest($1::text[], $3::integer[]) as asked (day, number)`,
    [days, lockOfDays, days.map(numberOf)],
  )
  // Only a statement that begins once the locks are held sees what their last holder wrote.
  const known = await client.query<DayState>(
    `select
      asked.day, exists (select from pg_class where oid = to_regclass(name)) as "isThere", w.day is not null as "isBegun",
      w.finished_at is not null as "isFinished"
    from unnest($1::text[], $2::text[]) as asked (day, name)
    left join day_rewrites w on w.day = asked.day::date and w.retry_at is null`,
    [days, days.map(partitionName)],
  )
  const states = new Map(known.rows.map((state) => [state.day, state]))
  return new Map(locked.rows.map(({ day, isHeld }) => [day, isHeld ? bucketOf(states.get(day)) : null] as const))
}

/** Waits for merges in this day; they see afterwards what is written here. False when its table is gone. */
export async function lockDay(client: PoolClient, day: string): Promise<boolean> {
  await client.query('select pg_advisory_xact_lock($1, $2)', [lockOfDays, numberOf(day)])
  // By the table of tables: to_regclass alone may answer from a cache that is behind.
  const found = await client.query('select from pg_class where oid = to_regclass($1)', [partitionName(day)])
  return found.rows.length > 0
}

type DayState = { day: string; isThere: boolean; isBegun: boolean; isFinished: boolean }

function bucketOf(state: DayState | undefined): number | null {
  if (state?.isThere !== true) return null
  if (state.isFinished) return hourUs
  return state.isBegun ? null : quarterHourUs
}

function numberOf(day: string): number {
  return startOf(day).getTime() / dayMs
}
