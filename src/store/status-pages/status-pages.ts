import { sql } from 'kysely'
import type { ImageKind, StoredImage } from '#core/status-pages/page-image.ts'
import type { StatusPageRecord } from '#core/status-pages/status-page.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'

/** A page without what stands on it. */
export type StatusPage = Pick<
  StatusPageRecord,
  | 'id'
  | 'slug'
  | 'title'
  | 'description'
  | 'homepage'
  | 'domain'
  | 'language'
  | 'theme'
  | 'accent'
  | 'layout'
  | 'history'
  | 'visibility'
  | 'tags'
  | 'monitor_tags'
> & {
  workspaceId: string
  responseCharts: boolean
  passwordHash: string | null
  createdAt: Date
  /** Since when the domain is known to be the workspace's own; null where it is not, or there is none. */
  domainProvenAt: Date | null
  /** `images.ts` has their bytes, and changes them. */
  logo: StoredImage | null
  favicon: StoredImage | null
}

export type Section = { name: string; monitors: readonly { monitorId: string; name: string | null }[] }

type StoredSection = StatusPageRecord['sections'][number]

/** `tagged`: how many monitors are on the page by a tag. */
export type ListedPage = StatusPage & { sections: StoredSection[]; tagged: number; subscribers: number }

export type PageScope = { workspaceId: string; id: string }

const maxListed = 1000

/** The oldest first, with what stands on them. */
export async function listStatusPages({ pool }: Pick<Database, 'pool'>, workspaceId: string): Promise<ListedPage[]> {
  const found = await pool.query<ListedPage>(`${listStatement} order by p.created_at, p.id limit ${maxListed}`, [
    workspaceId,
  ])
  return found.rows
}

export async function findStatusPage(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, id }: PageScope,
): Promise<ListedPage | null> {
  const found = await pool.query<ListedPage>(`${listStatement} and p.id = $2`, [workspaceId, id])
  return found.rows[0] ?? null
}

/** Finds a page for a reader: by the end of its address, or by its own, proven domain. Null when there is none. */
export async function findPageAt(
  { pool }: Pick<Database, 'pool'>,
  at: { slug: string } | { domain: string },
): Promise<StatusPage | null> {
  const bySlug = { name: 'status_page_by_slug', condition: 'p.slug = $1' }
  const byDomain = { name: 'status_page_by_domain', condition: 'p.domain = $1 and p.domain_proven_at is not null' }
  const { name, condition } = 'slug' in at ? bySlug : byDomain
  const found = await pool.query<StatusPage>({
    name,
    text: `select ${pageColumns} from status_pages p where ${condition}`,
    values: ['slug' in at ? at.slug : at.domain],
  })
  return found.rows[0] ?? null
}

/** Null when the page is gone. */
export async function readSlug({ query }: Reader, id: string): Promise<string | null> {
  const row = await query.selectFrom('status_pages').select('slug').where('id', '=', id).executeTakeFirst()
  return row?.slug ?? null
}

