import type { Database } from '#store/database/database.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'

export const historyDays = 365
/** Results are kept for this long. */
export const resultDays = 90

const dayMs = 86_400_000

/**
 * A year of monitors checked every minute: a day rollup for each day, results of 90 days as compaction leaves them (an
 * hour in a row, the last day's one by one), and an outage of ten minutes every fifth day with its incident.
 */
export async function addHistory(database: Database, monitorIds: string[]): Promise<void> {
  const now = new Date()
  for (let day = resultDays; day >= 0; day -= 1)
    await createResultPartitions(database, new Date(now.getTime() - day * dayMs))
  for (const statement of [made, days, mergedResults, singleResults, problems, incidents, events])
    await database.pool.query(statement, [monitorIds])
  await database.pool.query('analyze')
}

/** The first hour of monitors checked every minute, of which nothing is merged yet. */
export async function addFirstHour(database: Database, monitorIds: string[]): Promise<void> {
  await createResultPartitions(database, new Date())
  for (const statement of [madeLately, firstDays, firstResults]) await database.pool.query(statement, [monitorIds])
  await database.pool.query('analyze')
}

const chosen = `monitors m where m.id = any($1::uuid[])`

const made = `update monitors m set created_at = now() - interval '${historyDays} days' where m.id = any($1::uuid[])`
const madeLately = `update monitors m set created_at = now() - interval '1 hour' where m.id = any($1::uuid[])`

const days = `
insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select m.key, (now() at time zone 'UTC')::date - back, 1440, 1440 - bad, bad, 0, (1440 - bad) * 120, 1440 - bad
from generate_series(0, ${historyDays - 1}) as back
cross join lateral (select case when back % 5 = 0 then 10 else 0 end as bad) as failed
cross join ${chosen}`

const firstDays = `
insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select m.key, at::date, count(*), count(*), 0, 0, count(*) * 120, count(*)
from generate_series(now() - interval '59 minutes', now() - interval '1 minute', interval '1 minute') as at
cross join ${chosen}
group by 1, 2`

const mergedResults = `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms,
  dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, repeats, last_checked_at, latency_max_ms
)
select m.key, at, 1, 'u', 200, 120, 2, 20, 25, 70, 3, 60, at + interval '59 minutes', 310
from generate_series(now() - interval '${resultDays} days', now() - interval '25 hours', interval '1 hour') as at
cross join ${chosen}`

const singleResults = resultsSince('24 hours')
const firstResults = resultsSince('59 minutes')

const outages = `generate_series(now() - interval '${historyDays} days', now() - interval '1 day', interval '5 days') as at`

const problems = `
insert into problems (monitor_key, started_at, ended_at, status, error, locations)
select m.key, at, at + interval '10 minutes', 'down', 'HTTP status 503, expected 200 to 399', '{local}'
from ${outages}
cross join ${chosen}`

const incidents = `
insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at)
select
  gen_random_uuid(), m.workspace_id, m.id, m.name, 'resolved', m.name || ' is down',
  'HTTP status 503, expected 200 to 399', at, at + interval '10 minutes'
from ${outages}
cross join ${chosen}`

const events = `
insert into incident_events (id, incident_id, type, at, message)
select gen_random_uuid(), i.id, type, i.started_at, 'Of the bench.'
from incidents i
cross join unnest('{opened,alert_sent,resolved}'::text[]) as type
where i.monitor_id = any($1::uuid[])`

function resultsSince(ago: string): string {
  return `
insert into results (
  monitor_key, round_at, location, status, status_code, latency_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms
)
select m.key, at, 1, 'u', 200, 120, 2, 20, 25, 70, 3
from generate_series(now() - interval '${ago}', now() - interval '1 minute', interval '1 minute') as at
cross join ${chosen}`
}
