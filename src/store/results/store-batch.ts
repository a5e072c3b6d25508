import { numberArray, textArray } from '#store/database/array-literal.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import type { CurrentStatus } from '#core/monitors/monitor.ts'
import type { Result, Verdict } from '#core/results/result.ts'
import { coverTimes } from '#store/maintenance/maintenance-cover.ts'
import { isTimed } from './timed-checks.ts'

/** A partition as its owner knows it. A different epoch in the table means that it is someone else's by now. */
export type Lease = { partition: number; epoch: number }

/** A result with its names resolved to the keys of the results table. `version` is that of the monitor that was checked. */
export type StorableResult = {
  monitorKey: number
  version: number
  round: number
  locationId: number
  verdict: Verdict
}

/** The partitions are held by another engine: nothing was written, and nothing may be. */
export class LeaseLostError extends Error {
  constructor() {
    super('Another engine holds these partitions.')
    this.name = 'LeaseLostError'
  }
}

/**
 * Stores results that are new and counts them in the day rollups, under the lock of their partitions. Returns which
 * were new: all of them as null, which is the usual case, else by `resultKey`. Results sent twice change nothing.
 */
export async function storeResults(
  { client }: Transaction,
  leases: Lease[],
  results: StorableResult[],
): Promise<Set<string> | null> {
  const answered = await client.query<{ held: number; stored: number; keys: string[] | null }>({
    name: 'store_results',
    text: storeStatement,
    values: [
      numberArray(leases.map(({ partition }) => partition)),
      numberArray(leases.map(({ epoch }) => epoch)),
      ...resultColumns(results),
    ],
  })
  const [row] = answered.rows
  if (row === undefined || row.held !== leases.length) throw new LeaseLostError()
  return row.stored === results.length ? null : new Set(row.keys ?? [])
}

export function resultKey(monitorKey: number, round: number, locationId: number): string {
  return `${monitorKey}/${round}/${locationId}`
}

/** A monitor's standing after a fold. Rounds in microseconds since 1970. */
export type StateChange = {
  monitorKey: number
  version: number
  status: CurrentStatus
  failures: number
  successes: number
  round: number
  incidentId: string | null
  problemAt: number | null
  /** Only kinds that are called have one, in microseconds since 1970; null leaves what is there. */
  deadline: number | null
}

/** Writes folds of monitors whose version is still the one that was checked; says which were written. */
export async function writeStates({ client }: Transaction, changes: StateChange[]): Promise<Set<number> | null> {
  if (changes.length === 0) return null
  const written = await client.query<{ monitor_key: string }>({
    name: 'write_states',
    text: stateStatement,
    values: [
      numberArray(changes.map(({ monitorKey }) => monitorKey)),
      numberArray(changes.map(({ version }) => version)),
      `{${changes.map(({ status }) => status).join(',')}}`,
      numberArray(changes.map(({ failures }) => failures)),
      numberArray(changes.map(({ successes }) => successes)),
      numberArray(changes.map(({ round }) => round)),
      textArray(changes.map(({ incidentId }) => incidentId)),
      numberArray(changes.map(({ problemAt }) => problemAt)),
      numberArray(changes.map(({ deadline }) => deadline)),
    ],
  })
  if (written.rows.length === changes.length) return null
  return new Set(written.rows.map(({ monitor_key }) => Number(monitor_key)))
}

/** The keys of locations in the results table, by code. */
export async function readLocationIds({ pool }: Database): Promise<Map<string, number>> {
  const found = await pool.query<{ id: number; code: string }>('select id, code from locations')
  return new Map(found.rows.map(({ id, code }) => [code, id]))
}

/** Without what its target sent and where that stands. */
export type RejectedResult = { reason: string; result: Omit<Result, 'evidence' | 'address'> }

/** Keeps results that the database refuses on their own, so that nothing is lost without a trace. */
export async function keepRejected({ client }: Transaction, rejected: readonly RejectedResult[]): Promise<void> {
  await client.query('insert into rejected_results (reason, result) select * from unnest($1::text[], $2::jsonb[])', [
    textArray(rejected.map(({ reason }) => reason)),
    textArray(rejected.map(({ result }) => JSON.stringify(result))),
  ])
}

const statusCodes = { up: 'u', down: 'd', degraded: 'g' } as const

function resultColumns(results: StorableResult[]): string[] {
  const verdicts = results.map(({ verdict }) => verdict)
  return [
    numberArray(results.map(({ monitorKey }) => monitorKey)),
    numberArray(results.map(({ round }) => round)),
    numberArray(results.map(({ locationId }) => locationId)),
    `{${verdicts.map(({ status }) => statusCodes[status]).join(',')}}`,
    numberArray(verdicts.map(({ statusCode }) => statusCode)),
    numberArray(verdicts.map(({ latencyMs }) => latencyMs)),
    numberArray(verdicts.map(({ phases }) => phases.dnsMs)),
    numberArray(verdicts.map(({ phases }) => phases.connectMs)),
    numberArray(verdicts.map(({ phases }) => phases.tlsMs)),
    numberArray(verdicts.map(({ phases }) => phases.ttfbMs)),
    numberArray(verdicts.map(({ phases }) => phases.transferMs)),
    textArray(verdicts.map(({ error }) => error)),
    textArray(verdicts.map(({ details }) => (isEmpty(details) ? null : JSON.stringify(details)))),
    numberArray(results.map(({ version }) => version)),
  ]
}

