import { type KindName, alwaysScannedKinds } from '#core/monitors/kind-traits.ts'
import type { Database } from '#store/database/database.ts'
import { checkColumns, type MonitorRow, toCheckConfiguration } from '#store/monitors/monitor-rows.ts'
import type { Secrets } from '#store/database/secrets.ts'
import type { ClaimedScan } from './software-scans.ts'

export type ScanClaim = {
  kinds: readonly KindName[]
  claimedUntil: Date
  /** Whether a person asked for this scan. */
  isRequested: boolean
  /** A scan begins only where fewer of its workspace, and fewer of its host, are under way in all processes together. */
  below: number
}

/** The scan that is due for longest; null where none may begin. */
export async function claimScan(
  database: Pick<Database, 'transaction'>,
  secrets: Secrets,
  { kinds, claimedUntil, isRequested, below }: ScanClaim,
): Promise<ClaimedScan | null> {
  return database.transaction(async ({ client, query }) => {
    const claimed = await client.query<{ monitor_key: string; revision: string | null }>({
      name: 'claim_scan',
      text: claimStatement,
      values: [kinds, claimedUntil, isRequested, below, alwaysScannedKinds],
    })
    const [scan] = claimed.rows
    if (scan === undefined) return null
    const { monitor_key: monitorKey, revision } = scan
    const row = await query
      .selectFrom('monitors')
      .select(['key', ...checkColumns])
      .where('key', '=', monitorKey)
      .$castTo<MonitorRow>()
      .executeTakeFirstOrThrow()
    return { monitorKey, configuration: toCheckConfiguration(row, secrets), revision, claimedUntil }
  })
}

/** Puts off due scans that have no use: their monitors are paused, or not followed any more. */
export async function putOffUnwanted({ pool }: Pick<Database, 'pool'>, until: Date): Promise<void> {
  await pool.query({ name: 'put_off_scans', text: putOffStatement, values: [until, alwaysScannedKinds] })
}

/** Whether a scan was asked for, or its monitor runs and has its software followed. */
const isWanted = (alwaysScanned: string): string => `(
  scan.is_requested
  or (monitor.status = 'enabled' and (monitor.kind = any(${alwaysScanned}) or monitor.vulnerability_alerts))
)`

/** The host of an address, with its port. */
const host = `lower(substring(monitor.url from '^[a-z]+://(?:[^/?#@]*@)?([^/?#]+)'))`

// A scan that is under way is still due.
const claimStatement = `
with running as materialized (
  select monitor.workspace_id, ${host} as host
  from software_scans as scan
  join monitors as monitor on monitor.key = scan.monitor_key
  where scan.due_at <= now()
    and scan.claimed_until > now()
), busy_workspaces as (
  select workspace_id from running group by workspace_id having count(*) >= $4
), busy_hosts as (
  select host from running where host is not null group by host having count(*) >= $4
), due as (
  select scan.monitor_key
  from software_scans as scan
  join monitors as monitor on monitor.key = scan.monitor_key
  where scan.due_at <= now()
    and scan.claimed_until <= now()
    and monitor.kind = any($1::text[])
    and scan.is_requested = $3
    and ${isWanted('$5')}
    and monitor.workspace_id not in (select workspace_id from busy_workspaces)
    and (not exists (select from busy_hosts) or ${host} is null or ${host} not in (select host from busy_hosts))
  order by scan.due_at
  limit 1
  for update of scan skip locked
)
update software_scans as scan
set claimed_until = $2
from due
where scan.monitor_key = due.monitor_key
returning scan.monitor_key, scan.revision`

const putOffStatement = `
update software_scans as scan
set due_at = $1
from (
  select scan.monitor_key
  from software_scans as scan
  join monitors as monitor on monitor.key = scan.monitor_key
  where scan.due_at <= now()
    and scan.claimed_until <= now()
    and not ${isWanted('$2')}
  order by scan.due_at
  limit 1000
  for update of scan skip locked
) as unwanted
where scan.monitor_key = unwanted.monitor_key`