/** No other transaction takes a slug or a domain until this one ends. */
export async function lockPages({ client }: Transaction): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtext('status pages'))`)
}

/**
 * Which of these already belong to another page. A domain of another workspace does so once it is proven. No other
 * transaction takes one until this one ends.
 */
export async function findTaken(
  tx: Transaction,
  {
    slug,
    domain,
    workspaceId,
    exceptId,
  }: Pick<StatusPage, 'slug' | 'domain' | 'workspaceId'> & { exceptId: string | null },
): Promise<('slug' | 'domain')[]> {
  await lockPages(tx)
  const rows = await tx.query
    .selectFrom('status_pages')
    .select(['slug', 'domain'])
    .where((of) =>
      of.or([
        of('slug', '=', slug),
        of.and([
          of('domain', '=', domain),
          of.or([of('domain_proven_at', 'is not', null), of('workspace_id', '=', workspaceId)]),
        ]),
      ]),
    )
    .$if(exceptId !== null, (found) => found.where('id', '<>', exceptId))
    .limit(3)
    .execute()
  return [
    ...(rows.some((row) => row.slug === slug) ? ['slug' as const] : []),
    ...(domain !== null && rows.some((row) => row.domain === domain) ? ['domain' as const] : []),
  ]
}

/** How many pages a workspace has. Transactions that add one take turns until the end. */
export async function countPages(tx: Transaction, workspaceId: string): Promise<number> {
  await lockWorkspace(tx, workspaceId)
  const { count } = await tx.query
    .selectFrom('status_pages')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertStatusPage({ query }: Transaction, page: StatusPage): Promise<void> {
  await query
    .insertInto('status_pages')
    .values({
      id: page.id,
      workspace_id: page.workspaceId,
      ...columnsOf(page),
      // Not the transaction's start: pages that waited for their turn come after the one they waited for.
      created_at: sql<Date>`clock_timestamp()`,
    })
    .execute()
}

/** Held until the transaction ends, so that changes of one page take turns. Null when it is gone. */
export async function lockStatusPage(
  { client }: Transaction,
  { workspaceId, id }: PageScope,
): Promise<StatusPage | null> {
  const found = await client.query<StatusPage>(
    `select ${pageColumns} from status_pages p where p.workspace_id = $1 and p.id = $2 for no key update`,
    [workspaceId, id],
  )
  return found.rows[0] ?? null
}

export async function updateStatusPage({ query }: Transaction, page: StatusPage): Promise<void> {
  await query.updateTable('status_pages').set(columnsOf(page)).where('id', '=', page.id).execute()
}

/** Replaces all sections of the page. A monitor that leaves them stays on the page where a tag puts it there. */
export async function replaceSections(
  { client }: Transaction,
  { pageId, sections }: { pageId: string; sections: readonly Section[] },
): Promise<void> {
  await client.query('delete from status_sections where page_id = $1', [pageId])
  await client.query(
    `insert into status_sections (page_id, position, name)
    select $1, place - 1, name
    from unnest($2::text[]) with ordinality as section (name, place)`,
    [pageId, sections.map(({ name }) => name)],
  )
  const monitors = sections.flatMap((section, index) =>
    section.monitors.map((monitor, position) => ({ ...monitor, section: index, position })),
  )
  await client.query(
    `insert into status_monitors (page_id, monitor_id, section, position, name)
    select $1, monitor_id, section, position, name
    from unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::text[]) as m (monitor_id, section, position, name)
    on conflict (page_id, monitor_id) do update
    set section = excluded.section, position = excluded.position, name = excluded.name`,
    [
      pageId,
      monitors.map(({ monitorId }) => monitorId),
      monitors.map(({ section }) => section),
      monitors.map(({ position }) => position),
      monitors.map(({ name }) => name),
    ],
  )
  await client.query('select place_tagged_monitors($1)', [pageId])
}

/** Which of these are monitors of the workspace; they stay so until the transaction ends. */
export async function holdMonitors(
  { client }: Transaction,
  { workspaceId, monitorIds }: { workspaceId: string; monitorIds: readonly string[] },
): Promise<Set<string>> {
  const found = await client.query<{ id: string }>(
    'select id from monitors where workspace_id = $1 and id = any($2::uuid[]) order by id for key share',
    [workspaceId, monitorIds],
  )
  return new Set(found.rows.map(({ id }) => id))
}

export async function deleteStatusPage({ query }: Transaction, { workspaceId, id }: PageScope): Promise<boolean> {
  const deleted = await query
    .deleteFrom('status_pages')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

function columnsOf(page: StatusPage) {
  return {
    slug: page.slug,
    domain: page.domain,
    domain_proven_at: page.domainProvenAt,
    title: page.title,
    description: page.description,
    homepage: page.homepage,
    language: page.language,
    theme: page.theme,
    accent: page.accent,
    layout: page.layout,
    history: page.history,
    response_charts: page.responseCharts,
    visibility: page.visibility,
    tags: page.tags,
    monitor_tags: page.monitor_tags,
    password_hash: page.passwordHash,
  }
}

/** What is known of a picture of a page, whose alias is `page`, as SQL; null without one. */
export function imageOf(page: string, kind: ImageKind): string {
  return `(
    select json_build_object(
      'hash', i.hash, 'mediaType', i.media_type, 'width', i.width, 'height', i.height,
      'size', octet_length(i.picture), 'alt', i.alt
    )
    from status_page_images i
    where i.page_id = ${page}.id
      and i.kind = '${kind}'
  )`
}

const pageColumns = `
  p.id, p.workspace_id as "workspaceId", p.slug, p.domain, p.domain_proven_at as "domainProvenAt", p.title,
  p.description, p.homepage, p.language, p.theme, p.accent, p.layout, p.history,
  ${imageOf('p', 'logo')} as logo, ${imageOf('p', 'favicon')} as favicon,
  p.response_charts as "responseCharts", p.visibility, p.tags, p.monitor_tags, p.password_hash as "passwordHash", p.created_at as "createdAt"`

const listStatement = `
select
  ${pageColumns},
  to_json(array(
    select json_build_object('name', s.name, 'monitors', array(
      select json_build_object('monitor_id', m.id, 'monitor_name', m.name, 'name', placed.name)
      from status_monitors placed
      join monitors m on m.id = placed.monitor_id
      where placed.page_id = p.id
        and placed.section = s.position
      order by placed.position
    ))
    from status_sections s
    where s.page_id = p.id
    order by s.position
  )) as sections,
  (
    select count(*)::integer
    from status_monitors placed
    where placed.page_id = p.id
      and placed.section is null
  ) as tagged,
  (
    select count(*)::integer
    from status_subscribers subscriber
    where subscriber.page_id = p.id
      and subscriber.confirmed_at is not null
  ) as subscribers
from status_pages p
where p.workspace_id = $1`
