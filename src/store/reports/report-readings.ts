import type { MonitorReading, ReportReadings, SlowReading } from '#core/reports/report-readings.ts'
import { type ReportContent, expiryDays, most } from '#core/reports/report-content.ts'
import { type ReportPeriod, partsOf, periodBefore } from '#core/reports/report-period.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { listResultDays } from '#store/results/result-partitions.ts'
import { sharesTag } from '#store/tags.ts'
import { findingOrder, findingSources } from '#store/software/findings.ts'
import { readOutages, readPeriodCounts } from './report-pasts.ts'
import type { StoredReport } from './reports.ts'

type Source = Pick<Database, 'pool'>

/** Monitors beyond these are counted and not read: no plan has so many. */
const maxMonitors = 2000

export type ReadingsRequest = { report: StoredReport; period: ReportPeriod; now: Date }

/** All that a report says of a period, but the response times of the slowest monitors. */
export async function readReport({ pool }: Source, request: ReadingsRequest): Promise<ReportReadings & KeyedReadings> {
  const { report, period, now } = request
  const { workspaceId } = report
  const { workspace, total, rows } = await readMonitors({ pool }, report)
  const keys = rows.map(({ key }) => key)
  const before = periodBefore(period)
  const ends = [before.from, period.from, period.until].map(dayOf)
  const isKept = await keptDays({ pool }, { keys, days: ends })
  const parts = partsOf(period, isKept)
  const partsBefore = partsOf(before, isKept)
  const [counts, countsBefore, outages, outagesBefore, expiring, findings, exposures] = await Promise.all([
    readPeriodCounts({ pool }, { keys, parts }),
    readPeriodCounts({ pool }, { keys, parts: partsBefore }),
    readOutages({ pool }, { workspaceId, keys, period, longest: most.incidents }),
    readOutages({ pool }, { workspaceId, keys, period: before, longest: 0 }),
    readExpiring({ pool }, { keys, now }),
    readFindings({ pool }, { keys, period }),
    readExposures({ pool }, { keys, period }),
  ])
  const pastOf = (key: string, id: string) => ({
    counts: counts.get(key) ?? noCounts,
    ...(outages.byMonitor.get(id) ?? noOutages),
  })
  const beforeOf = (key: string, id: string) => ({
    counts: countsBefore.get(key) ?? noCounts,
    ...(outagesBefore.byMonitor.get(id) ?? noOutages),
  })
  return {
    workspace,
    keyOf: new Map(rows.map(({ id, key }) => [id, key])),
    monitors: rows.map(({ id, key, name, createdAt, since }): MonitorReading => {
      return { id, name, createdAt, since, past: pastOf(key, id), previous: beforeOf(key, id) }
    }),
    leftOut: total - rows.length,
    incidents: outages.longest,
    inMaintenance: outages.inMaintenance,
    acknowledged: outages.acknowledged,
    meanSecondsToRecover: outages.meanSecondsToRecover,
    isExact: parts.isExact && partsBefore.isExact,
    ...expiring,
    findings,
    exposures,
  }
}

/** Tells of each of these UTC days whether all its results can be read one by one: there are some, or never were any. */
async function keptDays(
  { pool }: Source,
  { keys, days }: { keys: readonly string[]; days: readonly string[] },
): Promise<(day: string) => boolean> {
  const [stored, counted] = await Promise.all([
    listResultDays({ pool }),
    pool.query<{ day: string }>({
      name: 'report_counted_days',
      text: `select distinct day::text as day
      from uptime_days
      where monitor_key = any($1::bigint[])
        and day = any($2::date[])`,
      values: [keys, days],
    }),
  ])
  const forgotten = new Set(counted.rows.map(({ day }) => day)).difference(new Set(stored))
  return (day) => !forgotten.has(day)
}

/** `keyOf`: the key of each monitor that was read, by its id. */
export type KeyedReadings = { keyOf: ReadonlyMap<string, string> }

/** The histograms of some monitors, of the UTC days with the dates of a period and of the one before. */
export async function readSlow(
  { pool }: Source,
  { monitors, period }: { monitors: readonly { id: string; key: string }[]; period: ReportPeriod },
): Promise<SlowReading[]> {
  const before = periodBefore(period)
  const found = await pool.query<{ key: string; is_before: boolean; slots: number[]; counts: number[] }>({
    name: 'report_latencies',
    text: `select monitor_key::text as key, day < $3::date as is_before, slots, counts
    from latency_days
    where monitor_key = any($1::bigint[])
      and day between $2::date and $4::date
    order by monitor_key, day`,
    values: [monitors.map(({ key }) => key), before.firstDay, period.firstDay, period.lastDay],
  })
  return monitors.map(({ id, key }) => {
    const own = found.rows.filter((row) => row.key === key)
    const daysOf = (isBefore: boolean) => own.filter((row) => row.is_before === isBefore)
    return { id, days: daysOf(false), previousDays: daysOf(true) }
  })
}

const noCounts = { checks: 0, down: 0, latencySumMs: 0, latencyCount: 0 }
const noOutages = { downtimeSeconds: 0, incidents: 0 }

type MonitorRow = Pick<MonitorReading, 'id' | 'name' | 'createdAt' | 'since'> & { key: string; total: number }

