import type { PoolClient } from 'pg'
import { addDays, dayOf, startOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'

const daysAhead = 7
/** Results may come two hours late, and a day's first minutes still bring yesterday's rounds. */
const daysBehind = 1

/**
 * Makes sure that the results of yesterday to seven days ahead have a table to go to. Safe beside intake and beside
 * itself: a table is made alone and then attached, which takes only a weak lock on `results`.
 */
export async function createResultPartitions(database: Database, now: Date): Promise<void> {
  const existing = new Set(await listResultDays(database))
  for (let offset = -daysBehind; offset <= daysAhead; offset += 1) {
    const day = addDays(dayOf(now), offset)
    if (existing.has(day)) continue
    await database.transaction(async ({ client }) => {
      await client.query(`select pg_advisory_xact_lock(hashtext('result partitions'))`)
      const made = await client.query(`select to_regclass($1) is not null as exists`, [partitionName(day)])
      if (made.rows[0]?.exists !== true) await createResultDay(client, day)
    })
  }
}

export async function createResultDay(client: Pick<PoolClient, 'query'>, day: string): Promise<void> {
  const name = partitionName(day)
  await client.query(`create table ${name} (like results including all)`)
  await client.query(`alter table results attach partition ${name} ${partitionBounds(day)}`)
}

/** The UTC days whose results have a table, oldest first. */
export async function listResultDays({ pool }: Pick<Database, 'pool'>): Promise<string[]> {
  const found = await pool.query<{ day: string }>(
    `select to_date(right(child.relname, 8), 'YYYYMMDD')::text as day
    from pg_inherits
    join pg_class child on child.oid = inhrelid
    where inhparent = 'results'::regclass
    order by 1`,
  )
  return found.rows.map(({ day }) => day)
}

/** results_20261121 for the UTC day 2026-11-21. */
export function partitionName(day: string): string {
  return `results_${day.replaceAll('-', '')}`
}

export function partitionBounds(day: string): string {
  return `for values from ('${startOf(day).toISOString()}') to ('${startOf(addDays(day, 1)).toISOString()}')`
}
