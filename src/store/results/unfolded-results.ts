import { calledKinds } from '#core/monitors/kind-traits.ts'
import type { ResultStatus } from '#core/results/result.ts'
import type { Database } from '#store/database/database.ts'
import { versionOfNone } from './results-to-come.ts'

/** A stored result of a round that was not folded yet. */
export type BacklogRow = {
  monitorKey: number
  round: number
  location: string
  status: ResultStatus
  statusCode: number | null
  latencyMs: number | null
  error: string | null
  /** What a call said beside that, or that none came; null for what a check found. */
  details: Record<string, unknown> | null
}

/**
 * Results stored after the last folded round, in round order: what a killed engine left unfolded. Checks of an older
 * version looked at another target; a call is a word on its monitor, whatever its settings were.
 */
export async function readBacklog({ pool }: Database, partitions: number[]): Promise<BacklogRow[]> {
  const found = await pool.query<BacklogColumns>(
    `select
      r.monitor_key::float8 as monitor_key, (extract(epoch from r.round_at) * 1000000)::float8 as round,
      l.code, r.status, r.status_code, r.latency_ms, r.error, case when m.kind = any($2) then r.details end as details
    from monitors m
    join monitor_state s on s.monitor_key = m.key
    cross join lateral (
      select *
      from results
      where monitor_key = m.key
        and round_at > greatest(s.round_at, now() - interval '2 hours')
        and (version = m.version or version is null or m.kind = any($2))
        and version is distinct from ${versionOfNone}
      -- Planned for one monitor at a time, so by the index, also while the table has no statistics yet.
      offset 0
    ) r
    join locations l on l.id = r.location
    where m.partition = any($1::smallint[])
      and m.status = 'enabled'
    order by r.monitor_key, r.round_at, r.location`,
    [partitions, calledKinds],
  )
  return found.rows.map((row) => ({
    monitorKey: row.monitor_key,
    round: row.round,
    location: row.code,
    status: statusOf(row.status),
    statusCode: row.status_code,
    latencyMs: row.latency_ms,
    error: row.error,
    details: row.details,
  }))
}

type BacklogColumns = {
  monitor_key: number
  round: number
  code: string
  status: string
  status_code: number | null
  latency_ms: number | null
  error: string | null
  details: Record<string, unknown> | null
}

function statusOf(code: string): ResultStatus {
  if (code === 'u') return 'up'
  return code === 'd' ? 'down' : 'degraded'
}
