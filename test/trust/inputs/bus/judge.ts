import type { Database } from '#store/database/database.ts'
import { pause } from '../../../support/pause.ts'
import type { Ground } from './ground.ts'

const lookMs = 20

/** Milliseconds until the result is stored; null where it is not in time. */
export async function untilStored(
  { pool }: Database,
  { monitorId, round }: { monitorId: string; round: number },
  withinMs: number,
): Promise<number | null> {
  const began = performance.now()
  while (performance.now() - began < withinMs) {
    const { rowCount } = await pool.query(
      `select
      from results
      where monitor_key = (select key from monitors where id = $1)
        and round_at = timestamptz 'epoch' + $2::bigint * interval '1 microsecond'`,
      [monitorId, round],
    )
    if (rowCount === 1) return performance.now() - began
    await pause(lookMs)
  }
  return null
}

/** What stands of monitors that the sender's location does not check, or of a location that is not the sender's. */
export async function storedOfOthers({ database, known }: Ground): Promise<string | null> {
  const { rows } = await database.pool.query<{
    results: number
    states: number
    incidents: number
    others: number
    routes: number
  }>(
    `select
      (select count(*)::integer from results where monitor_key in (select key from monitors where id = any($1))) as results,
      (
        select count(*)::integer
        from monitor_state
        where monitor_key in (select key from monitors where id = any($1))
          and (current_status <> 'pending' or last_checked_at is not null)
      ) as states,
      (select count(*)::integer from incidents where monitor_id = any($1)) as incidents,
      (select count(*)::integer from monitor_routes where monitor_id = any($1) or location <> $2) as routes,
      (
        select count(*)::integer
        from results
        where location <> (select id from locations where code = $2)
      ) as others`,
    [known.foreign, known.location],
  )
  const [counts] = rows
  const isNothing = counts !== undefined && Object.values(counts).every((count) => count === 0)
  return isNothing ? null : `Of other locations there is ${JSON.stringify(counts)}.`
}
