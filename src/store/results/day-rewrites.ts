import type { PoolClient } from 'pg'
import { endOf, mayRewrite } from '#core/results/merge-spans.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { boundedTransaction } from '#store/database/bounded-transaction.ts'
import { lockDay } from './day-forms.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { isLockTimeout, isMissingTable, isStatementTimeout } from '#store/database/database-failures.ts'
import { compareTotals, copyMerged } from './merge-statements.ts'
import { beginMerging, hasWaiting } from './merge-turns.ts'
import { listResultDays, partitionBounds, partitionName } from './result-partitions.ts'

/**
 * The outcome of a step. `busy`: another process has the day, or the table could not be locked at once; try again in a
 * moment. `refused`: the sums of the copy differ from the day's, and it was thrown away; `differences` say where.
 */
export type RewriteStep = { day: string } & (
  | { outcome: 'begun' | 'busy' | 'swapped' }
  | { outcome: 'copied'; rows: number }
  | { outcome: 'refused'; differences: unknown[] }
)

const limits = { lockTimeoutMs: 1_000, statementTimeoutMs: 30_000 }
/** Statements that ask for `results` meanwhile wait as well, so the lock is tried briefly and again. */
const swapLimits = { lockTimeoutMs: 100, statementTimeoutMs: 5_000 }
/** Two whole days of results are read, under no lock that another transaction waits for. */
const compareLimits = { lockTimeoutMs: 1_000, statementTimeoutMs: 120_000 }
const rowsAtOnce = 20_000

/**
 * One step of rewriting the oldest day that may be rewritten into hours, in a table of its own that then takes the
 * place of the old one, so that its space comes back. Null when there is nothing to do. Each step is a transaction; a
 * process killed at any of them leaves the next step to another. Nothing is written to such a day meanwhile: rounds
 * older than two hours are refused, merging in place leaves it alone (`lockDayForms`), and the results of a deleted
 * monitor are removed once more when the rewrite is done (jobs/forget-monitor).
 */
export async function rewriteNextDay(database: Database, now: Date): Promise<RewriteStep | null> {
  const { under, waiting } = await readRewrites(database, now)
  if (under !== null) return under.isCopied ? replaceDay(database, under.day, now) : copyStep(database, under.day)
  if (waiting === null) return null
  await beginMerging(database)
  return (await hasWaiting(database, { before: endOf(waiting), now })) ? null : begin(database, waiting)
}

