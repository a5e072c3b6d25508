import { type PlannedMaintenance, announcedDays } from '#core/status-pages/status-model.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { coversMonitor, coversPage, longestDays, within } from './maintenance-cover.ts'

type Source = Pick<Database, 'planned'>
type Page = { pageId: string; workspaceId: string }

/** The next few times of a window that takes place every hour are enough. */
const maxOfWindow = 3
const maxShown = 20
const maxOfMonth = 200

/**
 * Maintenance that is under way on the monitors of a page or begins within seven days: the earliest first, 20 at most.
 */
export function listNotices(source: Source, { now, ...page }: Page & { now: Date }): Promise<PlannedMaintenance[]> {
  return read(source, page, {
    startsFrom: new Date(now.getTime() - longestDays * dayMs),
    startsBefore: new Date(now.getTime() + announcedDays * dayMs),
    endsAfter: now,
    endsUntil: null,
    ofWindow: maxOfWindow,
    limit: maxShown,
  })
}

export type PastRequest = Page & { from: Date; until: Date; now: Date }

/** Maintenance that began in a time, `until` not counted, and is over: the earliest first, 200 at most. */
export function listPastMaintenance(
  source: Source,
  { from, until, now, ...page }: PastRequest,
): Promise<PlannedMaintenance[]> {
  return read(source, page, {
    startsFrom: from,
    startsBefore: until,
    endsAfter: from,
    endsUntil: now,
    ofWindow: maxOfMonth,
    limit: maxOfMonth,
  })
}

/** When the first maintenance of a page's monitors that is over began; null when there was none. */
export async function findFirstMaintenance(
  { planned }: Source,
  { pageId, workspaceId, now }: Page & { now: Date },
): Promise<Date | null> {
  const found = await planned.query<{ first: Date | null }>({
    name: 'first_maintenance',
    text: firstStatement,
    values: [pageId, workspaceId, now],
  })
  return found.rows[0]?.first ?? null
}

type Wanted = {
  startsFrom: Date
  startsBefore: Date
  endsAfter: Date
  endsUntil: Date | null
  ofWindow: number
  limit: number
}

async function read(
  { planned }: Source,
  { pageId, workspaceId }: Page,
  { startsFrom, startsBefore, endsAfter, endsUntil, ofWindow, limit }: Wanted,
): Promise<PlannedMaintenance[]> {
  const found = await planned.query<PlannedMaintenance>({
    name: 'maintenance_notices',
    text: noticesStatement,
    values: [pageId, workspaceId, startsFrom, startsBefore, endsAfter, endsUntil, ofWindow, limit],
  })
  return found.rows
}

// The limit comes before the names: they are read of what is shown alone. A monitor that lost the tag by which a window
// covers it is named where it was covered before, and not where the window is still under way.
const noticesStatement = `
select
  shown.id, shown.name as title, coalesce(shown.description, '') as description,
  shown.starts_at as "startsAt", shown.ends_at as "endsAt", shown.created_at as "createdAt",
  array(
    select coalesce(placed.name, m.name)
    from (select shown.key, shown.covers_all) as w,
    status_monitors placed
    join monitors m on m.id = placed.monitor_id
    where placed.page_id = $1
      and m.workspace_id = $2
      and ${coversMonitor('w', within('greatest(shown.starts_at, $5)', 'shown.ends_at'))}
    order by placed.section, placed.position, m.created_at, m.id
  ) as monitors
from (
  select w.id, w.key, w.name, w.description, w.covers_all, w.created_at, o.starts_at, o.ends_at
  from maintenance_windows w
  cross join lateral (
    select starts_at, ends_at
    from maintenance_occurrences
    where window_key = w.key
      and starts_at >= $3
      and starts_at < $4
      and ends_at > $5
      and ($6::timestamptz is null or ends_at <= $6)
    order by starts_at
    limit $7
  ) as o
  where w.workspace_id = $2
    and ${coversPage('w', '$1', within('greatest(o.starts_at, $5)', 'o.ends_at'))}
  order by o.starts_at, w.id
  limit $8
) as shown
order by shown.starts_at, shown.id`

const firstStatement = `
select min(o.starts_at) as first
from maintenance_windows w
cross join lateral (
  select first.starts_at
  from maintenance_occurrences first
  where first.window_key = w.key
    and first.ends_at <= $3
    and ${coversPage('w', '$1', within('first.starts_at', 'first.ends_at'))}
  order by first.starts_at
  limit 1
) as o
where w.workspace_id = $2
  and ${coversPage('w', '$1', 'true')}`
