// Alerts that the outage of a parent keeps back, once it does no longer.
import { isHolding, parentWaitMs, recoveryWaitMs } from '#core/contacts/parent-outages.ts'
import type { Transaction } from '#store/database/database.ts'
import { readParentStates } from '#store/monitors/parents.ts'

const endedAtOnce = 5_000

/**
 * Alerts that an outage kept back which is over, or says nothing any more, wait for a round of their own monitor.
 * Returns how many; beyond 5,000 the rest is left to the next time.
 */
export async function endWithholding(tx: Transaction): Promise<number> {
  const { rows } = await tx.client.query<HeldRow>({ name: 'holding_incidents', text: holdingStatement })
  if (rows.length === 0) return 0
  const byId = await readParentStates(
    tx,
    rows.flatMap(({ monitor_id: id }) => (id === null ? [] : [id])),
  )
  const over = rows.filter(
    ({ id, monitor_id: monitorId, is_over: isOver }) => isOver || !isHolding(byId.get(monitorId ?? ''), id),
  )
  if (over.length === 0) return 0
  const found = await tx.client.query<ReleasedRow>({
    name: 'alerts_kept_back',
    text: keptStatement,
    values: [over.map(({ id }) => id), over.map(({ ended_at: at }) => at), endedAtOnce],
  })
  const released = await tx.client.query({
    name: 'end_withholding',
    text: endStatement,
    values: [
      found.rows.map(({ id }) => id),
      found.rows.map(({ ended_at: at }) => at),
      found.rows.map((row) =>
        recoveryWaitMs({ intervalSeconds: row.interval_seconds, recoveryThreshold: row.recovery_threshold }),
      ),
    ],
  })
  return released.rowCount ?? 0
}

/** The alerts of a monitor whose parents were changed are decided anew. */
export async function reviewWithheld({ client }: Transaction, monitorId: string): Promise<void> {
  await client.query({
    name: 'review_withheld',
    text: `update deliveries as delivery
    set withheld_by = null, awaits_parents_until = now() + interval '${parentWaitMs} ms',
      due_at = now() + interval '${parentWaitMs} ms'
    from incidents as incident
    where incident.monitor_id = $1
      and incident.status <> 'resolved'
      and delivery.incident_id = incident.id
      and delivery.state = 'pending'
      and delivery.withheld_by is not null`,
    values: [monitorId],
  })
}

type HeldRow = { id: string; monitor_id: string | null; is_over: boolean; ended_at: Date }
type ReleasedRow = {
  id: string
  ended_at: Date
  interval_seconds: number
  recovery_threshold: number
}

const holdingStatement = `
select
  holding.id, incident.monitor_id, coalesce(incident.status = 'resolved', true) as is_over,
  coalesce(incident.resolved_at, now()) as ended_at
from (
  select distinct withheld_by as id
  from deliveries
  where state = 'pending'
    and withheld_by is not null
) as holding
left join incidents as incident on incident.id = holding.id`

const keptStatement = `
select
  delivery.id, over.ended_at,
  coalesce(monitor.interval_seconds, 0) as interval_seconds, coalesce(monitor.recovery_threshold, 0) as recovery_threshold
from unnest($1::uuid[], $2::timestamptz[]) as over (id, ended_at)
join deliveries as delivery
  on delivery.withheld_by = over.id
  and delivery.state = 'pending'
left join incidents as incident on incident.id = delivery.incident_id
left join monitors as monitor on monitor.id = incident.monitor_id
order by delivery.id
limit $3
for no key update of delivery skip locked`

const endStatement = `
update deliveries as delivery
set withheld_by = null, parent_recovered_at = given.ended_at,
  awaits_parents_until = now() + given.wait_ms * interval '1 ms', due_at = now() + given.wait_ms * interval '1 ms'
from unnest($1::uuid[], $2::timestamptz[], $3::float8[]) as given (id, ended_at, wait_ms)
where delivery.id = given.id
  and delivery.state = 'pending'`
