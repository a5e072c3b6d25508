import type { Announcement, ReportedIncident } from '#core/status-pages/status-model.ts'
import type { PostState } from '#core/status-pages/status-page.ts'
import type { Database } from '#store/database/database.ts'
import { isInMaintenance } from '#store/maintenance/maintenance-cover.ts'

type Source = Pick<Database, 'planned'>

export type IncidentsRequest = {
  workspaceId: string
  monitorIds: readonly string[]
  state: 'running' | 'ended' | 'any'
  /** Bounds of when they began; `until` is not counted. */
  from: Date
  until: Date
  /** Bounds of when they ended. */
  endedFrom?: Date
  now: Date
  limit: number
}

/**
 * The incidents of these monitors, the newest first, each with its newest hundred posts. Incidents that lie within
 * planned maintenance are left out.
 */
export async function listIncidents({ planned }: Source, request: IncidentsRequest): Promise<ReportedIncident[]> {
  const { workspaceId, monitorIds, state, from, until, endedFrom = null, now, limit } = request
  const found = await planned.query<IncidentRow>({
    name: `status_incidents_${state}`,
    text: incidentsStatement(conditions[state]),
    values: [workspaceId, monitorIds, from, until, limit, now, ...(state === 'ended' ? [endedFrom] : [])],
  })
  return found.rows.map(({ posts, ...incident }) => Object.assign(incident, { posts: posts.map(toPost) }))
}

const conditions = {
  // Named so that the index of running incidents is seen to do.
  running: `and i.status <> 'resolved'`,
  ended: `and i.status = 'resolved' and ($7::timestamptz is null or i.resolved_at >= $7)`,
  any: '',
} as const

type PostRow = [id: string, state: PostState, body: string, postedAt: string, editedAt: string | null]
type IncidentRow = Omit<ReportedIncident, 'posts'> & { posts: PostRow[] }

function toPost([id, state, body, postedAt, editedAt]: PostRow): ReportedIncident['posts'][number] {
  return { id, state, body, postedAt: new Date(postedAt), editedAt: editedAt === null ? null : new Date(editedAt) }
}

export type AnnouncementsRequest = { pageId: string; from: Date; until: Date; limit: number }

/** Announcements that still stand on top, then the ones posted in a time; the newest first. */
export async function listAnnouncements({ planned }: Source, request: AnnouncementsRequest): Promise<Announcement[]> {
  const { pageId, from, until, limit } = request
  const found = await planned.query<Announcement>({
    name: 'status_announcements',
    text: announcementsStatement,
    values: [pageId, from, until, limit],
  })
  return found.rows
}

/** Announcements posted in a time, `until` not counted, the newest first. */
export async function listAnnouncementsOf(
  { planned }: Source,
  { pageId, from, until, limit }: AnnouncementsRequest,
): Promise<Announcement[]> {
  const found = await planned.query<Announcement>({
    name: 'status_announcements_of',
    text: `select ${announcementColumns}
    from status_posts
    where page_id = $1
      and posted_at >= $2
      and posted_at < $3
    order by posted_at desc, id
    limit $4`,
    values: [pageId, from, until, limit],
  })
  return found.rows
}

/** When the first of the page's incidents and announcements began; null when there are none. */
export async function findBeginning(
  { planned }: Source,
  { pageId, workspaceId, monitorIds }: { pageId: string; workspaceId: string; monitorIds: readonly string[] },
): Promise<Date | null> {
  const found = await planned.query<{ beginning: Date | null }>({
    name: 'status_beginning',
    text: beginningStatement,
    values: [pageId, workspaceId, monitorIds],
  })
  return found.rows[0]?.beginning ?? null
}

// A monitor at a time: of each the newest are read in the order of its index, however many there are.
function incidentsStatement(condition: string): string {
  return `
select
  i.id, i.monitor_id as "monitorId", i.started_at as "startedAt", i.resolved_at as "resolvedAt", i.by_hand as "byHand",
  to_json(array(
    select json_build_array(p.id, p.state, p.body, p.posted_at, p.edited_at)
    from status_posts p
    where p.incident_id = i.id
    order by p.posted_at desc, p.id
    limit 100
  )) as posts
from unnest($2::uuid[]) as wanted (monitor_id)
join monitors m on m.id = wanted.monitor_id
cross join lateral (
  select i.id, i.monitor_id, i.started_at, i.resolved_at, i.by_hand
  from incidents i
  where i.monitor_id = m.id
    and i.workspace_id = $1
    -- Of what no check has found, readers are told what was written for them, and nothing else.
    and (not i.by_hand or exists (select from status_posts p where p.incident_id = i.id))
    and i.started_at >= $3
    and i.started_at < $4
    ${condition}
    and not ${isInMaintenance('i.started_at', 'coalesce(i.resolved_at, $6)')}
  order by i.started_at desc
  limit $5
) as i
order by i.started_at desc, i.id
limit $5`
}

const announcementColumns = `
  id, title, body, posted_at as "postedAt", ends_at as "endsAt", edited_at as "editedAt"`

const announcementsStatement = `
select ${announcementColumns}
from status_posts
where page_id = $1
  and posted_at <= $3
  and (posted_at >= $2 or ends_at is null or ends_at > $3)
order by (ends_at is null or ends_at > $3) desc, posted_at desc, id
limit $4`

const beginningStatement = `
select least(
  (select min(posted_at) from status_posts where page_id = $1),
  (
    select min(first.started_at)
    from unnest($3::uuid[]) as wanted (monitor_id)
    cross join lateral (
      select started_at
      from incidents
      where monitor_id = wanted.monitor_id
        and workspace_id = $2
      order by started_at
      limit 1
    ) as first
  )
) as beginning`
