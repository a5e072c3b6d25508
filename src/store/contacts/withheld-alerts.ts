import { type AlertOrder, storable } from './deliveries.ts'
import type { Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'

/**
 * Keeps back down alerts that come during a maintenance of their monitor, and drops recoveries of alerts that were kept
 * back. Returns the orders that remain.
 */
export async function withholdAlerts(tx: Transaction, orders: readonly AlertOrder[]): Promise<AlertOrder[]> {
  const withheld = await keep(
    tx,
    orders.filter(({ alert }) => alert.type === 'monitor.down'),
  )
  const untold = await drop(
    tx,
    orders.filter(({ alert }) => alert.type === 'monitor.up'),
  )
  return orders.filter(({ incidentId, alert }) => {
    if (incidentId === null) return true
    return alert.type === 'monitor.up' ? !untold.has(incidentId) : !withheld.has(incidentId)
  })
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

async function drop({ client }: Transaction, orders: readonly AlertOrder[]): Promise<Set<string>> {
  if (orders.length === 0) return new Set()
  const dropped = await client.query<{ id: string }>({
    name: 'drop_withheld_alerts',
    text: 'delete from withheld_alerts where incident_id = any($1::uuid[]) returning incident_id as id',
    values: [orders.map(({ incidentId }) => incidentId)],
  })
  return new Set(dropped.rows.map(({ id }) => id))
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
