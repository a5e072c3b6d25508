// What the model and PostgreSQL hold, in one form, so that the two can be compared. Ids that the database makes are left
// out: a delivery is named by what it tells and whom.
import type { Database } from '#store/database/database.ts'
import type { DeliveryRow, ModelDatabase } from './model-database.ts'

/** Rows by table, each with its columns in this order. */
export type Contents = Record<string, unknown[][]>

export function contentsOfModel(model: ModelDatabase): Contents {
  const named = (id: string | null): string | null => nameOf(model.deliveries.get(id ?? ''))
  return inOrder({
    monitors: rowsOf(model.monitors.values(), ({ key, version, isEnabled }) => [key, version, isEnabled]),
    states: rowsOf(model.states, ([key, { version, status, failures, successes, ...state }]) => {
      const { round, lastCheckedAt, incidentId, problemAt, deadline, callStartedMs, runDue } = state
      const times = [round, lastCheckedAt, deadline, callStartedMs, runDue]
      return [key, version, status, failures, successes, ...times, incidentId, problemAt]
    }),
    results: rowsOf(
      model.results.values().flatMap((of) => of.values()),
      ({ monitorKey, round, locationId, version, isInMaintenance, verdict }) => {
        const { status, statusCode, latencyMs, error, details } = verdict
        const found = [status, statusCode, latencyMs, error, details['source'] ?? null]
        return [monitorKey, round, locationId, version, ...found, isInMaintenance]
      },
    ),
    days: rowsOf(model.days, ([place, day]) => {
      const { checks, up, down, restricted, latencySumMs, latencyCount } = day
      return [place, checks, up, down, restricted, latencySumMs, latencyCount]
    }),
    problems: rowsOf(model.problems.values(), ({ monitorKey, startedAt, endedAt, ...seen }) => {
      const { status, error, locations, incidentId } = seen
      return [monitorKey, startedAt, endedAt, status, error, locations.join(), incidentId]
    }),
    gaps: rowsOf(model.gaps.values(), ({ monitorKey, startedAt, endedAt }) => [monitorKey, startedAt, endedAt]),
    incidents: rowsOf(model.incidents.values(), (incident) => {
      const { id, monitorId, title, cause, startedMs, resolvedMs } = incident
      return [id, monitorId, title, cause, startedMs, resolvedMs]
    }),
    events: rowsOf(model.events, ({ incidentId, type, atMs, message }) => [incidentId, type, atMs, message]),
    contacts: rowsOf(model.contacts.values(), ({ id, isEnabled, failingSinceMs }) => [id, isEnabled, failingSinceMs]),
    deliveries: rowsOf(model.deliveries.values(), (delivery) => {
      const { state, attempt, dueMs, claimedMs, createdMs, endedMs, afterId, error } = delivery
      return [nameOf(delivery), state, attempt, dueMs, claimedMs, createdMs, endedMs, named(afterId), error]
    }),
    jobs: rowsOf(model.jobs, ([id, { runMs, attempts }]) => [named(id), runMs, attempts]),
    partitions: rowsOf(model.partitions.entries(), ([partition, { owner, epoch, heldUntilMs }]) => {
      return [partition, owner, epoch, heldUntilMs]
    }),
    maintenances: rowsOf(model.maintenances, ({ startsMs, endsMs }) => [startsMs, endsMs]),
    withheld: rowsOf(model.withheld, ([id, { order, atMs }]) => [id, order.monitorId, atMs]),
    intakes: rowsOf(model.intakes, ([name, seenMs]) => [name, seenMs]),
    jumps: rowsOf(model.jumps.slice(-1), ({ atMs, byMs }) => [atMs, byMs]),
    engines: rowsOf(model.engines, ([name, seenMs]) => [name, seenMs]),
    rejected: rowsOf(model.rejected, ({ reason, result }) => [reason, result]),
  })
}

