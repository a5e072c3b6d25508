import { endOf, hourUs, mayForget } from '#core/results/merge-spans.ts'
import { latencyBounds } from '#core/results/latency-histogram.ts'
import { numberArray } from '#store/database/array-literal.ts'
import { boundedTransaction } from '#store/database/bounded-transaction.ts'
import { lockDay } from './day-forms.ts'
import { copyName } from './day-rewrites.ts'
import type { Database } from '#store/database/database.ts'
import { isLockTimeout } from '#store/database/database-failures.ts'
import { countInPlace } from './merge-statements.ts'
import { beginMerging } from './merge-turns.ts'
import { listResultDays, partitionName } from './result-partitions.ts'

/** The outcome of a step. `busy`: the table could not be locked at once; try again in a moment. */
export type ForgetStep = { day: string; outcome: 'counted' | 'busy' | 'dropped' }

const limits = { lockTimeoutMs: 1_000, statementTimeoutMs: 30_000 }
const dropLimits = { lockTimeoutMs: 100, statementTimeoutMs: 5_000 }
const monitorsAtOnce = 200

/**
 * One step of dropping the oldest day whose results are kept no longer; null when there is none. What of it is still
 * single is counted into `latency_days` first, which are kept for ever.
 */
export async function forgetNextDay(
  database: Database,
  { now, resultDays }: { now: Date; resultDays: number },
): Promise<ForgetStep | null> {
  const day = (await listResultDays(database)).find((one) => mayForget(one, { now, resultDays }))
  if (day === undefined) return null
  if ((await beginMerging(database)) > 0) return { day, outcome: 'counted' }
  try {
    if ((await countStep(database, day)) > 0) return { day, outcome: 'counted' }
    return { day, outcome: (await dropDay(database, day)) ? 'dropped' : 'busy' }
  } catch (error) {
    if (isLockTimeout(error)) return { day, outcome: 'busy' }
    throw error
  }
}

async function countStep(database: Database, day: string): Promise<number> {
  const end = endOf(day)
  return boundedTransaction(database, limits, async ({ client }) => {
    const claimed = await client.query<{ key: number; from: number }>(claimStatement, [end])
    if (claimed.rows.length === 0) return 0
    const keys = numberArray(claimed.rows.map(({ key }) => key))
    const froms = numberArray(claimed.rows.map(({ from }) => from))
    const untils = numberArray(claimed.rows.map(() => end.getTime() * 1000))
    const values = [keys, froms, froms, untils, hourUs / 1_000_000, numberArray(latencyBounds), day]
    await client.query(countInPlace(partitionName(day)), values)
    await client.query('update result_merges set merged_until = $2 where monitor_key = any($1::bigint[])', [keys, end])
    return claimed.rows.length
  })
}

/** False as long as a monitor's results may be uncounted: another process has its turn. */
async function dropDay(database: Database, day: string): Promise<boolean> {
  return boundedTransaction(database, dropLimits, async ({ client }) => {
    if (!(await lockDay(client, day))) return false
    const left = await client.query('select from result_merges where merged_until < $1 limit 1', [endOf(day)])
    if (left.rows.length > 0) return false
    await client.query('delete from day_rewrites where day <= $1', [day])
    await client.query(`
      alter table results detach partition ${partitionName(day)};
      drop table ${partitionName(day)};
      drop table if exists ${copyName(day)}`)
    return true
  })
}

// Held with the monitors, as claimTurns does.
const claimStatement = `
select r.monitor_key::float8 as key, (extract(epoch from r.merged_until) * 1000000)::float8 as "from"
from result_merges r
join monitors m on m.key = r.monitor_key
where r.merged_until < $1
order by r.monitor_key
limit ${monitorsAtOnce}
for update of r skip locked
for key share of m skip locked`
