import { slotOf } from '#core/results/latency-histogram.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'

/** Days that one call makes room for. */
const roomDays = 8

/** A year of three locations as it is kept: a result of each a day, the counts of the day, and its response times. */
export async function addYear(database: Database, monitorId: string): Promise<void> {
  for (let days = 0; days < 365 + roomDays; days += roomDays)
    await createResultPartitions(database, new Date(Date.now() - days * dayMs))
  const { pool } = database
  const ofMonitor = '(select key from monitors where id = $1)'
  const days = `generate_series(2, 364) as ago,
    lateral (select ((now() at time zone 'UTC')::date - ago::integer) as day) as named`
  await pool.query(
    `insert into results (monitor_key, version, round_at, location, status, latency_ms, repeats)
    select ${ofMonitor}, 1, day + interval '12 hours', l.id, 'u', 80 + 40 * l.position + (ago * 37) % 60, 288
    from ${days}, locations as l`,
    [monitorId],
  )
  await pool.query(
    `insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
    select ${ofMonitor}, day, 864, 864, 0, 0, 864 * 120, 864
    from ${days}`,
    [monitorId],
  )
  await pool.query(
    `insert into latency_days (monitor_key, day, slots, counts, phase_sums_ms, phase_counts)
    select ${ofMonitor}, day, $2::smallint[], $3::integer[], array[864, 0, 0, 86400, 0], array[864, 0, 0, 864, 0]
    from ${days}`,
    [monitorId, [slotOf(100), slotOf(140), slotOf(190)], [500, 350, 14]],
  )
}
