import type { PostRecord, PostState } from '#core/status-pages/status-page.ts'
import type { Reader, Transaction } from '#store/database/database.ts'

/** A post that a person wrote, about an incident or on one page. */
export type Post = {
  id: string
  workspaceId: string
  incidentId: string | null
  pageId: string | null
  state: PostState | null
  title: string | null
  body: string
  postedAt: Date
  endsAt: Date | null
  author: string
  editedAt: Date | null
}

export type PostSubject = { incidentId: string } | { pageId: string }

const columns = [
  'id',
  'workspace_id as workspaceId',
  'incident_id as incidentId',
  'page_id as pageId',
  'state',
  'title',
  'body',
  'posted_at as postedAt',
  'ends_at as endsAt',
  'author',
  'edited_at as editedAt',
] as const

/** The newest first. */
export async function listPosts(
  { query }: Reader,
  { workspaceId, subject, limit }: { workspaceId: string; subject: PostSubject; limit: number },
): Promise<Post[]> {
  return query
    .selectFrom('status_posts')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .$if('incidentId' in subject, (posts) => posts.where('incident_id', '=', idOf(subject)))
    .$if('pageId' in subject, (posts) => posts.where('page_id', '=', idOf(subject)))
    .orderBy('posted_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .$castTo<Post>()
    .execute()
}

export async function findPost(
  { query }: Reader,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Post | null> {
  const post = await query
    .selectFrom('status_posts')
    .select(columns)
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .$castTo<Post>()
    .executeTakeFirst()
  return post ?? null
}

/** False, and nothing written, when its incident or page has `limit` posts. Transactions that add one take turns. */
export async function insertPost(tx: Transaction, post: Post, limit: number): Promise<boolean> {
  const [table, id] = post.incidentId === null ? ['status_pages', post.pageId] : ['incidents', post.incidentId]
  await tx.client.query(`select from ${table} where id = $1 for no key update`, [id])
  const counted = await tx.client.query<{ count: number }>(
    'select count(*)::integer as count from status_posts where incident_id = $1 or page_id = $1',
    [id],
  )
  if ((counted.rows[0]?.count ?? 0) >= limit) return false
  await tx.query
    .insertInto('status_posts')
    .values({ id: post.id, workspace_id: post.workspaceId, ...columnsOf(post), author: post.author })
    .execute()
  return true
}

export async function updatePost({ query }: Transaction, post: Post): Promise<void> {
  await query.updateTable('status_posts').set(columnsOf(post)).where('id', '=', post.id).execute()
}

export async function deletePost({ query }: Transaction, id: string): Promise<void> {
  await query.deleteFrom('status_posts').where('id', '=', id).execute()
}

export function toPostRecord(post: Post): PostRecord {
  return {
    id: post.id,
    incident_id: post.incidentId,
    page_id: post.pageId,
    state: post.state,
    title: post.title,
    body: post.body,
    posted_at: post.postedAt.toISOString(),
    ends_at: post.endsAt?.toISOString() ?? null,
    author: post.author,
    edited_at: post.editedAt?.toISOString() ?? null,
  }
}

function idOf(subject: PostSubject): string {
  return 'incidentId' in subject ? subject.incidentId : subject.pageId
}

function columnsOf(post: Post) {
  return {
    incident_id: post.incidentId,
    page_id: post.pageId,
    state: post.state,
    title: post.title,
    body: post.body,
    posted_at: post.postedAt,
    ends_at: post.endsAt,
    edited_at: post.editedAt,
  }
}
