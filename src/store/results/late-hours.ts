import type { PoolClient } from 'pg'
import type { HourLeaf } from '#core/proofs/signed-history.ts'
import { addDays, startOf } from '#core/language/utc-day.ts'
import { countsOfHour, hashOfRounds } from './signed-hours.ts'

type Counted = Omit<HourLeaf, 'part'> & { monitor_key: string; workspace: string }

const counts = ['checks', 'degraded', 'down', 'in_maintenance', 'latency_count', 'latency_sum_ms', 'up'] as const

/**
 * The leaves of a day: those of the hours that were summed up, and a late one for each hour that has more checks now.
 * Intake refuses rounds that are older than two hours, so this is what it had taken before and could not store in time.
 */
export async function addLateHours(
  client: PoolClient,
  { day, keys, rows }: { day: string; keys: readonly string[]; rows: readonly Counted[] },
): Promise<(Counted & Pick<HourLeaf, 'part'>)[]> {
  const first = rows.map((row) => ({ ...row, part: 'first' as const }))
  const grown = await client.query<{ key: string; hour: Date; location: number }>(grownStatement, [
    keys,
    startOf(day),
    startOf(addDays(day, 1)),
  ])
  const late: (Counted & { part: 'late' })[] = []
  for (const { key, hour, location } of grown.rows) {
    const { rows: found } = await client.query<Counted>(hourStatement, [key, hour, location])
    const [now] = found
    if (now === undefined) continue
    const before = rows.find((row) => row.monitor_key === key && row.hour === now.hour && row.location === now.location)
    late.push({ ...without(now, before), part: 'late' })
  }
  return [...first, ...late]
}

/** What came after the first leaf. A sum never shrinks, since results are only merged. */
function without(now: Counted, before: Counted | undefined): Counted {
  const rest = { ...now }
  for (const name of counts) rest[name] = now[name] - (before?.[name] ?? 0)
  return rest
}

/** More than could be stored late by any outage that intake bridges; what is beyond it is not signed. */
const maxLate = 10_000

const grownStatement = `
select r.monitor_key as key, r.hour, r.location
from (
  select
    monitor_key, date_bin('1 hour', round_at, timestamptz 'epoch') as hour, location, sum(repeats) as checks
  from results
  where monitor_key = any($1::bigint[])
    and round_at >= $2
    and round_at < $3
    and round_at >= (select since from signed_progress)
  group by 1, 2, 3
) as r
left join signed_hours h on h.monitor_key = r.monitor_key and h.hour = r.hour and h.location = r.location
where r.checks > coalesce(h.checks + h.in_maintenance, 0)
order by r.monitor_key, r.hour, r.location
limit ${maxLate}`

const hourStatement = `
select
  s.*, m.id as monitor, m.workspace_id as workspace, l.code as location,
  to_char($2::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:00:00"Z"') as hour
from (
  select monitor_key, ${countsOfHour.replace('::bigint as latency_sum_ms', '::float8 as latency_sum_ms')},
    encode(${hashOfRounds}, 'hex') as rounds
  from results
  where monitor_key = $1
    and location = $3
    and round_at >= $2
    and round_at < $2::timestamptz + interval '1 hour'
  group by monitor_key
) as s
join monitors m on m.key = s.monitor_key
join locations l on l.id = $3`
