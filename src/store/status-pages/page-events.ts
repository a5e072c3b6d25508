import type { Occurrence } from '#core/maintenance.ts'
import type { StoredImage } from '#core/status-pages/page-image.ts'
import type { PostState, StatusEventType } from '#core/status-pages/status-page.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { addJobs } from '#store/database/job-queue.ts'
import { laneOf } from '#store/contacts/lanes.ts'
import { coverTimes, coversMonitor, within } from '#store/maintenance/maintenance-cover.ts'
import { type StatusPage, imageOf } from './status-pages.ts'
import type { Subscriber } from './subscribers.ts'

export const tellTask = 'tell_status'

/** graphile-worker waits e^attempt seconds, six hours at most: twelve tries take some 22 hours, as for other mail. */
const attempts = 12
/** Alerts go first: their readers can mend the trouble. */
const behindAlerts = 5
const subscribersAtOnce = 500
/** Subscribers of a page whose monitor flaps are not told more often; what waits longer than a day is not told. */
const toldPerHour = 20

/**
 * Whether subscribers are told of events on a page, as a condition; `pageId` is SQL. A draft tells none, not even
 * readers who subscribed before it became one.
 */
export function isTold(pageId: string): string {
  return `exists (
    select
    from status_pages told_page
    where told_page.id = ${pageId}
      and told_page.visibility <> 'draft'
  ) and exists (
    select
    from status_subscribers told
    where told.page_id = ${pageId}
      and told.confirmed_at is not null
  )`
}

/** Has subscribers told of a post: of its page, or of all pages with the monitor of its incident. */
export async function tellPost({ client }: Transaction, { postId, at }: { postId: string; at: Date }): Promise<void> {
  await client.query(
    `insert into status_events (id, page_id, type, post_id, at)
    select gen_random_uuid(), page.id, 'post', post.id, $2
    from status_posts post
    left join incidents incident on incident.id = post.incident_id
    join status_pages page on page.id = post.page_id or page.id in (
      select placed.page_id
      from status_monitors placed
      where placed.monitor_id = incident.monitor_id
    )
    where post.id = $1
      and page.workspace_id = post.workspace_id
      and ${isTold('page.id')}`,
    [postId, at],
  )
}

type Untold = { id: string; pageId: string; toldUntil: string | null; isStale: boolean }

/**
 * Takes the oldest event whose turn it is and adds a job for each of its next 500 subscribers. False when there was
 * none. Of an incident that is over already its end alone is told, of a maintenance what is so by then. An incident that
 * began in a maintenance is told when that is over, and not at all when it was over before.
 */
export async function fanOut(tx: Transaction, now: Date): Promise<boolean> {
  const found = await tx.client.query<Untold>(untoldStatement, [now, toldPerHour])
  const [event] = found.rows
  if (event === undefined) return false
  const next = event.isStale ? [] : await nextSubscribers(tx, event)
  await addJobs(
    tx,
    next.map(({ id, lane }) => ({
      task: tellTask,
      payload: { event_id: event.id, subscriber_id: id },
      key: `${tellTask}:${event.id}:${id}`,
      maxAttempts: attempts,
      priority: behindAlerts,
      lane,
    })),
  )
  await tx.client.query('update status_events set told_until = $2, told_at = $3 where id = $1', [
    event.id,
    next.at(-1)?.id ?? event.toldUntil,
    next.length < subscribersAtOnce ? now : null,
  ])
  return true
}

async function nextSubscribers(
  { client }: Transaction,
  { pageId, toldUntil }: Untold,
): Promise<{ id: string; lane: string }[]> {
  const found = await client.query<{ id: string; lane: string }>(
    `select id, ${laneOf('kind', 'destination')} as lane
    from status_subscribers
    where page_id = $1
      and confirmed_at is not null
      and ($2::uuid is null or id > $2)
    order by id
    limit $3`,
    [pageId, toldUntil, subscribersAtOnce],
  )
  return found.rows
}

/** The news for a subscriber; `name` is the monitor's on the page. */
export type Told = {
  type: StatusEventType
  at: Date
  /** `domain` is null until it is proven. */
  page: Pick<StatusPage, 'id' | 'slug' | 'title' | 'domain' | 'language'>
  /** Null where the page has none, or is not for everybody. */
  logo: StoredImage | null
  incident: { id: string; name: string; startedAt: Date; resolvedAt: Date | null } | null
  post: { id: string; state: PostState | null; title: string | null; body: string; postedAt: Date } | null
  /** `monitors`: those of the page that it covers, under its names for them; none when the window is gone. */
  maintenance: (Occurrence & { id: string; title: string; description: string; monitors: string[] }) | null
  subscriber: Pick<Subscriber, 'id' | 'kind' | 'destination' | 'signingSecret' | 'language' | 'timeZone'>
}

type ToldRow = {
  type: StatusEventType
  at: Date
  page: Told['page']
  logo: Told['logo']
  incident: { id: string; name: string; startedAt: string; resolvedAt: string | null } | null
  post: (Omit<NonNullable<Told['post']>, 'postedAt'> & { postedAt: string }) | null
  maintenance: (Omit<NonNullable<Told['maintenance']>, keyof Occurrence> & { startsAt: string; endsAt: string }) | null
  subscriberId: string
  kind: Subscriber['kind']
  destination: string
  signingSecret: Buffer | null
  language: Subscriber['language']
  timeZone: string
}

