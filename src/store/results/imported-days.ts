import type { DayCounts } from '#core/results/uptime.ts'
import type { Transaction } from '#store/database/database.ts'
import { numberArray } from '#store/database/array-literal.ts'

/**
 * Puts days in the place of all that were imported before. The caller has found the monitor in its workspace, and the
 * days are before its creation. Days of its own stay, and months are summed anew from their days when they are read.
 */
export async function replaceImportedDays(
  { client }: Pick<Transaction, 'client'>,
  { monitorKey, source, days, at }: { monitorKey: string; source: string; days: readonly DayCounts[]; at: Date },
): Promise<void> {
  // Gathering and the engines' rows of this monitor wait, for some milliseconds.
  await client.query('select from monitors where key = $1 for update', [monitorKey])
  const before = await client.query<{ first: string; last: string }>(
    'delete from imported_days where monitor_key = $1 returning first_day::text as first, last_day::text as last',
    [monitorKey],
  )
  for (const { first, last } of before.rows) {
    await client.query('delete from uptime_days where monitor_key = $1 and day between $2::date and $3::date', [
      monitorKey,
      first,
      last,
    ])
    await client.query(forgetMonths, [monitorKey, first, last])
  }
  const dates = days.map(({ date }) => date).toSorted()
  const [first] = dates
  if (first === undefined) return
  const last = dates.at(-1)
  const numbers = (field: Exclude<keyof DayCounts, 'date'>): string => numberArray(days.map((day) => day[field]))
  await client.query(insertDays, [
    monitorKey,
    days.map(({ date }) => date),
    numbers('checks'),
    numbers('up'),
    numbers('down'),
    numbers('restricted'),
    numbers('latencySumMs'),
    numbers('latencyCount'),
  ])
  await client.query(forgetMonths, [monitorKey, first, last])
  await client.query(
    'insert into imported_days (monitor_key, source, first_day, last_day, imported_at) values ($1, $2, $3, $4, $5)',
    [monitorKey, source, first, last, at],
  )
}

const insertDays = `
insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select $1, given.*
from unnest(
  $2::date[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::bigint[], $8::integer[]
) as given
on conflict do nothing`

const forgetMonths = `
delete from uptime_months
where monitor_key = $1
  and month between date_trunc('month', $2::date)::date and $3::date`