async function readMonitors(
  { pool }: Source,
  { id, workspaceId, monitorIds, tags }: StoredReport,
): Promise<{ workspace: string; total: number; rows: MonitorRow[] }> {
  const isAboutAll = monitorIds === null && tags.length === 0
  const [workspace, found] = await Promise.all([
    pool.query<{ name: string }>('select name from workspaces where id = $1', [workspaceId]),
    pool.query<MonitorRow>({
      name: 'report_monitors',
      text: `select
        m.id, m.key::text as key, m.name, m.created_at as "createdAt",
        (select min(day)::text from uptime_days d where d.monitor_key = m.key) as since,
        count(*) over ()::integer as total
      from monitors m
      where m.workspace_id = $1
        and (
          $3
          or exists (select from report_monitors c where c.report_id = $2 and c.monitor_key = m.key)
          or ${sharesTag('m.tags', '$4::text[]')}
        )
      order by m.created_at, m.id
      limit ${maxMonitors}`,
      values: [workspaceId, id, isAboutAll, tags],
    }),
  ])
  return { workspace: workspace.rows[0]?.name ?? '', total: found.rows[0]?.total ?? 0, rows: found.rows }
}

type ExpiringRow = Omit<ReportContent['expiring'][number], 'expires_at'> & { expires_at: Date; total: number }

/** What ended already and is still there is told too. */
async function readExpiring(
  { pool }: Source,
  { keys, now }: { keys: readonly string[]; now: Date },
): Promise<Pick<ReportContent, 'expiring' | 'expiring_count'>> {
  const found = await pool.query<ExpiringRow>({
    name: 'report_expiring',
    text: `select
      m.id as monitor_id, m.name as monitor_name, e.subject, e.name,
      e.expires_at,
      count(*) over ()::integer as total
    from monitor_expiries e
    join monitors m on m.key = e.monitor_key and m.target_version = e.target_version
    where m.key = any($1::bigint[])
      and m.status = 'enabled'
      and e.expires_at <= $2
    order by e.expires_at, m.name, m.id, e.subject
    limit ${most.expiring}`,
    values: [keys, new Date(now.getTime() + expiryDays * dayMs)],
  })
  return {
    expiring_count: found.rows[0]?.total ?? 0,
    expiring: found.rows.map(({ monitor_id, monitor_name, subject, name, expires_at }) => {
      return { monitor_id, monitor_name, subject, name, expires_at: expires_at.toISOString() }
    }),
  }
}

type FindingsRow = { counts: Omit<ReportContent['findings'], 'newest'>; newest: ReportContent['findings']['newest'] }

async function readFindings(
  { pool }: Source,
  { keys, period }: { keys: readonly string[]; period: ReportPeriod },
): Promise<ReportContent['findings']> {
  const found = await pool.query<FindingsRow>({
    name: 'report_findings',
    text: findingsStatement,
    values: [keys, period.from, period.until, most.findings],
  })
  const [{ counts, newest } = { counts: noFindings, newest: [] }] = found.rows
  return { ...counts, newest }
}

async function readExposures(
  { pool }: Source,
  { keys, period }: { keys: readonly string[]; period: ReportPeriod },
): Promise<ReportContent['exposures']> {
  const { rows } = await pool.query<ReportContent['exposures']>({
    name: 'report_exposures',
    text: exposuresStatement,
    values: [keys, period.from, period.until],
  })
  return rows[0] ?? { open: 0, closed: 0, proved: 0, median_seconds: null }
}

const noFindings = { open: 0, exploited: 0, critical: 0, high: 0, medium: 0, low: 0, unrated: 0, new: 0 }

/** One that a person marked as fixed in the version that runs is not open. */
const open = `
from ${findingSources}
join monitors m on m.key = finding.monitor_key
where finding.monitor_key = any($1::bigint[])
  and not software.ignored
  and finding.marked_fixed_version is distinct from coalesce(component.version, '')`

const isNew = 'finding.found_at >= $2 and finding.found_at < $3'

const findingsStatement = `
select
  (
    select json_build_object(
      'open', count(*),
      'exploited', count(known.exploited_on),
      'critical', count(*) filter (where known.severity = 'critical'),
      'high', count(*) filter (where known.severity = 'high'),
      'medium', count(*) filter (where known.severity = 'medium'),
      'low', count(*) filter (where known.severity = 'low'),
      'unrated', count(*) filter (where known.severity is null),
      'new', count(*) filter (where ${isNew})
    )
    ${open}
  ) as counts,
  to_json(array(
    select json_build_object(
      'monitor_id', m.id, 'monitor_name', m.name, 'vuln_id', finding.vulnerability, 'severity', known.severity,
      'software', software.name, 'version', component.version
    )
    ${open}
      and ${isNew}
    order by ${findingOrder}
    limit $4
  )) as newest`

const endedInPeriod = 'closed_at >= $2 and closed_at < $3'

const exposuresStatement = `
select
  count(*) filter (where closed_at is null)::integer as open,
  count(*) filter (where ${endedInPeriod})::integer as closed,
  count(*) filter (where ${endedInPeriod} and outcome = 'proved')::integer as proved,
  (percentile_cont(0.5) within group (
    order by extract(epoch from closed_at - opened_at)::float8
  ) filter (where ${endedInPeriod}))::integer as median_seconds
from exposures
where monitor_key = any($1::bigint[])`
