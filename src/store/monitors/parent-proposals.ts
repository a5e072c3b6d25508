import type { ProposalMonitor } from '#core/monitors/parent-proposals.ts'
import type { Database } from '#store/database/database.ts'

/** Outages that are compared, the newest: of a workspace, and of one monitor. */
const maxOutages = 5_000
const maxOutagesOfOne = 200

/** All monitors of a workspace with what speaks for and against that one depends on another. */
export async function readProposalMonitors(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, since }: { workspaceId: string; since: Date },
): Promise<ProposalMonitor[]> {
  const { rows } = await pool.query<Row>(statement, [workspaceId, since, maxOutages, maxOutagesOfOne])
  return rows.map(({ id, name, kind, url, depends_on: parentIds, issuer, expires_at: end, starts, ends }) => ({
    id,
    name,
    kind,
    url,
    parentIds,
    certificate: issuer === null || end === null ? null : { issuer, expiresAt: end.toISOString() },
    outages: (starts ?? []).map((startMs, place) => ({ startMs, endMs: ends?.[place] ?? null })),
  }))
}

type Row = Pick<ProposalMonitor, 'id' | 'name' | 'kind' | 'url'> & {
  depends_on: string[]
  issuer: string | null
  expires_at: Date | null
  starts: number[] | null
  ends: (number | null)[] | null
}

const statement = `
with newest as (
  select monitor_id, started_at, resolved_at
  from incidents
  where workspace_id = $1
    and started_at >= $2
  order by started_at desc, id
  limit $3
), placed as (
  select *, row_number() over (partition by monitor_id order by started_at desc) as place
  from newest
), outages as (
  select
    monitor_id,
    array_agg((extract(epoch from started_at) * 1000)::float8 order by started_at) as starts,
    array_agg((extract(epoch from resolved_at) * 1000)::float8 order by started_at) as ends
  from placed
  where place <= $4
  group by monitor_id
)
select
  m.id, m.name, m.kind, m.url, m.depends_on, certificate.issuer, certificate.expires_at, outages.starts, outages.ends
from monitors m
left join monitor_expiries certificate
  on certificate.monitor_key = m.key
  and certificate.target_version = m.target_version
  and certificate.subject = 'certificate'
left join outages on outages.monitor_id = m.id
where m.workspace_id = $1
order by m.created_at, m.id`
