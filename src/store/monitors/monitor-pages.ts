import type { MonitorRecord } from '#core/monitors/monitor.ts'
import type { Database } from '#store/database/database.ts'
import { type Page, type PagePlace, type PageRequest, type Put, pageOf, placeholders } from '#store/database/page.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { type MonitorFilter, monitorConditions } from './monitor-filter.ts'
import { type RecordRow, channelIds, recordSourcesOf, withContent } from './monitor-records.ts'
import { type PartReader, partReader } from './record-columns.ts'

export type MonitorsRequest = PageRequest & {
  filter: MonitorFilter
  /** The members to read; null for all of them. */
  fields: readonly (keyof MonitorRecord)[] | null
  now: Date
}

/** Of the records the members that were asked for are there, and those that others of them are made of. */
export async function pageMonitors(
  { pool }: Pick<Database, 'pool'>,
  secrets: Secrets,
  request: MonitorsRequest,
): Promise<Page<Partial<MonitorRecord>>> {
  const { workspaceId, limit, now } = request
  const reader = partReader(request.fields)
  const { text, values } = pageStatement(request, reader)
  const [found, channels] = await Promise.all([
    pool.query<RecordRow & PagePlace>(text, values),
    reader.hasContacts
      ? pool.query<{ ids: string[] }>({
          name: 'channel_ids',
          text: `select ${channelIds} as ids`,
          values: [workspaceId],
        })
      : null,
  ])
  const moment = { now, channelIds: channels?.rows[0]?.ids ?? [] }
  const records = reader.read(
    found.rows.map(({ record }) => record),
    moment,
  )
  return pageOf(found.rows, reader.hasContent ? opened(records, found.rows, secrets) : records, limit)
}

function opened(
  records: readonly Partial<MonitorRecord>[],
  rows: readonly (RecordRow & PagePlace)[],
  secrets: Secrets,
): Partial<MonitorRecord>[] {
  return records.map((record, at) => {
    const { request_body: body, check_options: options } = record
    const { id, content } = rows[at] ?? { id: '', content: null }
    if (body === undefined || options === undefined) return record
    return withContent({ ...record, id, request_body: body, check_options: options }, content, secrets)
  })
}

/**
 * The rows of the page are chosen before anything is joined to them. Not a named statement: how they are found best
 * depends on what is asked for.
 */
function pageStatement(request: MonitorsRequest, reader: PartReader): { text: string; values: unknown[] } {
  const { put, values } = placeholders()
  const sources = recordSourcesOf({ hasDomain: reader.hasDomain, hasCertificate: reader.hasCertificate })
  const text = `
select
  row(${reader.expressions.join(', ')})::text as record,
  ${reader.hasContent ? 'm.content' : 'null::bytea'} as content,
  m.created_at::text as at,
  m.id
from ${sources}
where m.key = any(array(${chosenKeys(request, put)}))
order by m.created_at, m.id`
  return { text, values }
}

function chosenKeys({ workspaceId, filter, after, limit }: MonitorsRequest, put: Put): string {
  const hasState = filter.status !== undefined
  const conditions = [
    `m.workspace_id = ${put(workspaceId)}`,
    ...(after === null ? [] : [`(m.created_at, m.id) > (${put(after.at)}::timestamptz, ${put(after.id)}::uuid)`]),
    ...monitorConditions(filter, put),
  ]
  return `
  select m.key
  from monitors m
  ${hasState ? 'join monitor_state s on s.monitor_key = m.key' : ''}
  where ${conditions.join('\n    and ')}
  order by m.created_at, m.id
  limit ${put(limit + 1)}
`
}
