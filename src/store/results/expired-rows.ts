import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'

const rowsAtOnce = 1_000
const rejectedDays = 30

/** Deletes problems that ended so many days ago, which no plan shows any more; at most 1,000 a call. */
export async function forgetProblems(
  { pool }: Pick<Database, 'pool'>,
  { now, problemDays }: { now: Date; problemDays: number },
): Promise<number> {
  const forgotten = await pool.query(problemsStatement, [daysBefore(now, problemDays), rowsAtOnce])
  return forgotten.rowCount ?? 0
}

/** Deletes results that were set aside more than 30 days ago; at most 1,000 a call. */
export async function forgetRejected({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const forgotten = await pool.query(rejectedStatement, [daysBefore(now, rejectedDays), rowsAtOnce])
  return forgotten.rowCount ?? 0
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs)
}

const problemsStatement = `
delete from problems
where (monitor_key, started_at) in (
  select monitor_key, started_at
  from problems
  where ended_at < $1
  order by ended_at
  limit $2
  for update skip locked
)`

// Their ids rise with time, so the oldest are looked at and no others.
const rejectedStatement = `
delete from rejected_results
where id in (
  select id
  from (select id, rejected_at from rejected_results order by id limit $2) as oldest
  where rejected_at < $1
)`
