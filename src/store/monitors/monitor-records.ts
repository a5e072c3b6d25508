import { type Database, type Transaction, preparedOn } from '#store/database/database.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { readRecord, recordExpressions } from './record-columns.ts'
import { type ReportBounds, pastColumns, pastSources } from './report-bounds.ts'

export type MonitorScope = { workspaceId: string; monitorId: string }

/** All of a workspace, oldest first; slots and the cap on paid monitors bound their number. */
export async function listMonitors(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<MonitorRecord[]> {
  // Not a named statement: how a workspace is read best depends on how many monitors it has.
  const [found, channels] = await Promise.all([
    pool.query<{ record: string }>(listStatement, [workspaceId]),
    pool.query<{ ids: string[] }>({ name: 'channel_ids', text: `select ${channelIds} as ids`, values: [workspaceId] }),
  ])
  const channelIdsOfAll = channels.rows[0]?.ids ?? []
  return found.rows.map(({ record }) => readRecord(record, { now, channelIds: channelIdsOfAll }))
}

export async function findMonitor(
  source: Database | Transaction,
  { workspaceId, monitorId, now }: MonitorScope & { now: Date },
): Promise<MonitorRecord | undefined> {
  const found = await preparedOn(source).query<FoundRow>({
    name: 'find_monitor',
    text: findStatement,
    values: [workspaceId, monitorId],
  })
  const [row] = found.rows
  return row === undefined ? undefined : readRecord(row.record, { now, channelIds: row.channelIds })
}

/** The monitors among these that the workspace has, in no order. */
export async function findMonitors(
  { client }: Transaction,
  { workspaceId, monitorIds, now }: { workspaceId: string; monitorIds: readonly string[]; now: Date },
): Promise<MonitorRecord[]> {
  const found = await client.query<FoundRow>(findManyStatement, [workspaceId, monitorIds])
  return found.rows.map(({ record, channelIds: ids }) => readRecord(record, { now, channelIds: ids }))
}

export type KnownMonitor = { record: MonitorRecord; past: ReportBounds }

/** The same with what its reports have to know beforehand. */
export async function findKnownMonitor(
  { planned }: Pick<Database, 'planned'>,
  { workspaceId, monitorId, today, now }: MonitorScope & { today: string; now: Date },
): Promise<KnownMonitor | undefined> {
  const found = await planned.query<FoundRow & ReportBounds>({
    name: 'find_known_monitor',
    text: findKnownStatement,
    values: [workspaceId, monitorId, today],
  })
  const [row] = found.rows
  if (row === undefined) return undefined
  const { record, channelIds: ids, ...past } = row
  return { record: readRecord(record, { now, channelIds: ids }), past }
}

type FoundRow = { record: string; channelIds: string[] }

const recordRow = `row(${recordExpressions.join(', ')})::text as record`

// What was seen of an earlier target counts for nothing.
/** The tables that `recordExpressions` names. */
const recordSources = `
monitors m
join monitor_state s on s.monitor_key = m.key
left join monitor_expiries registration
  on registration.monitor_key = m.key
  and registration.target_version = m.target_version
  and registration.subject = 'domain'
left join monitor_expiries certificate
  on certificate.monitor_key = m.key
  and certificate.target_version = m.target_version
  and certificate.subject = 'certificate'`

const channelIds = 'array(select id from alert_channels where workspace_id = $1 order by created_at, id)'

const listStatement = `
select ${recordRow}
from ${recordSources}
where m.workspace_id = $1
order by m.created_at, m.id`

const findStatement = `
select ${recordRow}, ${channelIds} as "channelIds"
from ${recordSources}
where m.workspace_id = $1
  and m.id = $2`

const findManyStatement = `
select ${recordRow}, ${channelIds} as "channelIds"
from ${recordSources}
where m.workspace_id = $1
  and m.id = any($2)`

const findKnownStatement = `
select ${recordRow}, ${channelIds} as "channelIds", ${pastColumns}
from ${recordSources}
${pastSources}
where m.workspace_id = $1
  and m.id = $2`
