import { z } from 'zod'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { currentStatuses, monitorStatuses } from '#core/monitors/monitor-fields.ts'
import { maxScreenMonitors } from '#core/screen.ts'
import type { Seen } from '#core/screen-wall.ts'
import type { Database } from '#store/database/database.ts'
import { knownAt } from '#store/monitors/record-columns.ts'
import { hasOneOf } from '#store/tags.ts'

/** How many of the newest incidents of the workspace are asked when the last of these monitors was resolved. */
const quietDepth = 100

export type ScreenReading = {
  /** Oldest first, `maxScreenMonitors` at most. */
  monitors: Seen[]
  /** How many there are. */
  total: number
  quietSince: Date | null
}

/** What a screen shows of the monitors that have one of these tags, or of all where there are no tags; nothing else is read. */
export async function readScreenMonitors(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, tags }: { workspaceId: string; tags: readonly string[] },
): Promise<ScreenReading> {
  const { rows } = await pool.query<Row>(statement, [workspaceId, tags])
  const [first] = rows
  return {
    monitors: rows.map(seenOf),
    total: first?.total ?? 0,
    quietSince: first?.quietSince ?? null,
  }
}

type Row = {
  name: string
  kind: string
  status: string
  current: string
  interval: number
  timeout: number
  knownAt: Date
  downSince: Date | null
  total: number
  quietSince: Date | null
}

const kind = z.enum(kindNames)
const status = z.enum(monitorStatuses)
const current = z.enum(currentStatuses)

function seenOf(row: Row): Seen {
  return {
    name: row.name,
    kind: kind.parse(row.kind),
    status: status.parse(row.status),
    current_status: current.parse(row.current),
    interval_seconds: row.interval,
    timeout_ms: row.timeout,
    knownAtMs: row.knownAt.getTime(),
    downSinceMs: row.downSince?.getTime() ?? null,
  }
}

const statement = `
with chosen as materialized (
  select
    m.id, m.name, m.kind, m.status, s.current_status, m.interval_seconds, m.timeout_ms, ${knownAt} as known_at,
    s.incident_id, m.created_at, count(*) over ()::integer as total
  from monitors m
  join monitor_state s on s.monitor_key = m.key
  where m.workspace_id = $1
    and ($2::text[] = '{}' or ${hasOneOf('m.tags', '$2')})
  order by m.created_at, m.id
  limit ${maxScreenMonitors}
)
select
  c.name, c.kind, c.status, c.current_status as current, c.interval_seconds as interval, c.timeout_ms as timeout,
  c.known_at as "knownAt", i.started_at as "downSince", c.total,
  (
    select max(resolved_at)
    from (
      select monitor_id, resolved_at
      from incidents
      where workspace_id = $1
      order by started_at desc, id
      limit ${quietDepth}
    ) as newest
    where monitor_id in (select id from chosen)
  ) as "quietSince"
from chosen c
left join incidents i on i.id = c.incident_id and i.status <> 'resolved'
order by c.created_at, c.id
limit ${maxScreenMonitors}`
