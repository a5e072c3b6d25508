import type { AlertMonitor } from '#core/contacts/alerting.ts'
import type { StableReason } from '#core/incidents/flapping.ts'
import type { Transaction } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'

/** A monitor whose unstable episode is over. `changes` and `minutes` are those of its beginning. */
export type StableMonitor = {
  key: number
  workspaceId: string
  face: AlertMonitor
  episodeId: string
  reason: StableReason
  changes: number
  minutes: number
}

/**
 * Locks monitors that were unstable and have not changed for as long as their rule says, or have no such rule any more;
 * `limit` at most. That one is up has to be known by a round of then or later. None is held in a maintenance, nor before
 * an outage that it kept back was counted, nor while an engine folds it.
 */
export async function holdStable(
  { client }: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<StableMonitor[]> {
  const { rows } = await client.query<StableRow>({ name: 'hold_stable', text: stableStatement, values: [now, limit] })
  return rows.map((row) => {
    const { id, name, kind, url, current_status } = row
    return Object.assign(row, { face: { id, name, kind, url, current_status } })
  })
}

type StableRow = Omit<StableMonitor, 'face'> & AlertMonitor

const stableStatement = `
select
  m.id, m.key::float8 as key, m.workspace_id as "workspaceId", m.name, m.kind, m.url, s.current_status,
  s.unstable_episode as "episodeId",
  case
    when rule.minutes is null then 'unwatched'
    when s.current_status = 'down' then 'down'
    else 'up'
  end as reason,
  coalesce((beginning.details ->> 'changes')::integer, 0) as changes,
  coalesce(rule.minutes, (beginning.details ->> 'within_minutes')::integer, 0) as minutes
from monitor_state as s
join monitors as m on m.key = s.monitor_key
left join monitor_events as beginning on beginning.id = s.unstable_episode
cross join lateral (
  select (m.alert_rules #>> '{flapping,within_minutes}')::integer as minutes
) as rule
cross join lateral (
  select coalesce(s.recent_changes[cardinality(s.recent_changes)], '-infinity') + rule.minutes * interval '1 minute' as at
) as due
where s.unstable_episode is not null
  and (rule.minutes is null or due.at <= $1 and (s.current_status = 'down' or s.round_at >= due.at))
  and not ${isInMaintenance('$1')}
  and not exists (select from withheld_alerts as kept where kept.incident_id = s.incident_id)
order by s.monitor_key
limit $2
for no key update of s skip locked`
