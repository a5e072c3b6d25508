import {
  type Announcement,
  type ReportedMonitor,
  type StatusHead,
  type StatusReport,
  pastDays,
} from '#core/status-pages/status-model.ts'
import { barDays, firstBarDay } from '#core/results/uptime-bars.ts'
import { periodStarts, periodUnit } from '#core/results/uptime-history.ts'
import { type DayCounts, startOfLastDay, watchedSince } from '#core/results/uptime.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import { statusLimits } from '#core/status-pages/status-page.ts'
import type { Database } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'
import { listNotices } from '#store/maintenance/maintenance-notices.ts'
import { latencySums, meanLatency, stepOf } from '#store/results/response-times.ts'
import { isTimed } from '#store/results/timed-checks.ts'
import { listMaintenanceNews } from './page-maintenance.ts'
import { listAnnouncements, listIncidents } from './page-history.ts'
import { type DayRow, daysOf, monthSums, toDay } from '#store/results/uptime.ts'

/** The monitors of a page that is being written. */
export type DraftMonitors = {
  sections: readonly { name: string; monitors: readonly { monitor_id: string; name: string | null }[] }[]
  monitor_tags: readonly string[]
}

/** `monitors`: in place of those that the page has. */
export type ReportRequest = { head: StatusHead; workspaceId: string; now: Date; monitors?: DraftMonitors }

/** On top, and of the last days; there is more in the history. */
const maxShown = { running: 50, ended: 50, announcements: 20, maintenanceNews: 50 }

/** Everything that a page says, in seven statements whatever the number of its monitors. */
export async function readStatusReport(
  { planned }: Pick<Database, 'planned'>,
  { head, workspaceId, now, monitors: draft }: ReportRequest,
): Promise<StatusReport> {
  const { sections, monitors } = await readMonitors({ planned }, { of: draft ?? head.id, workspaceId, now })
  const monitorIds = monitors.map(({ id }) => id)
  const recently = new Date(now.getTime() - pastDays * dayMs)
  const of = { workspaceId, monitorIds, until: tomorrow(now), now }
  const [pasts, running, ended, announcements, maintenance, maintenanceNews] = await Promise.all([
    readPasts({ planned }, { monitors, head, now }),
    listIncidents({ planned }, { ...of, state: 'running', from: new Date(0), limit: maxShown.running }),
    listIncidents(
      { planned },
      // One that began before the bars do is in the history alone.
      {
        ...of,
        state: 'ended',
        from: new Date(now.getTime() - barDays * dayMs),
        endedFrom: recently,
        limit: maxShown.ended,
      },
    ),
    listAnnouncements({ planned }, { pageId: head.id, from: recently, until: now, limit: maxShown.announcements }),
    listNotices({ planned }, { pageId: head.id, workspaceId, now }),
    listMaintenanceNews({ planned }, { pageId: head.id, from: recently, limit: maxShown.maintenanceNews }),
  ])
  return {
    sections,
    monitors: monitors.map(({ key, ...monitor }) => Object.assign(monitor, pasts.get(key) ?? noPast)),
    running,
    ended,
    announcements: announcements.filter(isOnTop(now)),
    endedAnnouncements: announcements.filter((one) => !isOnTop(now)(one)),
    maintenance,
    maintenanceNews,
  }
}

/** The names under which a page shows its monitors. */
export async function readNames(
  { planned }: Pick<Database, 'planned'>,
  request: { pageId: string; workspaceId: string; now: Date },
): Promise<Pick<ReportedMonitor, 'id' | 'name'>[]> {
  const { pageId, workspaceId, now } = request
  return (await readMonitors({ planned }, { of: pageId, workspaceId, now })).monitors
}

/** Later than anything, whatever the clocks of engine and API make of the moment. */
function tomorrow(now: Date): Date {
  return new Date(now.getTime() + dayMs)
}

function isOnTop(now: Date): (announcement: Announcement) => boolean {
  return ({ endsAt }) => endsAt === null || endsAt > now
}

type Past = Pick<ReportedMonitor, 'days' | 'periods' | 'responses'>
type Standing = Omit<ReportedMonitor, keyof Past> & { key: string }
type StandingRow = Omit<Standing, 'watchedSince'> & { createdAt: string }

const noPast: Past = { days: [], periods: [], responses: [] }

async function readMonitors(
  { planned }: Pick<Database, 'planned'>,
  { of, workspaceId, now }: { of: string | DraftMonitors; workspaceId: string; now: Date },
): Promise<{ sections: string[]; monitors: Standing[] }> {
  const found = await planned.query<{
    sections: string[]
    monitors: StandingRow[]
  }>({
    ...(typeof of === 'string' ? pageMonitors : draftMonitors),
    values: [typeof of === 'string' ? of : JSON.stringify(of), workspaceId, dayOf(now), now],
  })
  const { sections = [], monitors = [] } = found.rows[0] ?? {}
  return {
    sections,
    monitors: monitors.map(({ createdAt, ...monitor }) => {
      const { since } = monitor
      return Object.assign(monitor, { watchedSince: watchedSince({ createdAt: new Date(createdAt), since }) })
    }),
  }
}

/** `period`: counted from 1, in the list of their first days. */
type PeriodRow = [period: number, checks: number, up: number, down: number, restricted: number]
type PastRow = { key: string; days: DayRow[]; periods: PeriodRow[]; responses: [number, number][] }
type Unit = 'week' | 'month'

