// Reads from the database how a cluster fares while parts of it die.
import assert from 'node:assert/strict'
import type { Database } from '#store/database/database.ts'
import { until } from '../until.ts'

/** Seconds: from the event until the last monitor was checked again, and the longest time that one was not checked. */
export type Gaps = { again: number; longest: number; unchecked: number; results: number }

/** `without`: monitors that are checked from nowhere else are left out. */
export async function readGaps(database: Database, since: Date, without: string | null): Promise<Gaps> {
  const { rows } = await database.pool.query<Gaps>(
    `select
      coalesce(max(extract(epoch from following.at - $1::timestamptz)), 0)::float8 as again,
      coalesce(max(extract(epoch from following.at - former.at)), 0)::float8 as longest,
      count(*) filter (where following.at is null)::integer as unchecked,
      (select count(*) from results where round_at > $1::timestamptz)::integer as results
    from monitors m
    cross join lateral (select min(round_at) as at from results r where r.monitor_key = m.key and r.round_at > $1) following
    cross join lateral (select max(round_at) as at from results r where r.monitor_key = m.key and r.round_at <= $1) former
    where m.kind = 'http'
      and m.locations <> array[$2::text]`,
    [since, without ?? ''],
  )
  return rows[0] ?? assert.fail()
}

/** Resolves with the seconds until this process owns no partition and every partition has an owner. */
export async function untilTakenOver({ pool }: Database, pid: number, withinMs: number): Promise<number> {
  const startedMs = performance.now()
  const isTakenOver = async (): Promise<boolean> => {
    const { rows } = await pool.query<{ left: number }>(
      `select count(*) filter (where owner is null or owner like $1 or held_until < now())::integer as left from partitions`,
      [`%-${pid}-%`],
    )
    return rows[0]?.left === 0
  }
  await until(`all partitions of engine ${pid} are taken over`, isTakenOver, withinMs)
  return (performance.now() - startedMs) / 1000
}

/** Resolves when the database answers; with the seconds that took. */
export async function untilAnswered({ pool }: Database, withinMs: number): Promise<number> {
  const startedMs = performance.now()
  const isThere = (): Promise<boolean> =>
    pool.query('select 1').then(
      () => true,
      () => false,
    )
  await until('the database answers', isThere, withinMs)
  return (performance.now() - startedMs) / 1000
}
