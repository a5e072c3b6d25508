import type { ResultRecord, ResultStatus } from '#core/results/result.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { type Page, type PagePlace, pageOf, placeholders } from '#store/database/page.ts'
import { type ResultRow, micros, toResult } from './results.ts'

export type ResultFilter = {
  status?: readonly ResultStatus[] | undefined
  /** Codes of locations. */
  location?: readonly string[] | undefined
  /** Checked then or later. */
  since?: string | undefined
  /** Checked before then. */
  until?: string | undefined
}

export type ResultPageRequest = {
  monitorId: string
  monitorKey: string
  kind: string
  filter: ResultFilter
  after: PagePlace | null
  limit: number
  now: Date
}

/**
 * A page of a monitor's results as they are kept, newest first: single, by the quarter-hour or by the hour. The caller
 * has looked the monitor up in its workspace.
 */
export async function pageResults(
  { pool }: Pick<Database, 'pool'>,
  { monitorId, monitorKey, kind, filter, after, limit, now }: ResultPageRequest,
): Promise<Page<ResultRecord>> {
  const until = endOf({ filter, after, now })
  let rows: PageRow[] = []
  for (const days of daysBack) {
    const earliest = days === null ? '-infinity' : new Date(until.getTime() - days * dayMs)
    const since = latestOf(earliest, filter.since)
    const asked = { monitorKey, since, until, filter, after, limit }
    rows = (await pool.query<PageRow>(statementOf(asked))).rows
    if (rows.length > limit || since !== earliest) break
  }
  const items = rows.map(({ result }) => toResult(result, { monitorId, kind }))
  return pageOf(rows, items, limit)
}

/** A statement about few day partitions starts many times faster, and most pages are of the newest days. */
const daysBack = [2, 16, null]

type PageRow = PagePlace & { result: ResultRow }

type Ending = Pick<ResultPageRequest, 'filter' | 'after' | 'now'>

/** A page begins where the one before ended; the first with rounds of now, whatever the clocks of the engines say. */
function endOf({ filter, after, now }: Ending): Date {
  const end = new Date(now.getTime() + dayMs)
  const asked = filter.until === undefined ? end : new Date(Math.min(end.getTime(), Date.parse(filter.until)))
  // To the millisecond, rounded up: the place itself is to the microsecond.
  return after === null ? asked : new Date(Math.min(asked.getTime(), Date.parse(after.at) + 1))
}

function latestOf<Earliest extends Date | string>(earliest: Earliest, since: string | undefined): Earliest | Date {
  if (since === undefined) return earliest
  const asked = new Date(since)
  return typeof earliest === 'string' || asked > earliest ? asked : earliest
}

type Asked = Pick<ResultPageRequest, 'monitorKey' | 'filter' | 'after' | 'limit'> & {
  since: Date | string
  until: Date
}

/** Rows are read in the order of the primary key (monitor, round, location), and no more than the page has. */
function statementOf({ monitorKey, since, until, filter, after, limit }: Asked): { text: string; values: unknown[] } {
  const { put, values } = placeholders()
  const { status, location } = filter
  const conditions = [
    `r.monitor_key = ${put(monitorKey)}`,
    `r.round_at >= ${put(since)}`,
    `r.round_at < ${put(until)}`,
    ...(status === undefined ? [] : [`r.status = any(${put(status.map((each) => letters[each]))}::"char"[])`]),
    ...(location === undefined
      ? []
      : [`r.location = any(array(select id from locations where code = any(${put(location)}::text[])))`]),
  ]
  if (after !== null) {
    const [at, place] = [put(after.at), put(locationOf(after.id))]
    conditions.push(`(r.round_at < ${at} or r.round_at = ${at} and r.location > ${place})`)
  }
  const text = `
select
  to_json(r.round_at) #>> '{}' as at, '${placePrefix}' || lpad(r.location::text, 12, '0') as id,
  json_build_array(
    ${micros('r.round_at')}, l.code, r.status, r.status_code, r.latency_ms,
    array[r.dns_ms, r.connect_ms, r.tls_ms, r.ttfb_ms, r.transfer_ms], r.repeats,
    ${micros('r.last_checked_at')}, r.latency_max_ms, r.error, r.details
  ) as result
from (
  select *
  from results as r
  where ${conditions.join('\n    and ')}
  order by r.round_at desc, r.location
  limit ${put(limit + 1)}
) as r
join locations as l on l.id = r.location
order by r.round_at desc, r.location`
  return { text, values }
}

/**
 * A page ends with a row, named by its time and a UUID. A result has none of its own, and among those of one round its
 * location decides: the number of the location stands in the form of a UUID of version 8 (RFC 9562 5.8).
 */
const placePrefix = '00000000-0000-8000-8000-'

function locationOf(id: string): number {
  return Number(id.slice(placePrefix.length))
}

const letters: Readonly<Record<ResultStatus, string>> = { up: 'u', down: 'd', degraded: 'g' }
