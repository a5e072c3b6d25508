import { announcedAheadMs, type MaintenanceCourse, type MaintenanceStep } from '#core/maintenance-news.ts'
import type { MaintenanceNews } from '#core/status-pages/status-model.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { coversPage, longestDays } from '#store/maintenance/maintenance-cover.ts'

/**
 * Announces what is near, and what has begun and was not announced: of each window the next time alone, so that one of
 * every hour is not told a day's worth at once. Returns how many. What is announced meanwhile by others is left to them.
 */
export async function announceMaintenance({ pool }: Pick<Database, 'pool'>, now: Date, limit: number): Promise<number> {
  const announced = await pool.query({
    name: 'announce_maintenance',
    text: announceStatement,
    values: [now, new Date(now.getTime() + announcedAheadMs), new Date(now.getTime() - longestDays * dayMs), limit],
  })
  return announced.rowCount ?? 0
}

/** What a page told about one time of a window that has changed since. */
export type DueCourse = MaintenanceCourse & { pageId: string; windowId: string; title: string }

type DueRow = Pick<DueCourse, 'pageId' | 'windowId' | 'title' | 'told'> & {
  startsAt: Date
  endsAt: Date
  presentEndsAt: Date | null
  nextStartsAt: Date | null
  nextEndsAt: Date | null
}

/** The earliest ones, held until the transaction ends; rows that another process holds are left out. */
export async function holdDueCourses({ client }: Transaction, now: Date, limit: number): Promise<DueCourse[]> {
  const found = await client.query<DueRow>(dueStatement, [now, limit])
  return found.rows.map(
    ({ pageId, windowId, title, told, startsAt, endsAt, presentEndsAt, nextStartsAt, nextEndsAt }) => ({
      pageId,
      windowId,
      title,
      told,
      known: { startsAt, endsAt },
      present: presentEndsAt && { startsAt, endsAt: presentEndsAt },
      next: nextStartsAt && nextEndsAt && { startsAt: nextStartsAt, endsAt: nextEndsAt },
    }),
  )
}

/** Puts down what is told of a course under `holdDueCourses`; of a draft nothing is. */
export async function takeStep(
  { client }: Transaction,
  course: DueCourse,
  { step, now }: { step: MaintenanceStep; now: Date },
): Promise<void> {
  const { pageId, windowId, title, known } = course
  const { startsAt, endsAt } = step.occurrence
  await client.query('delete from status_maintenance where page_id = $1 and window_id = $2 and starts_at = $3', [
    pageId,
    windowId,
    known.startsAt,
  ])
  if (step.told !== null)
    await client.query(
      `insert into status_maintenance (page_id, window_id, title, starts_at, ends_at, told)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (page_id, window_id, starts_at) do nothing`,
      [pageId, windowId, title, startsAt, endsAt, step.told],
    )
  await client.query(
    `insert into status_events (id, page_id, type, window_id, title, starts_at, ends_at, at)
    select gen_random_uuid(), id, $2, $3, $4, $5, $6, $7
    from status_pages
    where id = $1
      and visibility <> 'draft'`,
    [pageId, `maintenance_${step.type}`, windowId, title, startsAt, endsAt, now],
  )
}

/** Removes what was over a day before; at most `limit`. Returns how many. */
export async function forgetCourses({ pool }: Pick<Database, 'pool'>, now: Date, limit: number): Promise<number> {
  const removed = await pool.query(
    `delete from status_maintenance
    where (page_id, window_id, starts_at) in (
      select page_id, window_id, starts_at
      from status_maintenance
      where told = 'ended'
        and ends_at < $1::timestamptz - interval '1 day'
      order by ends_at
      limit $2
      for update skip locked
    )`,
    [now, limit],
  )
  return removed.rowCount ?? 0
}

/** News of maintenance on a page since a time, the newest first: how it went, not that it was planned. */
export async function listMaintenanceNews(
  { planned }: Pick<Database, 'planned'>,
  { pageId, from, limit }: { pageId: string; from: Date; limit: number },
): Promise<MaintenanceNews[]> {
  const found = await planned.query<MaintenanceNews>({
    name: 'status_maintenance_news',
    text: `
    select
      id, substr(type, length('maintenance_') + 1) as type, window_id as "windowId", title,
      starts_at as "startsAt", ends_at as "endsAt", at
    from status_events
    where page_id = $1
      and window_id is not null
      and type <> 'maintenance_planned'
      and at >= $2
    order by at desc, id
    limit $3`,
    values: [pageId, from, limit],
  })
  return found.rows
}

const announceStatement = `
with near as (
  select page.id as page_id, w.id as window_id, w.name as title, o.starts_at, o.ends_at
  from status_pages page
  join maintenance_windows w on w.workspace_id = page.workspace_id
  join maintenance_occurrences o on o.window_key = w.key
  where page.visibility <> 'draft'
    and o.starts_at > $3
    and o.ends_at > $1
    and (o.starts_at <= $1 or o.starts_at <= $2 and o.starts_at = (
      select min(starts_at)
      from maintenance_occurrences
      where window_key = w.key
        and starts_at > $1
    ))
    and ${coversPage('w', 'page.id')}
    and not exists (
      select
      from status_maintenance known
      where known.page_id = page.id
        and known.window_id = w.id
        and known.starts_at = o.starts_at
    )
    -- Another time in place of one that was announced is told as a change.
    and not exists (
      select
      from status_maintenance moved
      where moved.page_id = page.id
        and moved.window_id = w.id
        and moved.told <> 'ended'
        and not exists (
          select
          from maintenance_occurrences
          where window_key = w.key
            and starts_at = moved.starts_at
        )
    )
  order by o.starts_at, w.id, page.id
  limit $4
), announced as (
  insert into status_maintenance (page_id, window_id, title, starts_at, ends_at, told)
  select page_id, window_id, title, starts_at, ends_at, case when starts_at <= $1 then 'begun' else 'planned' end
  from near
  on conflict (page_id, window_id, starts_at) do nothing
  returning *
)
insert into status_events (id, page_id, type, window_id, title, starts_at, ends_at, at)
select gen_random_uuid(), page_id, 'maintenance_' || told, window_id, title, starts_at, ends_at, $1
from announced`

const dueStatement = `
select
  known.page_id as "pageId", known.window_id as "windowId", coalesce(w.name, known.title) as title, known.told,
  known.starts_at as "startsAt", known.ends_at as "endsAt", present.ends_at as "presentEndsAt",
  next.starts_at as "nextStartsAt", next.ends_at as "nextEndsAt"
from status_maintenance known
left join maintenance_windows w on w.id = known.window_id and ${coversPage('w', 'known.page_id')}
left join maintenance_occurrences present on present.window_key = w.key and present.starts_at = known.starts_at
left join lateral (
  select o.starts_at, o.ends_at
  from maintenance_occurrences o
  where o.window_key = w.key
    and o.ends_at > $1
    and not exists (
      select
      from status_maintenance other
      where other.page_id = known.page_id
        and other.window_id = known.window_id
        and other.starts_at = o.starts_at
    )
  order by o.starts_at
  limit 1
) as next on present.starts_at is null
where known.told <> 'ended'
  and (
    present.starts_at is null
    or present.ends_at <> known.ends_at
    or present.ends_at <= $1
    or (known.told = 'planned' and known.starts_at <= $1)
  )
order by known.starts_at, known.window_id, known.page_id
limit $2
for update of known skip locked`
