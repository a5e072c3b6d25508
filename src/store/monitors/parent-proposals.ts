import { type ProposalMonitor, proposalsSince } from '#core/monitors/parent-proposals.ts'
import { keptMs } from '#core/monitors/reached-addresses.ts'
import type { Database } from '#store/database/database.ts'

/** Outages that are compared, the newest: of a workspace, and of one monitor. */
const maxOutages = 5_000
const maxOutagesOfOne = 200

/**
 * All monitors of a workspace with what speaks for and against that the one of this id depends on another. Of addresses
 * they have those of that one.
 */
export async function readProposalMonitors(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, monitorId, now }: { workspaceId: string; monitorId: string; now: Date },
): Promise<ProposalMonitor[]> {
  const { rows } = await pool.query<Row>(statement, [
    workspaceId,
    proposalsSince(now),
    maxOutages,
    maxOutagesOfOne,
    monitorId,
    new Date(now.getTime() - keptMs),
  ])
  return rows.map(proposalMonitorOf)
}

function proposalMonitorOf(row: Row): ProposalMonitor {
  const { id, name, kind, url, depends_on: parentIds, issuer, expires_at: end } = row
  const { locations, addresses, starts, ends } = row
  return {
    id,
    name,
    kind,
    url,
    parentIds,
    certificate: issuer === null || end === null ? null : { issuer, expiresAt: end.toISOString() },
    addresses: (addresses ?? []).map((address, place) => ({ location: locations?.[place] ?? '', address })),
    outages: (starts ?? []).map((startMs, place) => ({ startMs, endMs: ends?.[place] ?? null })),
  }
}

type Row = Pick<ProposalMonitor, 'id' | 'name' | 'kind' | 'url'> & {
  depends_on: string[]
  issuer: string | null
  expires_at: Date | null
  locations: string[] | null
  addresses: string[] | null
  starts: number[] | null
  ends: (number | null)[] | null
}

const statement = `
with newest as (
  select monitor_id, started_at, resolved_at
  from incidents
  where workspace_id = $1
    and not by_hand
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
), reached as (
  select m.id as monitor_id, known.monitor_key, known.location, each.address, each.seen_at
  from monitors m
  join monitor_addresses known
    on known.monitor_key = m.key
    and known.target_version = m.target_version
    and not known.is_rotating
  cross join unnest(known.addresses, known.seen_at) as each (address, seen_at)
  where m.workspace_id = $1
    and each.seen_at >= $6
), shared as (
  select
    monitor_key,
    array_agg(location order by seen_at desc, location, address) as locations,
    array_agg(address order by seen_at desc, location, address) as addresses
  from reached
  where address in (select address from reached where monitor_id::text = $5)
  group by monitor_key
)
select
  m.id, m.name, m.kind, m.url, m.depends_on, certificate.issuer, certificate.expires_at, outages.starts, outages.ends,
  shared.locations, shared.addresses
from monitors m
left join monitor_expiries certificate
  on certificate.monitor_key = m.key
  and certificate.target_version = m.target_version
  and certificate.subject = 'certificate'
left join outages on outages.monitor_id = m.id
left join shared on shared.monitor_key = m.key
where m.workspace_id = $1
order by m.created_at, m.id`