/** Whether a table is being filled: what is deleted from a day until then may have been copied before. */
export async function isRewriting({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const found = await pool.query(`select from day_rewrites where ${isUnderway} limit 1`)
  return found.rows.length > 0
}

const isUnderway = 'finished_at is null and retry_at is null'

/** What a restored database knows of copies, which no backup holds: they are begun anew. */
export async function forgetRewrites(client: Pick<PoolClient, 'query'>): Promise<void> {
  await client.query(`delete from day_rewrites where ${isUnderway}`)
}

type Rewrites = { under: { day: string; isCopied: boolean } | null; waiting: string | null }

async function readRewrites(database: Database, now: Date): Promise<Rewrites> {
  const days = (await listResultDays(database)).filter((day) => mayRewrite(day, now))
  const known = await database.pool.query<{ day: string; isUnderway: boolean; isCopied: boolean }>(
    `select day::text as day, ${isUnderway} as "isUnderway", next_key is null as "isCopied"
    from day_rewrites
    where finished_at is not null
      or retry_at is null
      or retry_at > $1
    order by day`,
    [now],
  )
  const begun = new Set(known.rows.map(({ day }) => day))
  return {
    under: known.rows.find((row) => row.isUnderway) ?? null,
    waiting: days.find((day) => !begun.has(day)) ?? null,
  }
}

async function begin(database: Database, day: string): Promise<RewriteStep> {
  return orBusy(day, () =>
    boundedTransaction(database, limits, async ({ client }) => {
      if (!(await lockDay(client, day))) return { day, outcome: 'busy' }
      const begun = await client.query(
        `insert into day_rewrites (day)
        values ($1)
        on conflict (day) do update
        set next_key = 0, retry_at = null
        where day_rewrites.retry_at is not null`,
        [day],
      )
      if (begun.rowCount === 0) return { day, outcome: 'busy' }
      const copy = copyName(day)
      await client.query(`create table ${copy} (like results including all)`)
      // Known to hold for every row, it need not be looked at row by row when the table is attached.
      await client.query(`alter table ${copy} add constraint ${copy}_day check (${withinDay(day)})`)
      return { day, outcome: 'begun' }
    }),
  )
}

async function copyStep(database: Database, day: string): Promise<RewriteStep> {
  return boundedTransaction(database, limits, async (transaction) => {
    const { client } = transaction
    const rewrite = await holdRewrite(transaction, day)
    if (rewrite === null || rewrite.nextKey === null) return { day, outcome: 'busy' }
    const { nextKey } = rewrite
    const end = await client.query<{ key: string }>(
      `select greatest(monitor_key, $1::bigint + 1) as key
      from ${partitionName(day)}
      where monitor_key >= $1::bigint
      order by monitor_key, round_at
      offset ${rowsAtOnce}
      limit 1`,
      [nextKey],
    )
    const endKey = end.rows[0]?.key ?? null
    const copied = await client.query(copyMerged({ from: partitionName(day), to: copyName(day) }), [
      nextKey,
      endKey ?? afterAllKeys,
    ])
    await client.query('update day_rewrites set next_key = $2 where day = $1', [day, endKey])
    return { day, outcome: 'copied', rows: copied.rowCount ?? 0 }
  })
}

async function replaceDay(database: Database, day: string, now: Date): Promise<RewriteStep> {
  const differences = await boundedTransaction(database, compareLimits, async (transaction) => {
    if ((await holdRewrite(transaction, day)) === null) return null
    const found = await transaction.client.query(compareTotals({ from: partitionName(day), to: copyName(day) }))
    if (found.rows.length > 0) await throwAway(transaction, day, now)
    return found.rows
  })
  if (differences === null) return { day, outcome: 'busy' }
  if (differences.length > 0) return { day, outcome: 'refused', differences }
  await tidy(database, day)
  return orBusy(day, () => boundedTransaction(database, swapLimits, (transaction) => swap(transaction, day, now)))
}

async function throwAway({ client }: Transaction, day: string, now: Date): Promise<void> {
  await client.query(`drop table ${copyName(day)}`)
  await client.query('update day_rewrites set next_key = 0, retry_at = $2 where day = $1', [
    day,
    new Date(now.getTime() + dayMs),
  ])
}

/**
 * For plans, and so that no later vacuum has to freeze it. The swap does not depend on it, and finds out where another
 * process has swapped the copy meanwhile.
 */
async function tidy({ pool }: Database, day: string): Promise<void> {
  await pool.query(`vacuum (freeze, analyze) ${copyName(day)}`).catch((error: unknown) => {
    if (!isStatementTimeout(error) && !isLockTimeout(error) && !isMissingTable(error)) throw error
  })
}

async function swap(transaction: Transaction, day: string, now: Date): Promise<RewriteStep> {
  const { client } = transaction
  if ((await holdRewrite(transaction, day)) === null) return { day, outcome: 'busy' }
  const [old, copy] = [partitionName(day), copyName(day)]
  await client.query(`
    alter table results detach partition ${old};
    drop table ${old};
    alter table ${copy} rename to ${old};
    alter table results attach partition ${old} ${partitionBounds(day)};
    alter table ${old} drop constraint ${copy}_day`)
  await client.query('update day_rewrites set finished_at = $2 where day = $1', [day, now])
  return { day, outcome: 'swapped' }
}

/** Null when it is not under way any more, or another process is at it. */
async function holdRewrite({ client }: Transaction, day: string): Promise<{ nextKey: string | null } | null> {
  const held = await client.query<{ nextKey: string | null }>(
    `select next_key as "nextKey"
    from day_rewrites
    where day = $1
      and ${isUnderway}
    for update skip locked`,
    [day],
  )
  return held.rows[0] ?? null
}

async function orBusy(day: string, work: () => Promise<RewriteStep>): Promise<RewriteStep> {
  try {
    return await work()
  } catch (error) {
    if (isLockTimeout(error)) return { day, outcome: 'busy' }
    throw error
  }
}

/** Above every key that there will be. */
const afterAllKeys = '9223372036854775807'

/** The table that is to replace a day's. */
export function copyName(day: string): string {
  return `${partitionName(day)}_hours`
}

function withinDay(day: string): string {
  return `round_at >= '${day}T00:00:00Z' and round_at < '${endOf(day).toISOString()}'`
}
