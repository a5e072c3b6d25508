import { setImmediate as afterOthers } from 'node:timers/promises'
import {
  choiceColumn,
  columnOf,
  integerColumn,
  momentColumn,
  orNull,
  textColumn,
  textsColumn,
} from '#store/database/columns.ts'
import { maxMeasuredMonitors, type MeasuredMonitor, uptimeWindows } from '#core/monitor-metrics.ts'
import { addDays, dayMs, dayOf } from '#core/language/utc-day.ts'
import { type IncidentRecord, incidentStatuses } from '#core/incidents/incident.ts'
import { partsOf } from '#core/language/tables.ts'
import { monitorFields } from '#core/monitors/monitor-fields.ts'
import { unknownSinceMs } from '#core/monitors/unknown-since.ts'
import type { Database } from '#store/database/database.ts'
import { placeholders, type Put } from '#store/database/page.ts'
import { type NextValue, valuesIn } from '#store/database/row-text.ts'
import { type MonitorFilter, monitorConditions } from '#store/monitors/monitor-filter.ts'
import { recordSourcesOf } from '#store/monitors/monitor-records.ts'
import { knownAt } from '#store/monitors/record-columns.ts'

/** Thousands of rows are read in some ten milliseconds each, between which others have their turn. */
const rowsInTurn = 1000
/** Checks that are older than this are not the newest of a location that still checks. */
const newestDays = 2

type Asked = { workspaceId: string; filter: Omit<MonitorFilter, 'status'>; now: Date }

/** The monitors of a workspace that a filter leaves, oldest first, and one more than are measured where there are. */
export async function readMeasuredMonitors({ pool }: Pick<Database, 'pool'>, asked: Asked): Promise<MeasuredMonitor[]> {
  // Not a named statement: how a workspace is read best depends on how many monitors it has.
  const { text, values } = statementOf(asked)
  const found = await pool.query<{ record: string }>(text, values)
  const monitors: MeasuredMonitor[] = []
  for (const [at, { record }] of found.rows.entries()) {
    if (at % rowsInTurn === rowsInTurn - 1) await afterOthers()
    monitors.push(readMonitor(valuesIn(record), asked.now))
  }
  return monitors
}

const shown = partsOf(monitorFields, 'shown')
const kindColumn = columnOf(shown.kind)
const statusColumn = columnOf(shown.status)
const stateColumn = columnOf(shown.current_status)
const incidentColumn = orNull(choiceColumn(incidentStatuses))
const moment = orNull(momentColumn)
const count = orNull(integerColumn)

function readMonitor(next: NextValue, now: Date): MeasuredMonitor {
  const key = next(integerColumn)
  const [id, name, kind, tags] = [next(textColumn), next(textColumn), next(kindColumn), next(textsColumn)]
  const rhythm = {
    kind,
    status: next(statusColumn),
    current_status: next(stateColumn),
    interval_seconds: next(integerColumn),
    timeout_ms: next(integerColumn),
  }
  const isUnknown = unknownSinceMs(rhythm, { knownAtMs: next(momentColumn), nowMs: now.getTime() }) !== null
  const running = rhythm.status === 'paused' ? 'paused' : rhythm.current_status
  return {
    key,
    id,
    name,
    kind,
    tags,
    state: isUnknown ? 'unknown' : running,
    intervalSeconds: rhythm.interval_seconds,
    locationCount: next(integerColumn),
    checkedAtMs: next(moment),
    certificateEndsMs: next(moment),
    domainEndsMs: next(moment),
    incident: incidentOf(next(incidentColumn), next(moment)),
    windows: uptimeWindows.map(() => ({ checks: next(count) ?? 0, down: next(count) ?? 0 })),
    today: { up: next(count) ?? 0, down: next(count) ?? 0, degraded: next(count) ?? 0 },
    newest: next(textsColumn).map(readNewest),
  }
}

function incidentOf(status: IncidentRecord['status'] | null, startedAtMs: number | null): MeasuredMonitor['incident'] {
  return status === null || status === 'resolved' || startedAtMs === null ? null : { status, startedAtMs }
}

/** "d  amsterdam", "u 120 amsterdam": the outcome, the response time where there is one, the location. */
function readNewest(text: string): MeasuredMonitor['newest'][number] {
  const [, status = '', latency = '', location = ''] = /^(\w) (\d*) (.*)$/s.exec(text) ?? []
  return { location, isUp: status !== 'd', latencyMs: latency === '' ? null : Number(latency) }
}

function statementOf({ workspaceId, filter, now }: Asked): { text: string; values: unknown[] } {
  const { put, values } = placeholders()
  const conditions = [`m.workspace_id = ${put(workspaceId)}`, ...monitorConditions(filter, put)]
  const today = dayOf(now)
  const text = `
select row(
  m.key, m.id, m.name, m.kind, m.tags, m.status, s.current_status, m.interval_seconds, m.timeout_ms, ${knownAt},
  cardinality(m.locations), s.last_checked_at, certificate.expires_at, registration.expires_at,
  incident.status, incident.started_at, ${windows.map(({ name }) => `d.${name}_checks, d.${name}_down`).join(', ')},
  d.up, d.down, d.degraded, ${newestChecks(now, put)}
)::text as record
from ${recordSourcesOf({ hasDomain: true, hasCertificate: true })}
left join incidents incident on incident.id = s.incident_id
cross join lateral (
  select
    ${windows.map(({ name, days }) => windowSums(name, put(addDays(today, 1 - days)))).join(',\n    ')},
    sum(up) filter (where day = ${put(today)}::date) as up,
    sum(down) filter (where day = ${put(today)}::date) as down,
    sum(restricted) filter (where day = ${put(today)}::date) as degraded
  from uptime_days
  where monitor_key = m.key
    and day between ${put(addDays(today, 1 - Math.max(...uptimeWindows)))}::date and ${put(today)}::date
) as d
where ${conditions.join('\n  and ')}
order by m.created_at, m.id
limit ${maxMeasuredMonitors + 1}`
  return { text, values }
}

const windows = uptimeWindows.map((days) => ({ days, name: `of_${days}` }))

function windowSums(name: string, since: string): string {
  return `sum(checks) filter (where day >= ${since}::date) as ${name}_checks,
    sum(down) filter (where day >= ${since}::date) as ${name}_down`
}

/** Of the two newest rounds, of which the last may be under way: the newest check of each location. */
function newestChecks(now: Date, put: Put): string {
  return `array(
    select distinct on (r.location) r.status::text || ' ' || coalesce(r.latency_ms::text, '') || ' ' || l.code
    from (
      select round_at, location, status, latency_ms
      from results
      where monitor_key = m.key
        and round_at >= ${put(new Date(now.getTime() - newestDays * dayMs))}
        and round_at < ${put(new Date(now.getTime() + dayMs))}
      order by round_at desc
      limit 2 * cardinality(m.locations)
    ) as r
    join locations l on l.id = r.location
    where l.code = any(m.locations)
    order by r.location, r.round_at desc
  )`
}
