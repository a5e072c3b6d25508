import { isKindName, kindTraits } from '#core/monitors/kind-traits.ts'
import { hash } from 'node:crypto'
import { hourlyUntil, singleResults } from '#core/results/merge-spans.ts'
import type { ResultRecord, ResultStatus } from '#core/results/result.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { merged, mergedRow, told } from './merge-statements.ts'

/** Of a monitor at once. */
export const maxResults = 500

export type ResultsOf = { monitorId: string; monitorKey: string; kind: string; limit: number; now: Date }

/** The newest results of a monitor, newest first. The caller has looked the monitor up in its workspace. */
export async function listResults(
  { pool }: Pick<Database, 'pool'>,
  { monitorId, monitorKey, kind, limit, now }: ResultsOf,
): Promise<ResultRecord[]> {
  const statement = limit <= singleResults ? singlesStatement : hourlyStatement
  const until = new Date(now.getTime() + dayMs)
  let rows: ResultRow[] = []
  for (const days of daysBack) {
    // Whole hours, of which none is read in part.
    const since = days === null ? '-infinity' : new Date(hourlyUntil(now).getTime() - (days - 1) * dayMs)
    const values = [monitorKey, since, until, ...(statement === hourlyStatement ? [hourlyUntil(now)] : [])]
    const found = await pool.query<{ results: ResultRow[] }>({ ...statement, values })
    rows = found.rows[0]?.results ?? []
    if (rows.length >= limit) break
  }
  return rows.slice(0, limit).map((row) => toResult(row, { monitorId, kind }))
}

/** The newest results are nearly always recent ones, and a statement about few day partitions starts many times faster. */
const daysBack = [2, 16, null]

/** A result as the statements give it, times in microseconds since 1970, phases in the order of `phaseNames`. */
export type ResultRow = [
  round: number,
  location: string,
  status: string,
  statusCode: number | null,
  latencyMs: number | null,
  phasesMs: (number | null)[],
  repeats: number,
  lastRound: number | null,
  latencyMaxMs: number | null,
  error: string | null,
  details: Record<string, unknown> | null,
]

/**
 * Part of a statement: the newest results as `ResultRow`s. `sources` are tables with what is asked of their rows, of which
 * each is read in the order of its index and no further than need be.
 */
export function newestResultsOf({ sources, limit }: { sources: readonly string[]; limit: number }): string {
  const newest = sources.map(
    (source) => `(
    select
      round_at, location, status, status_code, latency_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, transfer_ms, repeats,
      last_checked_at, latency_max_ms, error, details
    from ${source}
    order by round_at desc, location
    limit ${limit}
  )`,
  )
  return `to_json(array(
  select json_build_array(
    ${micros('r.round_at')}, l.code, r.status, r.status_code, r.latency_ms,
    array[r.dns_ms, r.connect_ms, r.tls_ms, r.ttfb_ms, r.transfer_ms], r.repeats,
    ${micros('r.last_checked_at')}, r.latency_max_ms, r.error, r.details
  )
  from (${newest.join(' union all ')}) as r
  join locations l on l.id = r.location
  order by r.round_at desc, r.location
  limit ${limit}
))`
}

/** Part of a statement: a time in microseconds since 1970. */
export function micros(time: string): string {
  return `(extract(epoch from ${time}) * 1000000)::bigint`
}

const ofMonitor = 'monitor_key = $1 and round_at >= $2 and round_at < $3'

// With a limit in its text PostgreSQL keeps the plan of a statement; with one among the values it plans a hundred day
// partitions anew at every call, which takes several times as long as reading them.

const singlesStatement = {
  name: 'list_single_results',
  text: `select ${newestResultsOf({ sources: [`results where ${ofMonitor}`], limit: singleResults })} as results`,
}

/** Quarter-hours of an hour. */
const rowsPerHour = 4

/**
 * Hours that ended a day ago, as far as they are merged, come as the rewrite of their day will leave them. Before it
 * they are quarter-hours, so that four times as many rows suffice, and the rest of the hour in which these end.
 */
const hourlyStatement = {
  name: 'list_hourly_results',
  text: `
with hourly as materialized (
  select coalesce((select least(merged_until, $4) from result_merges where monitor_key = $1), '-infinity') as until_at
), oldest as materialized (
  select date_bin('1 hour', min(round_at), timestamptz 'epoch') as round_at
  from (
    select round_at
    from results
    where ${ofMonitor}
      and round_at < (select until_at from hourly)
    order by round_at desc
    limit ${rowsPerHour * (maxResults - singleResults)}
  ) as newest
), taken as materialized (
  select *, date_bin('1 hour', round_at, timestamptz 'epoch') as bucket
  from results
  where ${ofMonitor}
    and round_at < (select until_at from hourly)
    and round_at >= (select round_at from oldest)
), ${told}, ${merged}, by_hours as (
  select ${mergedRow}
  from merged m
)
select ${newestResultsOf({
    sources: [`results where ${ofMonitor} and round_at >= (select until_at from hourly)`, 'by_hours'],
    limit: maxResults,
  })} as results`,
}

export function toResult(row: ResultRow, { monitorId, kind }: { monitorId: string; kind: string }): ResultRecord {
  const [round, location, status, statusCode, latencyMs, phasesMs, repeats, lastRound, latencyMaxMs, error] = row
  return {
    id: resultId({ monitorId, round, location }),
    status: statusOf(status),
    status_code: statusCode,
    latency_ms: latencyMs,
    location_code: location,
    checked_at: timeText(round),
    error,
    details: detailsOf(kind, phasesMs, row[10]),
    repeats,
    last_checked_at: lastRound === null ? null : timeText(lastRound),
    latency_max_ms: latencyMaxMs,
  }
}

function timeText(microseconds: number): string {
  return new Date(Math.floor(microseconds / 1000)).toISOString()
}

/**
 * A result has no id of its own in the table: it is monitor, round and location. The id shown is a UUID of version 8
 * (RFC 9562 5.8) made of the SHA-256 of the three, so that it is the same at every reading.
 */
function resultId(result: { monitorId: string; round: number; location: string }): string {
  const digits = hash('sha256', `${result.monitorId}/${result.round}/${result.location}`)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const [low, middle, high] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16)]
  return `${low}-${middle}-8${high}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

function statusOf(letter: string): ResultStatus {
  switch (letter) {
    case 'u':
      return 'up'
    case 'd':
      return 'down'
    case 'g':
      return 'degraded'
    default:
      throw new Error(`The results table holds the status "${letter}".`)
  }
}

const phaseNames = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'] as const

/**
 * The stored details hold only what is unusual, because members that are the same in every row would fill the largest
 * table; phases have columns. Of kinds whose check is one web request every member is there, null where none applies.
 */
export function detailsOf(
  kind: string,
  phasesMs: readonly (number | null)[],
  stored: Record<string, unknown> | null,
): Record<string, unknown> {
  const [dnsMs = null, connectMs = null, tlsMs = null, ttfbMs = null, transferMs = null] = phasesMs
  if (isKindName(kind) && kindTraits[kind].isWebRequest)
    return {
      final_url: null,
      redirects: 0,
      dns_ms: dnsMs,
      connect_ms: connectMs,
      tls_ms: tlsMs,
      ttfb_ms: ttfbMs,
      transfer_ms: transferMs,
      failed_assertion: null,
      ...stored,
    }
  const measured = phaseNames.map((name, index) => [name, phasesMs[index] ?? null] as const)
  return { ...Object.fromEntries(measured.filter(([, ms]) => ms !== null)), ...stored }
}
