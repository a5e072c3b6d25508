// What stands in the database at a point of growth, written by SQL and not by requests.
import type { PoolClient } from 'pg'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { addYears } from '../history-data.ts'
import { addPage } from '../status.ts'
import { addMonitors, type Seed } from './installation.ts'

export const dimensions = ['monitors', 'days', 'workspaces', 'locations'] as const
export type Dimension = (typeof dimensions)[number]

/**
 * `monitors` are those of the workspace that is asked. Each other workspace has one monitor. `days` have ended, and the
 * one that runs comes on top.
 */
export type Point = Record<Dimension, number>
export const usual: Point = { monitors: 1_000, days: 90, workspaces: 1, locations: 1 }

/** The same at each point: then what is measured is the cost of a check beside more of everything, not of more checks. */
export const resultsPerSecond = 100
export const failingMonitors = 20
export const failingIntervalSeconds = 10
/** Each is asked for once, because a page that was made is kept. */
export const statusPages = 60
const monitorsOfPage = 50
/** Answers read the results of a day and the rollups of all: results of more days would only make the files larger. */
const resultDays = 7

export function isDimension(name: string): name is Dimension {
  return dimensions.some((dimension) => dimension === name)
}

export function locationCodes({ locations }: Point): string[] {
  return Array.from({ length: locations }, (_, index) => (index === 0 ? 'local' : `place-${index + 1}`))
}

export type Targets = {
  urls: readonly string[]
  /** The root of the addresses of monitors that fail when they are told to; a monitor's number follows it. */
  failingUrl: string
}

/** The ids of the monitors of the workspace that is asked. */
export async function addWorld(seed: Seed, point: Point, targets: Targets): Promise<string[]> {
  const { database } = seed
  const others = point.workspaces - 1
  const ids = await addMonitors(seed, point.monitors + others, settingsOf(point, targets))
  if (others > 0) await database.pool.query(otherWorkspaces, [seed.workspaceId, others])
  await addYears(database, new Date(), { days: point.days + 1, resultDays: Math.min(resultDays, point.days + 1) })
  await withoutLimit(database, async (client) => {
    await client.query('update monitors set created_at = now() - make_interval(days => $1)', [point.days])
    await client.query(gatheredMonths, [new Date(Date.now() - dayMs)])
    await client.query('vacuum analyze monitors, uptime_months')
  })
  const own = ids.slice(0, point.monitors)
  for (let page = 0; page < statusPages; page += 1)
    await addPage(seed, { slug: `page-${page}`, history: 'whole', ids: own.slice(0, monitorsOfPage) })
  return own
}

function settingsOf(point: Point, { urls, failingUrl }: Targets): Parameters<typeof addMonitors>[2] {
  const results = (point.monitors + point.workspaces - 1) * point.locations
  const chosen = { locations: locationCodes(point), confirmation_threshold: 1, failure_threshold: 1 }
  return (index) => ({
    ...chosen,
    name: `Monitor ${index}`,
    expected_status_max: 299,
    ...(index < failingMonitors
      ? { url: `${failingUrl}/${index}`, interval_seconds: failingIntervalSeconds }
      : {
          url: urls[index % urls.length] ?? null,
          interval_seconds: Math.max(1, Math.round(results / resultsPerSecond)),
        }),
  })
}

/** Statements over the history of 100,000 monitors take minutes. */
async function withoutLimit({ pool }: Database, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await work(client)
  } finally {
    client.release(true)
  }
}

const otherWorkspaces = `
with made as (
  insert into workspaces (id, name, plan)
  select gen_random_uuid(), 'Other ' || n, plan
  from workspaces
  cross join generate_series(1, $2::integer) as n
  where id = $1
  returning id
), placed as (
  select id, row_number() over () as place from made
), last as (
  select id, row_number() over (order by key desc) as place from monitors
)
update monitors m
set workspace_id = placed.id
from placed
join last using (place)
where m.id = last.id`

/** `addYears` leaves ended months as the job does that gathers them: it finds none to do. */
const gatheredMonths = `
insert into gathered_months (month, next_key)
select month::date, null
from (select date_trunc('month', min(created_at)) as first from monitors) as oldest
cross join generate_series(first, date_trunc('month', $1::timestamptz) - interval '1 month', interval '1 month') as month
on conflict do nothing`