function isEmpty(record: Record<string, unknown>): boolean {
  for (const key in record) if (Object.hasOwn(record, key)) return false
  return true
}

// When the checks of these monitors count in no uptime. Of what is under way, which is hardly ever anything, the monitors
// are looked for, never the other way round.
const uncountedTimes = `underway as materialized (
  select w.key, w.workspace_id, w.covers_all, o.starts_at, o.ends_at
  from maintenance_occurrences o
  join maintenance_windows w on w.key = o.window_key and w.excludes_uptime
  where o.ends_at > (select min(round_at) from incoming)
    and o.starts_at <= (select max(round_at) from incoming)
), uncounted as materialized (
  select covered.monitor_key, range_agg(tstzrange(greatest(u.starts_at, covered.since), least(u.ends_at, covered.until))) as times
  from underway u
  cross join lateral (
    select m.key as monitor_key, cover.since, cover.until
    from monitors m
    cross join lateral ${coverTimes('u')} as cover
    where m.key = any($3::bigint[])
      and m.workspace_id = u.workspace_id
    offset 0
  ) as covered
  where covered.since < u.ends_at
    and covered.until > u.starts_at
  group by 1
)`

// `held` locks the partitions against a takeover until commit; with one of them lost, nothing is stored at all.
const storeStatement = `
with held as materialized (
  select p.partition
  from unnest($1::smallint[], $2::bigint[]) as mine (partition, epoch)
  join partitions p on p.partition = mine.partition and p.epoch = mine.epoch
  order by p.partition
  for no key update of p
), incoming as materialized (
  select *, timestamptz 'epoch' + round * interval '1 microsecond' as round_at
  from unnest(
    $3::bigint[], $4::bigint[], $5::smallint[], $6::"char"[], $7::smallint[], $8::integer[],
    $9::integer[], $10::integer[], $11::integer[], $12::integer[], $13::integer[], $14::text[], $15::jsonb[],
    $16::integer[]
  ) as incoming (
    monitor_key, round, location, status, status_code, latency_ms,
    dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, error, details, version
  )
), ${uncountedTimes}, stored as (
  insert into results (
    monitor_key, round_at, location, status, status_code, latency_ms,
    dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, error, details, version, in_maintenance
  )
  select
    monitor_key, round_at, location, status, status_code, latency_ms,
    dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, error, details, version, coalesce(times @> round_at, false)
  from incoming
  left join uncounted using (monitor_key)
  where (select count(*) from held) = cardinality($1::smallint[])
  on conflict do nothing
  returning monitor_key, round_at, location, status, latency_ms, in_maintenance
), days as (
  insert into uptime_days as d (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
  select
    monitor_key,
    (round_at at time zone 'UTC')::date,
    count(*),
    count(*) filter (where status = 'u'),
    count(*) filter (where status = 'd'),
    count(*) filter (where status = 'g'),
    coalesce(sum(latency_ms) filter (where ${isTimed}), 0),
    count(latency_ms) filter (where ${isTimed})
  from stored
  where not in_maintenance
  group by 1, 2
  order by 1, 2
  on conflict (monitor_key, day) do update
  set checks = d.checks + excluded.checks,
    up = d.up + excluded.up,
    down = d.down + excluded.down,
    restricted = d.restricted + excluded.restricted,
    latency_sum_ms = d.latency_sum_ms + excluded.latency_sum_ms,
    latency_count = d.latency_count + excluded.latency_count
)
select
  (select count(*) from held)::integer as held,
  (select count(*) from stored)::integer as stored,
  case when (select count(*) from stored) < cardinality($3::bigint[]) then (
    select array_agg(monitor_key || '/' || (extract(epoch from round_at) * 1000000)::bigint || '/' || location)
    from stored
  ) end as keys`

// After a clock went back, rounds with earlier names come again; the state folded before stays.
const stateStatement = `
update monitor_state s
set current_status = fold.status,
  consecutive_failures = fold.failures,
  consecutive_successes = fold.successes,
  round_at = greatest(s.round_at, timestamptz 'epoch' + fold.round * interval '1 microsecond'),
  last_checked_at = timestamptz 'epoch' + fold.round * interval '1 microsecond',
  incident_id = fold.incident_id,
  problem_at = timestamptz 'epoch' + fold.problem * interval '1 microsecond',
  deadline_at = coalesce(timestamptz 'epoch' + fold.deadline * interval '1 microsecond', s.deadline_at)
from unnest(
  $1::bigint[], $2::integer[], $3::text[], $4::integer[], $5::integer[], $6::bigint[], $7::uuid[], $8::bigint[],
  $9::bigint[]
) as fold (monitor_key, version, status, failures, successes, round, incident_id, problem, deadline)
where s.monitor_key = fold.monitor_key
  and s.version = fold.version
returning s.monitor_key`