/**
 * Null when there is nothing to tell any more, or no subscriber: everything that an event is about may have been
 * deleted.
 */
export async function readTold(
  { pool }: Pick<Database, 'pool'>,
  { eventId, subscriberId }: { eventId: string; subscriberId: string },
): Promise<Told | null> {
  const found = await pool.query<ToldRow>({ name: 'read_told', text: toldStatement, values: [eventId, subscriberId] })
  const [row] = found.rows
  if (row === undefined) return null
  const { type, at, page, logo, incident, post, maintenance, kind, destination, signingSecret } = row
  return {
    type,
    at,
    page,
    logo,
    incident: incident && {
      ...incident,
      startedAt: new Date(incident.startedAt),
      resolvedAt: incident.resolvedAt === null ? null : new Date(incident.resolvedAt),
    },
    post: post && { ...post, postedAt: new Date(post.postedAt) },
    maintenance: maintenance && {
      ...maintenance,
      startsAt: new Date(maintenance.startsAt),
      endsAt: new Date(maintenance.endsAt),
    },
    subscriber: {
      id: row.subscriberId,
      kind,
      destination,
      signingSecret,
      language: row.language,
      timeZone: row.timeZone,
    },
  }
}

/** Removes what was told, or not, a month ago; at most 1,000 a call. Returns how many. */
export async function forgetEvents({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const removed = await pool.query(
    `delete from status_events
    where id in (
      select id
      from status_events
      where at < $1::timestamptz - interval '30 days'
      order by at
      limit 1000
      for update skip locked
    )`,
    [now],
  )
  return removed.rowCount ?? 0
}

const untoldStatement = `
select
  e.id, e.page_id as "pageId", e.told_until as "toldUntil",
  greatest(e.at, rest.until) < $1::timestamptz - interval '1 day'
    or (e.type = 'opened' and e.told_until is null and i.status = 'resolved')
    or (e.type = 'resolved' and coalesce(rest.until > i.resolved_at, false) and not exists (
      select
      from status_events opened
      where opened.page_id = e.page_id
        and opened.incident_id = e.incident_id
        and opened.type = 'opened'
        and opened.told_until is not null
    ))
    or (e.window_id is not null and e.told_until is null and exists (
      select
      from status_events later
      where later.page_id = e.page_id
        and later.window_id = e.window_id
        and later.starts_at = e.starts_at
        and later.at > e.at
    )) as "isStale"
from status_events e
left join incidents i on i.id = e.incident_id
left join monitors m on m.id = i.monitor_id
left join lateral (
  select max(least(o.ends_at, cover.until)) as until
  from maintenance_occurrences o
  join maintenance_windows w on w.key = o.window_key
  cross join lateral ${coverTimes('w')} as cover
  where o.starts_at <= i.started_at
    and o.ends_at > i.started_at
    and w.workspace_id = m.workspace_id
    and cover.since <= i.started_at
    and cover.until > i.started_at
) as rest on true
where e.told_at is null
  and not (e.type = 'opened' and i.status <> 'resolved' and coalesce(rest.until > $1, false))
  and (
    e.told_until is not null
    or (
      select count(*)
      from status_events earlier
      where earlier.page_id = e.page_id
        and earlier.told_until is not null
        and earlier.told_at > $1::timestamptz - interval '1 hour'
    ) < $2
    or greatest(e.at, rest.until) < $1::timestamptz - interval '1 day'
  )
order by e.at, e.id
limit 1
for update of e skip locked`

const toldStatement = `
select
  e.type, e.at,
  json_build_object('id', page.id, 'slug', page.slug, 'title', page.title, 'language', page.language, 'domain', case when page.domain_proven_at is not null then page.domain end)
    as page,
  case when page.visibility = 'public' then ${imageOf('page', 'logo')} end as logo,
  case when i.id is not null then json_build_object(
    'id', i.id, 'name', coalesce(placed.name, m.name), 'startedAt', i.started_at, 'resolvedAt', i.resolved_at
  ) end as incident,
  case when post.id is not null then json_build_object(
    'id', post.id, 'state', post.state, 'title', post.title, 'body', post.body, 'postedAt', post.posted_at
  ) end as post,
  case when e.window_id is not null then json_build_object(
    'id', e.window_id, 'title', e.title, 'description', coalesce(w.description, ''),
    'startsAt', e.starts_at, 'endsAt', e.ends_at, 'monitors', array(
      select coalesce(covered.name, m.name)
      from status_monitors covered
      join monitors m on m.id = covered.monitor_id
      where covered.page_id = page.id
        and m.workspace_id = w.workspace_id
        and ${coversMonitor('w', within('e.starts_at', 'e.ends_at'))}
      order by covered.section, covered.position, m.created_at, m.id
    )
  ) end as maintenance,
  s.id as "subscriberId", s.kind, s.destination, s.signing_secret as "signingSecret", s.language,
  s.time_zone as "timeZone"
from status_events e
join status_pages page on page.id = e.page_id and page.visibility <> 'draft'
join status_subscribers s on s.page_id = page.id and s.id = $2 and s.confirmed_at is not null
left join status_posts post on post.id = e.post_id
left join maintenance_windows w on w.id = e.window_id and w.workspace_id = page.workspace_id
left join incidents i on i.id = coalesce(e.incident_id, post.incident_id)
left join status_monitors placed on placed.page_id = page.id and placed.monitor_id = i.monitor_id
left join monitors m on m.id = placed.monitor_id
where e.id = $1
  and (i.id is null or m.id is not null)`
