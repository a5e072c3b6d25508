// Parts of a statement about one monitor, with the placeholders of their values.
import type { IncidentRecord } from '#core/incidents/incident.ts'

export type IncidentTotal = { count: number; minutes: number }
export type IncidentTotals = { all: IncidentTotal; recent: IncidentTotal }

/** An incident as the statement gives it, times in ISO 8601 to the microsecond. */
export type IncidentRow = [
  id: string,
  monitorId: string,
  monitorName: string,
  status: IncidentRecord['status'],
  title: string,
  cause: string | null,
  startedAt: string,
  resolvedAt: string | null,
  assignee: readonly [id: string, name: string] | null,
  byHand: boolean,
]

export function toIncident(row: IncidentRow): IncidentRecord {
  const [id, monitorId, monitorName, status, title, cause, startedAt, resolvedAt, assignee, byHand] = row
  return {
    id,
    monitor_id: monitorId,
    monitor_name: monitorName,
    status,
    title,
    cause,
    started_at: new Date(startedAt).toISOString(),
    resolved_at: resolvedAt === null ? null : new Date(resolvedAt).toISOString(),
    assignee: assignee === null ? null : { id: assignee[0], name: assignee[1] },
    by_hand: byHand,
  }
}

/** All of a monitor: what the two parts below take as their source. */
export function incidentsOf({ workspaceId, monitorId }: { workspaceId: string; monitorId: string }): string {
  return `
  select id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at, workspace_id,
    assignee_id, by_hand
  from incidents
  where workspace_id = ${workspaceId}
    and monitor_id = ${monitorId}`
}

/** Who has an incident of `source`, while that person is a member: `[id, name]` as JSON, or null. */
export function assigneeOf(source: string): string {
  return `(
    select json_build_array(person.id, person.name)
    from members as member
    join people."user" as person on person.id = member.person_id
    where member.workspace_id = ${source}.workspace_id
      and member.person_id = ${source}.assignee_id
  )`
}

/** The newest incidents, newest first, as `IncidentRow`s; `limit` may be a placeholder. */
export function newestIncidentsOf({ source, limit }: { source: string; limit: number | string }): string {
  return `to_json(array(
  select json_build_array(
    id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at, ${assigneeOf(source)}, by_hand
  )
  from ${source}
  order by started_at desc, id
  limit ${limit}
))`
}

/**
 * `IncidentTotals`: number and length of all incidents of checks, and of the incidents that began after `recentSince` or reach
 * beyond it, with only their part since then. Running ones last until `now`. Minutes are rounded once, over the sum.
 */
export function incidentTotalsOf(names: { source: string; recentSince: string; now: string }): string {
  const { source, recentSince, now } = names
  return `(
  select json_build_object(
    'all', json_build_object('count', count(*), 'minutes', ${minutesOf('ended_at - started_at')}),
    'recent', json_build_object(
      'count', count(*) filter (where is_recent),
      'minutes', ${minutesOf(`ended_at - greatest(started_at, ${recentSince})`, 'filter (where is_recent)')}
    )
  )
  from (
    select started_at, ended_at, ended_at > ${recentSince} or started_at >= ${recentSince} as is_recent
    from (
      select started_at, greatest(coalesce(resolved_at, ${now}), started_at) as ended_at
      from ${source}
      where not by_hand
    ) as spans
  ) as reaching
)`
}

function minutesOf(span: string, filter = ''): string {
  return `coalesce(round(sum(extract(epoch from ${span})) ${filter} / 60), 0)::integer`
}
