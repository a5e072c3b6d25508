import { sql } from 'kysely'
import type { Database, Reader } from '#store/database/database.ts'
import { type PaymentAttempt, toAttempt } from './payment-attempts.ts'

const firstPauseSeconds = 60
const longestPauseSeconds = 6 * 3600
const keptDays = 90

/**
 * Attempts about which the processor should be asked again, the longest waiting first. Between two questions the pause
 * doubles, from a minute to six hours. At most `limit`.
 */
export async function listOpenAttempts(
  reader: Reader,
  { at, limit }: { at: Date; limit: number },
): Promise<PaymentAttempt[]> {
  const pause = sql`least(${longestPauseSeconds}::float8, ${firstPauseSeconds}::float8 * power(2, least(asked, 20) - 1))`
  const rows = await reader.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('state', '=', 'settling')
    .where('asked_at', '<=', sql<Date>`${at}::timestamptz - make_interval(secs => ${pause})`)
    .orderBy('asked_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toAttempt)
}

/**
 * Removes attempts that no request can refer to any more, at most 1,000 a call; returns how many. A finished attempt
 * answers repeats for a day (docs/decisions/payments.md, "A repeat of the same request"), and refuses its proof for as
 * long as that may be good. An attempt that was paid and waits for its work is never removed.
 */
export async function forgetAttempts({ pool }: Pick<Database, 'pool'>, at: Date): Promise<number> {
  const forgotten = await pool.query(forgetStatement, [at, keptDays])
  return forgotten.rowCount ?? 0
}

const forgetStatement = `
delete from payment_attempts
where id in (
  select id
  from payment_attempts
  where ended_at <= $1::timestamptz - $2 * interval '1 day'
    and (state = 'failed' or done_at <= $1::timestamptz - $2 * interval '1 day')
  order by ended_at
  limit 1000
  for update skip locked
)`
