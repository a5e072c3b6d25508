import { type AlertOrder, storable } from './deliveries.ts'
import type { Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'

/** An incident that ends so soon after its maintenance lies within it, as people see it. */
export const outlastedMs = 10_000

/**
 * Keeps back down alerts that come during a maintenance of their monitor, and drops recoveries of alerts that were kept
 * back. Where such an incident outlasted its maintenance and that was found out only after its end, as by an engine that
 * catches up, its down alert comes with its recovery. Returns the orders that remain, down alerts that come late first.
 */
export async function withholdAlerts(tx: Transaction, orders: readonly AlertOrder[]): Promise<AlertOrder[]> {
  const withheld = await keep(
    tx,
    orders.filter(({ alert }) => alert.type === 'monitor.down'),
  )
  const recoveries = orders.filter(({ alert }) => alert.type === 'monitor.up')
  const ended = await end(tx, recoveries)
  const late = recoveries.flatMap((recovery) => lateOrder(recovery, ended.get(recovery.incidentId ?? '')))
  const remaining = orders.filter(({ incidentId, alert }) => {
    if (incidentId === null) return true
    return alert.type === 'monitor.up' ? (ended.get(incidentId)?.has_outlasted ?? true) : !withheld.has(incidentId)
  })
  return [...late, ...remaining]
}

/**
 * Removes kept-back alerts whose maintenance is over, `limit` at most, the oldest first, and holds the states of their
 * monitors. Returns the alerts of incidents that still run and that no person has acknowledged, to be ordered in the same
 * transaction. Those of a monitor that an engine folds at this moment are left to the next time.
 */
export async function takeReleased({ client }: Transaction, now: Date, limit: number): Promise<Released> {
  const found = await client.query<ReleasedRow>({
    name: 'take_released_alerts',
    text: releaseStatement,
    values: [now, limit],
  })
  const due = found.rows.filter(({ status }) => status === 'open')
  return {
    taken: found.rows.length,
    orders: due.map((row) => ({
      workspaceId: row.workspace_id,
      monitorId: row.monitor_id,
      incidentId: row.incident_id,
      alert: row.alert,
      at: row.at,
    })),
  }
}

export type Released = { taken: number; orders: AlertOrder[] }
type ReleasedRow = {
  incident_id: string
  workspace_id: string
  monitor_id: string
  alert: AlertOrder['alert']
  at: Date
  status: string
}

async function keep({ client }: Transaction, orders: readonly AlertOrder[]): Promise<Set<string>> {
  if (orders.length === 0) return new Set()
  const kept = await client.query<{ id: string }>({
    name: 'withhold_alerts',
    text: withholdStatement,
    values: [
      JSON.stringify(
        orders.map(({ incidentId, monitorId, alert, at }) => ({
          incident_id: incidentId,
          monitor_id: monitorId,
          alert,
          at,
        })),
        storable,
      ),
    ],
  })
  return new Set(kept.rows.map(({ id }) => id))
}

type EndedRow = {
  incident_id: string
  alert: AlertOrder['alert']
  at: Date
  has_outlasted: boolean
  is_acknowledged: boolean
}

/** What was kept back of incidents that end, by incident. */
async function end({ client }: Transaction, orders: readonly AlertOrder[]): Promise<Map<string, EndedRow>> {
  if (orders.length === 0) return new Map()
  const { rows } = await client.query<EndedRow>({
    name: 'end_withheld_alerts',
    text: endStatement,
    values: [
      JSON.stringify(
        orders.map(({ incidentId, at }) => ({ incident_id: incidentId, at })),
        storable,
      ),
    ],
  })
  return new Map(rows.map((row) => [row.incident_id, row]))
}

/** As when a maintenance is over, an incident that a person has acknowledged is not told any more. */
function lateOrder({ workspaceId, monitorId, incidentId }: AlertOrder, withheld: EndedRow | undefined): AlertOrder[] {
  if (withheld === undefined || !withheld.has_outlasted || withheld.is_acknowledged) return []
  return [{ workspaceId, monitorId, incidentId, alert: withheld.alert, at: withheld.at }]
}

const withholdStatement = `
insert into withheld_alerts (incident_id, monitor_id, alert, at)
select wanted.incident_id, wanted.monitor_id, wanted.alert, wanted.at
from jsonb_to_recordset($1::jsonb) as wanted (incident_id uuid, monitor_id uuid, alert jsonb, at timestamptz)
join monitors m on m.id = wanted.monitor_id
where ${isInMaintenance('wanted.at')}
returning incident_id as id`

// A look may come here late, and a maintenance may have begun meanwhile, with the incident. Only a clock that went back
// leaves the beginning of an incident further ahead.
const lookedAt = `greatest($1::timestamptz, least(a.at, $1::timestamptz + interval '1 minute'))`

// An engine that folds a monitor holds its state, and may wait for what is kept back of it.
const releaseStatement = `
with due as (
  select a.incident_id, i.workspace_id, i.status, m.key as monitor_key
  from withheld_alerts a
  join incidents i on i.id = a.incident_id
  left join monitors m on m.id = a.monitor_id
  where i.status <> 'open'
    or m.id is null
    or not ${isInMaintenance(lookedAt)}
  order by a.at, a.incident_id
  limit $2
  for update of a skip locked
), held as (
  select s.monitor_key
  from due
  join monitor_state s on s.monitor_key = due.monitor_key
  order by s.monitor_key
  for no key update of s skip locked
)
delete from withheld_alerts a
using due
where a.incident_id = due.incident_id
  and (due.monitor_key is null or due.monitor_key in (select monitor_key from held))
returning a.incident_id, due.workspace_id, a.monitor_id, a.alert, a.at, due.status`

// Whether at some time after a maintenance ended, or stopped covering the monitor, no other one held it.
const hasOutlasted = `exists (
  select
  from monitors m
  cross join lateral (
    select o.ends_at + interval '${outlastedMs} milliseconds' as seen_at
    from maintenance_occurrences o
    join maintenance_windows w on w.key = o.window_key
    where w.workspace_id = m.workspace_id
      and o.ends_at > a.at
      and o.ends_at < ended.at
    union all
    select cover.until + interval '${outlastedMs} milliseconds'
    from maintenance_covers cover
    where cover.monitor_key = m.key
      and cover.until > a.at
      and cover.until < ended.at
  ) as awake
  where m.id = a.monitor_id
    and awake.seen_at <= ended.at
    and not ${isInMaintenance('awake.seen_at')}
)`

const endStatement = `
delete from withheld_alerts a
using jsonb_to_recordset($1::jsonb) as ended (incident_id uuid, at timestamptz)
where a.incident_id = ended.incident_id
returning a.incident_id, a.alert, a.at,
  ${hasOutlasted} as has_outlasted,
  exists (
    select from incident_events e where e.incident_id = a.incident_id and e.type = 'acknowledged'
  ) as is_acknowledged`
