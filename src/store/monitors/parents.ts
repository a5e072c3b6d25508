// Which monitors depend on which, as it is stored.
import { sql } from 'kysely'
import type { AlertChildren } from '#core/contacts/alerting.ts'
import type { ParentState } from '#core/contacts/parent-outages.ts'
import { kindTraits, type KindName } from '#core/monitors/kind-traits.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { maxParentLevels, type ParentLink } from '#core/monitors/parents.ts'
import { unknownSinceMs } from '#core/monitors/unknown-since.ts'
import { anyOf } from '#store/database/array-literal.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'
import { knownAt } from './record-columns.ts'

/** The ids among these that the workspace has. */
export async function listPresent(
  reader: Reader,
  { workspaceId, monitorIds }: { workspaceId: string; monitorIds: readonly string[] },
): Promise<string[]> {
  const rows = await reader.query
    .selectFrom('monitors')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', anyOf(monitorIds))
    .execute()
  return rows.map(({ id }) => id)
}

/** The monitors of a workspace that name parents. */
export async function listParentLinks(reader: Reader, workspaceId: string): Promise<ParentLink[]> {
  const rows = await reader.query
    .selectFrom('monitors')
    .select(['id', 'name', 'depends_on'])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`depends_on <> '{}'`)
    .execute()
  return rows.map(({ id, name, depends_on: parentIds }) => ({ id, name, parentIds }))
}

/** Whether the monitor, named as given, has a parent that is there. */
export function hasParents(monitor: string): string {
  return `(
    ${monitor}.depends_on <> '{}'
    and exists (select from monitors as parent where parent.id = any(${monitor}.depends_on))
  )`
}

/** These monitors and all that they depend on, over any number of levels, by id. */
export async function readParentStates(
  { client }: Transaction,
  parentIds: readonly string[],
): Promise<Map<string, ParentState>> {
  if (parentIds.length === 0) return new Map()
  const { rows } = await client.query<ParentRow>({ name: 'read_parents', text: parentsStatement, values: [parentIds] })
  return new Map(rows.map((row) => [row.id, stateOf(row)]))
}

/** Names of monitors that an alert lists, at most. */
const maxNames = 20

/** Of each of these monitors that others depend on: how many run, directly or by way of others, and their first names. */
export async function readChildren(
  { client }: Transaction,
  monitorIds: readonly string[],
): Promise<Map<string, AlertChildren>> {
  if (monitorIds.length === 0) return new Map()
  const { rows } = await client.query<AlertChildren & { id: string }>({
    name: 'read_children',
    text: childrenStatement,
    values: [monitorIds, maxParentLevels, maxNames],
  })
  return new Map(rows.map(({ id, total, names }) => [id, { total, names }]))
}

type ParentRow = Pick<MonitorRecord, 'status' | 'current_status' | 'interval_seconds' | 'timeout_ms'> & {
  id: string
  name: string
  depends_on: string[]
  kind: KindName
  incident_id: string | null
  consecutive_failures: number
  round_ms: number
  known_ms: number
  now_ms: number
  in_maintenance: boolean
}

function stateOf(row: ParentRow): ParentState {
  const { id, name, depends_on: parentIds, incident_id: incidentId, known_ms: knownAtMs, now_ms: nowMs } = row
  const isLost = unknownSinceMs(row, { knownAtMs, nowMs }) !== null
  const isKnown = row.status === 'enabled' && row.current_status !== 'pending' && !row.in_maintenance && !isLost
  return {
    id,
    name,
    parentIds,
    isKnown,
    incidentId: row.current_status === 'down' ? incidentId : null,
    hasFailed: row.consecutive_failures > 0,
    judgedAtMs: kindTraits[row.kind].source === 'probed' ? row.round_ms : null,
  }
}

const parentsStatement = `
with recursive line (id) as (
  select unnest($1::uuid[])
  union
  select unnest(m.depends_on)
  from line
  join monitors m on m.id = line.id
)
select
  m.id, m.name, m.depends_on, m.kind, m.status, m.interval_seconds, m.timeout_ms,
  s.current_status, s.incident_id, s.consecutive_failures,
  (extract(epoch from s.round_at) * 1000)::float8 as round_ms,
  (extract(epoch from ${knownAt}) * 1000)::float8 as known_ms,
  (extract(epoch from now()) * 1000)::float8 as now_ms,
  ${isInMaintenance('now()')} as in_maintenance
from line
join monitors m on m.id = line.id
join monitor_state s on s.monitor_key = m.key`

const childrenStatement = `
with recursive line (root, id, level) as (
  select id, id, 0
  from unnest($1::uuid[]) as id
  union
  select line.root, m.id, line.level + 1
  from line
  join monitors m
    on m.depends_on @> array[line.id]
    and m.depends_on <> '{}'
  where line.level < $2
), children as (
  select distinct line.root, m.id, m.name
  from line
  join monitors m on m.id = line.id
  where line.level > 0
    and m.status = 'enabled'
)
select root as id, count(*)::integer as total, (array_agg(name order by name, children.id))[:$3::integer] as names
from children
group by root`
