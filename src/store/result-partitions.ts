import type { Database } from '#store/database.ts'

const dayMs = 86_400_000
const daysAhead = 7
/** Results may come an hour late, and a day's first minutes still bring yesterday's rounds. */
const daysBehind = 1

/**
 * Makes sure that the results of yesterday to seven days ahead have a table to go to. Safe beside intake and beside
 * itself: a table is made alone and then attached, which takes only a weak lock on `results`.
 */
export async function createResultPartitions({ pool, transaction }: Database, now: Date): Promise<void> {
  const existing = await pool.query<{ name: string }>(
    `select child.relname as name
    from pg_inherits
    join pg_class child on child.oid = inhrelid
    where inhparent = 'results'::regclass`,
  )
  const names = new Set(existing.rows.map(({ name }) => name))
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  for (let offset = -daysBehind; offset <= daysAhead; offset += 1) {
    const from = new Date(today + offset * dayMs)
    const name = partitionName(from)
    if (names.has(name)) continue
    await transaction(async ({ client }) => {
      await client.query(`select pg_advisory_xact_lock(hashtext('result partitions'))`)
      const made = await client.query(`select to_regclass($1) is not null as exists`, [name])
      if (made.rows[0]?.exists === true) return
      await client.query(`create table ${name} (like results including all)`)
      await client.query(
        `alter table results attach partition ${name} for values from ('${from.toISOString()}') to ('${new Date(from.getTime() + dayMs).toISOString()}')`,
      )
    })
  }
}

/** results_20261121 for the UTC day 2026-11-21. */
export function partitionName(day: Date): string {
  return `results_${day.toISOString().slice(0, 10).replaceAll('-', '')}`
}
