import type { IncidentRecord } from '#core/incidents/incident.ts'
import type { Database } from '#store/database/database.ts'
import { type Page, type PageRequest, type Put, holdsText, pageOf, placeholders } from '#store/database/page.ts'
import { type MonitorFilter, monitorConditions } from '#store/monitors/monitor-filter.ts'
import { type IncidentRow, newestIncidentsOf, toIncident } from './monitor-incidents.ts'

/** Which incidents are meant. A member that is left out asks for nothing; of the values of a list one suffices. */
export type IncidentFilter = Pick<MonitorFilter, 'kind' | 'tag' | 'url'> & {
  status?: readonly IncidentRecord['status'][] | undefined
  monitor_id?: string | undefined
  /** A part of the monitor's name at the time. */
  name?: string | undefined
  /** Began then or later. */
  since?: string | undefined
  /** Began before then. */
  until?: string | undefined
}

/** Newest first. */
export async function pageIncidents(
  { pool }: Pick<Database, 'pool'>,
  { filter, ...request }: PageRequest & { filter: IncidentFilter },
): Promise<Page<IncidentRecord>> {
  const { put, values } = placeholders()
  const limit = put(request.limit + 1)
  const statement = `
with ${chosenMonitors(request, filter, put)}found as (
  select i.*
  from incidents i
  where ${conditionsOf({ ...request, filter }, put).join('\n    and ')}
  order by i.started_at desc, i.id
  limit ${limit}
)
select ${newestIncidentsOf({ source: 'found', limit })} as incidents`
  const found = await pool.query<{ incidents: IncidentRow[] }>(statement, values)
  const rows = found.rows[0]?.incidents ?? []
  const places = rows.map(([id, , , , , , startedAt]) => ({ at: startedAt, id }))
  return pageOf(places, rows.map(toIncident), request.limit)
}

function conditionsOf(
  { workspaceId, after, filter }: Omit<PageRequest, 'limit'> & { filter: IncidentFilter },
  put: Put,
): string[] {
  const { status, monitor_id: monitorId, name, since, until } = filter
  return [
    `i.workspace_id = ${put(workspaceId)}`,
    ...(after === null ? [] : behind(after, put)),
    ...(status === undefined ? [] : statusConditions(status, put)),
    ...(monitorId === undefined ? [] : [`i.monitor_id = ${put(monitorId)}`]),
    ...(name === undefined ? [] : [holdsText('i.monitor_name', put(name))]),
    ...(since === undefined ? [] : [`i.started_at >= ${put(new Date(since))}::timestamptz`]),
    ...(until === undefined ? [] : [`i.started_at < ${put(new Date(until))}::timestamptz`]),
    ...(isOfMonitors(filter) ? ['(i.monitor_id in (select id from chosen)) is true'] : []),
  ]
}

function isOfMonitors({ kind, tag, url }: IncidentFilter): boolean {
  return (kind ?? tag ?? url) !== undefined
}

/**
 * Each monitor is looked at once, and not at each of its incidents. The incidents are then gone through in their order:
 * `is true` keeps PostgreSQL from joining and sorting all that match, of which there may be most, for the few of a page.
 */
function chosenMonitors({ workspaceId }: Pick<PageRequest, 'workspaceId'>, filter: IncidentFilter, put: Put): string {
  if (!isOfMonitors(filter)) return ''
  const { kind, tag, url } = filter
  const conditions = [`m.workspace_id = ${put(workspaceId)}`, ...monitorConditions({ kind, tag, url }, put)]
  return `chosen as materialized (select m.id from monitors m where ${conditions.join(' and ')}), `
}

/** The first of the conditions is the bound of the index, which cannot run in both directions at once. */
function behind({ at, id }: { at: string; id: string }, put: Put): string[] {
  const [time, last] = [`${put(at)}::timestamptz`, `${put(id)}::uuid`]
  return [`i.started_at <= ${time}`, `(i.started_at < ${time} or i.id > ${last})`]
}

/** Running ones are asked for in the words of their index, since a list of values does not tell PostgreSQL of it. */
function statusConditions(statuses: readonly IncidentRecord['status'][], put: Put): string[] {
  const among = `i.status = any(${put(statuses)})`
  return statuses.includes('resolved') ? [among] : [`i.status <> 'resolved'`, among]
}
