import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { ResultRecord, ResultStatus } from '#core/result.ts'
import { dayMs } from '#core/utc-day.ts'
import type { Database } from '#store/database.ts'

export type ResultsOf = { monitorId: string; monitorKey: string; limit: number; now: Date }

/** The newest results of a monitor, newest first. The caller has looked the monitor up in its workspace. */
export async function listResults(
  { pool }: Pick<Database, 'pool'>,
  { monitorId, monitorKey, limit, now }: ResultsOf,
): Promise<ResultRecord[]> {
  const read = readSteps.find((step) => step >= limit)
  assert.ok(read)
  const statement = { name: `list_results_${read}`, text: `${listStatement}\nlimit ${read}` }
  const until = new Date(now.getTime() + dayMs)
  let rows: ResultRow[] = []
  for (const days of daysBack) {
    const since = days === null ? '-infinity' : new Date(now.getTime() - days * dayMs)
    const found = await pool.query<ResultRow>({ ...statement, values: [monitorKey, since, until] })
    rows = found.rows
    if (rows.length >= limit) break
  }
  return rows.slice(0, limit).map((row) => toResult(row, monitorId))
}

/**
 * Rows read, the most that may be asked for last. With a limit in its text PostgreSQL keeps the plan; with one among
 * the values it plans a hundred day partitions anew at every call, which takes several times as long as reading them.
 */
const readSteps = [100, 500]

/** The newest results are nearly always recent ones, and a statement about few day partitions starts many times faster. */
const daysBack = [2, 16, null]

/**
 * A result has no id of its own in the table: it is monitor, round and location. The id shown is a UUID of version 8
 * (RFC 9562 5.8) made of the SHA-256 of the three, so that it is the same at every reading.
 */
function resultId(result: { monitorId: string; round: string; location: string }): string {
  const hash = createHash('sha256').update(`${result.monitorId}/${result.round}/${result.location}`).digest()
  const bytes = hash.subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

type ResultRow = {
  /** Microseconds since 1970, in decimal. */
  round: string
  location: string
  status: string
  status_code: number | null
  latency_ms: number | null
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  ttfb_ms: number | null
  transfer_ms: number | null
  repeats: number
  checked_at: Date
  last_checked_at: Date | null
  latency_max_ms: number | null
  error: string | null
  details: Record<string, unknown> | null
  kind: string
}

const listStatement = `
select
  (extract(epoch from r.round_at) * 1000000)::bigint as round, l.code as location,
  r.status, r.status_code, r.latency_ms, r.dns_ms, r.connect_ms, r.tls_ms, r.ttfb_ms, r.transfer_ms,
  r.repeats, r.round_at as checked_at, r.last_checked_at, r.latency_max_ms, r.error, r.details, m.kind
from results r
join locations l on l.id = r.location
join monitors m on m.key = r.monitor_key
where r.monitor_key = $1
  and r.round_at >= $2
  and r.round_at < $3
order by r.round_at desc, r.location`

function toResult(row: ResultRow, monitorId: string): ResultRecord {
  return {
    id: resultId({ monitorId, round: row.round, location: row.location }),
    status: statusOf(row.status),
    status_code: row.status_code,
    latency_ms: row.latency_ms,
    location_code: row.location,
    checked_at: row.checked_at.toISOString(),
    error: row.error,
    details: detailsOf(row),
    repeats: row.repeats,
    last_checked_at: row.last_checked_at?.toISOString() ?? null,
    latency_max_ms: row.latency_max_ms,
  }
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

const phaseColumns = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'] as const

/**
 * The stored details hold only what is unusual; timing phases are columns (decisions.md B3a). For kinds that speak
 * HTTP every member is there, null where it does not apply.
 */
function detailsOf(row: ResultRow): Record<string, unknown> {
  const phases = phaseColumns.map((column) => [column, row[column]] as const)
  if (row.kind === 'http' || row.kind === 'api')
    return { final_url: null, redirects: 0, ...Object.fromEntries(phases), failed_assertion: null, ...row.details }
  return { ...Object.fromEntries(phases.filter(([, ms]) => ms !== null)), ...row.details }
}