/** By the monitor's key. */
async function readPasts(
  { planned }: Pick<Database, 'planned'>,
  { monitors, head, now }: { monitors: readonly Standing[]; head: StatusHead; now: Date },
): Promise<Map<string, Past>> {
  const today = dayOf(now)
  const since = monitors.flatMap((monitor) => monitor.since ?? []).toSorted()[0] ?? today
  const starts = { week: periodStarts('week', { since, today }), month: periodStarts('month', { since, today }) }
  const units = monitors.map((monitor) => (head.history === 'whole' ? unitOf(monitor, today) : null))
  const found = await planned.query<PastRow>({
    name: 'status_pasts',
    text: pastsStatement,
    values: [
      monitors.map(({ key }) => key),
      units,
      monitors.map(({ charts }) => head.responseCharts && charts !== 'uptime'),
      firstBarDay(now),
      today,
      startOfLastDay(now),
      tomorrow(now),
      starts.week,
      starts.month,
    ],
  })
  return new Map(
    found.rows.map(({ key, days: rows, periods, responses }, index) => {
      const days = rows.map(toDay)
      const unit = units[index] ?? null
      // A history of up to 90 days is shown in days.
      return [key, { days, responses, periods: unit === null ? days : periods.map(periodIn(starts[unit])) }]
    }),
  )
}

function unitOf({ since, charts }: Standing, today: string): Unit | null {
  if (charts === 'response' || since === null) return null
  const unit = periodUnit(since, today)
  return unit === 'day' ? null : unit
}

function periodIn(starts: readonly string[]): (row: PeriodRow) => DayCounts {
  return ([period, checks, up, down, restricted]) => {
    return { date: starts[period - 1] ?? '', checks, up, down, restricted, latencySumMs: 0, latencyCount: 0 }
  }
}

/** `sections` are their names in order, `placed` the monitors that stand in them, or by a tag in none, as SQL. */
function monitorsStatement({ sections, placed: chosen }: { sections: string; placed: string }): string {
  return `
select
  ${sections}
    -- Those that are on the page by a tag stand at its end, under no heading.
    || case when exists (select from ${chosen} as tagged where section is null) then array[''] else '{}' end
    as sections,
  to_json(array(
    select json_build_object(
      'id', m.id, 'key', m.key::text, 'name', coalesce(placed.name, m.name), 'section', coalesce(placed.section, cardinality(${sections})),
      'charts', m.charts,
      'state', case
        when m.status = 'paused' then 'paused'
        when ${isInMaintenance('$4::timestamptz')} then 'maintenance'
        else state.current_status
      end,
      'createdAt', m.created_at,
      'since', (select min(day) from uptime_days d where d.monitor_key = m.key and d.day <= $3::date)
    )
    from (
      select placed.*
      from ${chosen} as placed
      join monitors m on m.id = placed.monitor_id
      order by placed.section, placed.position, m.created_at, m.id
      limit ${statusLimits.monitors}
    ) as placed
    join monitors m on m.id = placed.monitor_id
    join monitor_state state on state.monitor_key = m.key
    where m.workspace_id = $2
    order by placed.section, placed.position, m.created_at, m.id
  )) as monitors`
}

const pageMonitors = {
  name: 'status_monitors',
  text: monitorsStatement({
    sections: 'array(select name from status_sections where page_id = $1 order by position)',
    placed: '(select monitor_id, section, position, name from status_monitors where page_id = $1)',
  }),
}

/** `$1` is a `DraftMonitors`. A monitor with a tag stands where a section has it, as it does on a stored page. */
const draftPlaces = `
    select
      (one.value ->> 'monitor_id')::uuid as monitor_id, part.place::integer - 1 as section,
      one.place::integer as position, one.value ->> 'name' as name
    from jsonb_array_elements($1::jsonb -> 'sections') with ordinality as part (value, place)
    cross join jsonb_array_elements(part.value -> 'monitors') with ordinality as one (value, place)`
const draftMonitors = {
  name: 'status_draft_monitors',
  text: monitorsStatement({
    sections: `array(
    select part.value ->> 'name'
    from jsonb_array_elements($1::jsonb -> 'sections') with ordinality as part (value, place)
    order by part.place
  )`,
    placed: `(${draftPlaces}
    union all
    select tagged.id, null, 0, null
    from monitors tagged
    where tagged.workspace_id = $2
      and has_common_tag(tagged.tags, array(select jsonb_array_elements_text($1::jsonb -> 'monitor_tags')))
      and tagged.id not in (select monitor_id from (${draftPlaces}) as named)
  )`,
  }),
}

/** The weeks of a monitor `m` as `PeriodRow`s, oldest first; `$8` are the first days of the weeks, `$5` is today. */
const weeks = `to_json(array(
    select array[period, sum(checks), sum(up), sum(down), sum(restricted)]
    from (
      select width_bucket(day, $8::date[]) as period, checks, up, down, restricted
      from uptime_days
      where monitor_key = m.key
        and day <= $5::date
    ) as counted
    group by period
    order by period
  ))`

/** The same of months, `$9`. */
const months = `to_json(array(
    select array[array_position($9::date[], month), checks, up, down, restricted]
    from (${monthSums({ monitorKey: 'm.key', months: '$9', to: '$5' })}) as sums
    order by month
  ))`

const pastsStatement = `
select
  m.key::text as key,
  ${daysOf({ monitorKey: 'm.key', from: '$4', to: '$5' })} as days,
  case m.unit when 'week' then ${weeks} when 'month' then ${months} else '[]'::json end as periods,
  case when not m.has_responses then '[]'::json else to_json(array(
    select array[quarter, ${meanLatency}]
    from (
      select
        ${stepOf({ from: '$6', seconds: '900' })} as quarter,
        ${latencySums()}
      from results
      where monitor_key = m.key
        and round_at >= $6
        and round_at < $7
        and ${isTimed}
      group by 1
    ) as quarters
    where latency_count > 0
    order by quarter
  )) end as responses
from unnest($1::bigint[], $2::text[], $3::boolean[]) with ordinality as m (key, unit, has_responses, place)
order by m.place`
