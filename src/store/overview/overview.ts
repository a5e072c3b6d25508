import { type DayShare, writeBars, writeSpark } from '#core/results/bar-text.ts'
import { type Overview, type OverviewRow, shownIncidents, sparkRounds } from '#core/overview.ts'
import { barDays, firstBarDay } from '#core/results/uptime-bars.ts'
import { uptimePercent, watchedSince } from '#core/results/uptime.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { type IncidentRow, newestIncidentsOf, toIncident } from '#store/incidents/monitor-incidents.ts'
import { type Horizon, horizon } from './horizon.ts'
import { headColumns, latenciesOf, numberOrNull, readDayShare, readHead } from './overview-rows.ts'
import { integerColumn, orNull, textColumn, textsColumn } from '#store/database/columns.ts'
import { type PagePlace, type PageRequest, pageOf, placeholders } from '#store/database/page.ts'
import { valuesIn } from '#store/database/row-text.ts'

type Pool = Database['pool']

/** Response times that are older than this are not looked for. */
const sparkDays = 2
/** How many of the newest incidents are asked when the last was resolved. */
const quietDepth = 100

/** All monitors of a workspace as the console lists them, and the incidents that run. */
export async function readOverview(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<Overview> {
  const moment = await readMoment(pool, now)
  const [monitors, groups, standing] = await Promise.all([
    readRows(pool, { which: ofWorkspace, value: workspaceId, now }),
    pool.query<GroupRow>(groupsStatement, [workspaceId]),
    readStanding(pool, workspaceId),
  ])
  return { ...moment, monitors, groups: groupsOf(groups.rows), ...standing }
}

export type OverviewRequest = PageRequest & { now: Date }

/**
 * The same of at most `limit` monitors behind those of the page before: its groups are those among them, and only the
 * first page has incidents. How much is read for a page does not depend on how many monitors there are.
 */
export async function pageOverview(
  { pool }: Pick<Database, 'pool'>,
  request: OverviewRequest,
): Promise<{ overview: Overview; next: PagePlace | null }> {
  const { workspaceId, after, limit, now } = request
  const moment = await readMoment(pool, now)
  const { text, values } = placesStatement(request)
  const found = await pool.query<PagePlace & GroupRow & { key: string }>(text, values)
  const { items: places, next } = pageOf(found.rows, found.rows, limit)
  const [monitors, standing] = await Promise.all([
    readRows(pool, { which: ofPage, value: places.map(({ key }) => key), now }),
    after === null ? readStanding(pool, workspaceId) : { incidents: [], quiet_since: null },
  ])
  return { overview: { ...moment, monitors, groups: groupsOf(places), ...standing }, next }
}

type Moment = Pick<Overview, 'at' | 'today' | 'horizon'>

/** Is read before everything else, and so says how old that may be. */
async function readMoment(pool: Pool, now: Date): Promise<Moment> {
  const found = await pool.query<{ at: number; horizon: Horizon }>(momentStatement)
  const [moment] = found.rows
  return { at: moment?.at ?? now.getTime(), today: dayOf(now), horizon: moment?.horizon ?? '0' }
}

/** `members` is null of a monitor that is no group. */
type GroupRow = { id: string; members: string[] | null }

function groupsOf(rows: readonly GroupRow[]): Overview['groups'] {
  return rows.flatMap(({ id, members }): Overview['groups'] => (members === null ? [] : [[id, members]]))
}

type StandingRow = { incidents: IncidentRow[]; quietSince: Date | null }

async function readStanding(pool: Pool, workspaceId: string): Promise<Pick<Overview, 'incidents' | 'quiet_since'>> {
  const found = await pool.query<StandingRow>(standingStatement, [workspaceId])
  const [row] = found.rows
  return { incidents: (row?.incidents ?? []).map(toIncident), quiet_since: row?.quietSince?.toISOString() ?? null }
}

const ofWorkspace = 'm.workspace_id = $1'
const ofPage = 'm.key = any($1::bigint[])'

type RowsAsked = { which: string; value: string | readonly string[]; now: Date }

/**
 * Not named statements: how monitors are read best depends on how many there are, and only with the bounds known
 * PostgreSQL plans for few days of `results`.
 */
async function readRows(pool: Pool, { which, value, now }: RowsAsked): Promise<OverviewRow[]> {
  const since = new Date(now.getTime() - sparkDays * dayMs)
  const until = new Date(now.getTime() + dayMs)
  // With thousands of monitors each statement takes a quarter of a second. On two connections PostgreSQL runs both at once.
  const [heads, pasts] = await Promise.all([
    pool.query<{ record: string }>(headsStatement(which), [value, since, until]),
    pool.query<{ record: string }>(daysStatement(which), [value, firstBarDay(now), dayOf(now)]),
  ])
  const pastOf = readPasts(pasts.rows)
  return heads.rows.map(({ record }) => readRow(record, pastOf))
}

const count = orNull(integerColumn)
const texts = orNull(textsColumn)
const firstDay = orNull(textColumn)

/** The daily bars of a monitor, its uptime over them, and the first day on which it was checked. */
type Past = { bars: string; uptime: number | null; first: string | null }

/** By the key of the monitor. One that came between the two statements has none yet. */
function readPasts(rows: readonly { record: string }[]): (key: number) => Past {
  const pasts = new Map(rows.map(({ record }) => readPast(record)))
  const none = { bars: writeBars(daysOf([0, 0], [])), uptime: null, first: null }
  return (key) => pasts.get(key) ?? none
}

function readPast(record: string): [key: number, past: Past] {
  const next = valuesIn(record)
  const key = next(integerColumn)
  const bars = writeBars(daysOf([next(count) ?? 0, next(count) ?? 0], next(texts) ?? []))
  const uptime = uptimePercent({ checks: next(count) ?? 0, down: next(count) ?? 0 })
  return [key, { bars, uptime, first: next(firstDay) }]
}

function readRow(record: string, pastOf: (key: number) => Past): OverviewRow {
  const next = valuesIn(record)
  const head = readHead(next)
  const { bars, uptime, first } = pastOf(next(integerColumn))
  const createdAt = new Date(next(count) ?? 0)
  const watched = watchedSince({ createdAt, since: first })?.getTime() ?? null
  const latencies = (next(texts) ?? []).map(numberOrNull).toReversed()
  const latencyMs = latencies.findLast((ms) => ms !== null) ?? null
  return [...head(latencyMs), bars, uptime, watched, writeSpark(latencies)]
}

/** Days whose bits are in one number: JavaScript's are whole up to 53. */
const halfDays = barDays / 2

/** `checked` has a bit for each day with checks; `troubled` are those where not all were up, behind their places. */
function daysOf(checked: readonly [early: number, late: number], troubled: readonly string[]): DayShare[] {
  const days: DayShare[] = []
  for (const bits of checked)
    for (let place = 0, left = bits; place < halfDays; place += 1) {
      days.push(left % 2 === 1 ? up : none)
      left = Math.floor(left / 2)
    }
  for (const text of troubled) {
    const [, place = '', counts = ''] = /^(\d+) (.*)$/.exec(text) ?? []
    days[Number(place)] = readDayShare(counts)
  }
  return days
}

/** The same objects for all: there are ninety days of thousands of monitors. */
const up: DayShare = { state: 'up' }
const none: DayShare = { state: 'none' }

const headsStatement = (which: string): string => `
select row(
  ${headColumns}, m.key, floor(extract(epoch from m.created_at) * 1000)::bigint,
  ${latenciesOf({ since: '$2', until: '$3', rounds: sparkRounds })}
)::text as record
from monitors m
join monitor_state s on s.monitor_key = m.key
where ${which}
order by m.created_at, m.id`

const daysStatement = (which: string): string => `
select row(m.key, d.early, d.late, d.troubled, d.checks, d.down, d.first)::text as record
from monitors m
cross join lateral (
  select
    bit_or(1::bigint << place) filter (where place < ${halfDays}) as early,
    bit_or(1::bigint << place - ${halfDays}) filter (where place >= ${halfDays}) as late,
    array_agg(place || ' ' || checks || ' ' || down || ' ' || restricted) filter (where up < checks) as troubled,
    sum(checks) as checks,
    sum(down) as down,
    min(day)::text as first
  from (
    select *, day - $2::date as place
    from uptime_days
    where monitor_key = m.key
      and day between $2::date and $3::date
  ) as of_monitor
) as d
where ${which}`

const members = `case when kind = 'group' then coalesce(check_options -> 'member_ids', '[]') end as members`

const groupsStatement = `
select id, ${members}
from monitors
where workspace_id = $1
  and kind = 'group'
order by created_at, id`

function placesStatement({ workspaceId, after, limit }: OverviewRequest): { text: string; values: unknown[] } {
  const { put, values } = placeholders()
  const conditions = [
    `workspace_id = ${put(workspaceId)}`,
    ...(after === null ? [] : [`(created_at, id) > (${put(after.at)}::timestamptz, ${put(after.id)}::uuid)`]),
  ]
  const text = `
select key, id, created_at::text as at, ${members}
from monitors
where ${conditions.join('\n  and ')}
order by created_at, id
limit ${put(limit + 1)}`
  return { text, values }
}

/** The incidents of a workspace that run: as the monitors' states name them, and those made by hand. */
export function runningIncidentsOf(workspaceId: string): string {
  return `
  select i.*
  from monitors m
  join monitor_state s on s.monitor_key = m.key
  join incidents i on i.id = s.incident_id
  where m.workspace_id = ${workspaceId}
    and s.incident_id is not null
    and i.status <> 'resolved'
  union all
  select *
  from incidents
  where workspace_id = ${workspaceId}
    and status <> 'resolved'
    and by_hand`
}

const momentStatement = `
select floor(extract(epoch from statement_timestamp()) * 1000)::float8 as at, ${horizon} as horizon`

const standingStatement = `
with running as materialized (${runningIncidentsOf('$1')}
)
select
  ${newestIncidentsOf({ source: 'running', limit: shownIncidents })} as incidents,
  (
    select max(resolved_at)
    from (
      select resolved_at
      from incidents
      where workspace_id = $1
      order by started_at desc, id
      limit ${quietDepth}
    ) as newest
  ) as "quietSince"`
