import { type Database, type Transaction, preparedOn } from '#store/database/database.ts'
import { withPresentOthers } from '#core/monitors/group.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { type Moment, readRecords, recordExpressions, storedExpressions } from './record-columns.ts'
import { type ReportBounds, pastColumns, pastSources } from './report-bounds.ts'
import { openContent } from './sealed-content.ts'

export type MonitorScope = { workspaceId: string; monitorId: string }

/** All of a workspace, oldest first; slots and the cap on paid monitors bound their number. */
export async function listMonitors(
  { pool }: Pick<Database, 'pool'>,
  secrets: Secrets,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<MonitorRecord[]> {
  // Not a named statement: how a workspace is read best depends on how many monitors it has.
  const [found, channels] = await Promise.all([
    pool.query<RecordRow>(listStatement, [workspaceId]),
    pool.query<{ ids: string[] }>({ name: 'channel_ids', text: `select ${channelIds} as ids`, values: [workspaceId] }),
  ])
  const moment = { now, channelIds: channels.rows[0]?.ids ?? [] }
  return withPresentOthers(recordsOf(found.rows, secrets, moment))
}

export async function findMonitor(
  source: Database | Transaction,
  secrets: Secrets,
  { workspaceId, monitorId, now }: MonitorScope & { now: Date },
): Promise<MonitorRecord | undefined> {
  const found = await preparedOn(source).query<FoundRow>({
    name: 'find_monitor',
    text: findStatement,
    values: [workspaceId, monitorId],
  })
  const [record] = foundRecords(found.rows, secrets, now)
  return record
}

/** The monitors among these that the workspace has, in no order. */
export async function findMonitors(
  { client }: Transaction,
  secrets: Secrets,
  { workspaceId, monitorIds, now }: { workspaceId: string; monitorIds: readonly string[]; now: Date },
): Promise<MonitorRecord[]> {
  const found = await client.query<FoundRow>(findManyStatement, [workspaceId, monitorIds])
  return foundRecords(found.rows, secrets, now)
}

export type KnownMonitor = { record: MonitorRecord; past: ReportBounds }

/** The same with what its reports have to know beforehand. */
export async function findKnownMonitor(
  { planned }: Pick<Database, 'planned'>,
  secrets: Secrets,
  { workspaceId, monitorId, today, now }: MonitorScope & { today: string; now: Date },
): Promise<KnownMonitor | undefined> {
  const found = await planned.query<FoundRow & ReportBounds>({
    name: 'find_known_monitor',
    text: findKnownStatement,
    values: [workspaceId, monitorId, today],
  })
  const [row] = found.rows
  const [record] = foundRecords(found.rows, secrets, now)
  if (row === undefined || record === undefined) return undefined
  const { record: _read, content: _opened, channelIds: _shown, ...past } = row
  return { record, past }
}

export type RecordRow = { record: string; content: Buffer | null }
type FoundRow = RecordRow & { channelIds: string[] }

/** All of one workspace. */
function foundRecords(rows: readonly FoundRow[], secrets: Secrets, now: Date): MonitorRecord[] {
  return recordsOf(rows, secrets, { now, channelIds: rows[0]?.channelIds ?? [] })
}

function recordsOf(rows: readonly RecordRow[], secrets: Secrets, moment: Moment): MonitorRecord[] {
  const records = readRecords(
    rows.map(({ record }) => record),
    moment,
  )
  return records.map((record, at) => withContent(record, rows[at]?.content ?? null, secrets))
}

/** The record with what its monitor sends, which is stored apart. */
export function withContent<Record extends Pick<MonitorRecord, 'id' | 'request_body' | 'check_options'>>(
  record: Record,
  content: Buffer | null,
  secrets: Secrets,
): Record {
  if (content === null) return record
  return openContent(record, { content, place: { column: 'monitors.content', id: record.id } }, secrets)
}

const recordRow = `row(${recordExpressions.join(', ')})::text as record, m.content`
const storedRow = `row(${storedExpressions.join(', ')})::text as record, m.content`

/** The tables that `recordExpressions` names; those of what ends may be left out where nothing of them is read. */
export function recordSourcesOf({
  hasDomain,
  hasCertificate,
}: {
  hasDomain: boolean
  hasCertificate: boolean
}): string {
  return `
monitors m
join monitor_state s on s.monitor_key = m.key${hasDomain ? expiryOf('domain', 'registration') : ''}${hasCertificate ? expiryOf('certificate', 'certificate') : ''}`
}

/** What was seen of an earlier target counts for nothing. */
function expiryOf(subject: string, alias: string): string {
  return `
left join monitor_expiries ${alias}
  on ${alias}.monitor_key = m.key
  and ${alias}.target_version = m.target_version
  and ${alias}.subject = '${subject}'`
}

const recordSources = recordSourcesOf({ hasDomain: true, hasCertificate: true })

export const channelIds = 'array(select id from alert_channels where workspace_id = $1 order by created_at, id)'

// Which members of groups are there is seen in the list itself. PostgreSQL expects so much work of looking for them that
// all ways to join cost it the same, and where it has JIT it would compile the statement anew each time.
const listStatement = `
select ${storedRow}
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