export function nameOf(delivery: DeliveryRow | undefined): string | null {
  if (delivery === undefined) return null
  return [delivery.incidentId, delivery.alert.type, delivery.contactId].join()
}

function rowsOf<T>(rows: Iterable<T>, columns: (row: T) => unknown[]): unknown[][] {
  return Array.from(rows, columns)
}

function inOrder(contents: Contents): Contents {
  return Object.fromEntries(Object.entries(contents).map(([table, rows]) => [table, sorted(rows)]))
}

function sorted(rows: unknown[][]): unknown[][] {
  const named = rows.map((row) => ({ row, text: JSON.stringify(row) }))
  return named.toSorted((one, other) => (one.text < other.text ? -1 : 1)).map(({ row }) => row)
}

export async function contentsOf(database: Database): Promise<Contents> {
  const read = async (statement: string): Promise<unknown[][]> =>
    (await database.pool.query({ text: statement, rowMode: 'array' })).rows
  const tables = Object.entries(statements).map(async ([table, statement]) => [table, await read(statement)] as const)
  return inOrder(Object.fromEntries(await Promise.all(tables)))
}

const us = (time: string): string => `(extract(epoch from ${time}) * 1000000)::float8`
const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`
const name = (delivery: string): string =>
  `concat_ws(',', ${delivery}.incident_id, ${delivery}.alert ->> 'type', ${delivery}.alert_channel_id)`

const statements = {
  monitors: `select key::float8, version, status = 'enabled' from monitors`,
  states: `
    select monitor_key::float8, version, current_status, consecutive_failures, consecutive_successes, ${us('round_at')},
      ${us('last_checked_at')}, ${us('deadline_at')}, ${ms('call_started_at')}, ${us('run_due_at')},
      incident_id, ${us('problem_at')}
    from monitor_state`,
  results: `
    select monitor_key::float8, ${us('round_at')}, location, version,
      case status when 'u' then 'up' when 'd' then 'down' else 'degraded' end, status_code, latency_ms, error,
      details ->> 'source', in_maintenance
    from results`,
  days: `
    select monitor_key || '/' || day, checks::float8, up::float8, down::float8, restricted::float8, latency_sum_ms::float8,
      latency_count::float8
    from uptime_days`,
  problems: `
    select monitor_key::float8, ${us('started_at')}, ${us('ended_at')}, status, error, array_to_string(locations, ','),
      incident_id
    from problems`,
  gaps: `select monitor_key::float8, ${us('started_at')}, ${us('ended_at')} from monitor_gaps`,
  incidents: `select id, monitor_id, title, cause, ${ms('started_at')}, ${ms('resolved_at')} from incidents`,
  events: `select incident_id, type, ${ms('at')}, message from incident_events`,
  contacts: `select id, enabled, ${ms('failing_since')} from alert_channels`,
  deliveries: `
    select ${name('d')}, d.state, d.attempt, ${ms('d.due_at')}, ${ms('d.claimed_at')}, ${ms('d.created_at')},
      ${ms('d.ended_at')}, case when e.id is not null then ${name('e')} end, d.error
    from deliveries d
    left join deliveries e on e.id = d.after_id`,
  jobs: `
    select ${name('d')}, ${ms('j.run_at')}, j.attempts::integer
    from graphile_worker.jobs j
    join deliveries d on 'deliver:' || d.id = j.key`,
  partitions: `select partition, owner, epoch::float8, ${ms('held_until')} from partitions`,
  maintenances: `select ${ms('starts_at')}, ${ms('ends_at')} from maintenance_occurrences`,
  withheld: `select incident_id, monitor_id, ${ms('at')} from withheld_alerts`,
  intakes: `select name, ${ms('seen_at')} from intakes`,
  jumps: `select ${ms('since')}, details::float8 * 1000 from own_troubles where name = 'clock'`,
  engines: `select name, ${ms('seen_at')} from engines`,
  rejected: `select reason, result from rejected_results`,
} satisfies Record<string, string>
