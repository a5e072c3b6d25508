import type { Reader, Transaction } from '#store/database/database.ts'

export type Author = { kind: string; id: string | null; name: string }
export type StoredComment = { id: string; author: Author; body: string; createdAt: Date; editedAt: Date | null }

type Scope = { workspaceId: string; incidentId: string }

/** Oldest first. The caller has looked the incident up in its workspace. */
export async function listComments(reader: Reader, incidentId: string, limit: number): Promise<StoredComment[]> {
  const rows = await selectComments(reader)
    .where('incident_id', '=', incidentId)
    .orderBy('created_at')
    .orderBy('incident_comments.id')
    .limit(limit)
    .execute()
  return rows.map(toComment)
}

export async function findComment(
  reader: Reader,
  { workspaceId, incidentId, id }: Scope & { id: string },
): Promise<StoredComment | null> {
  const row = await selectComments(reader)
    .innerJoin('incidents', 'incidents.id', 'incident_comments.incident_id')
    .where('incidents.workspace_id', '=', workspaceId)
    .where('incident_id', '=', incidentId)
    .where('incident_comments.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : toComment(row)
}

/** False, and nothing written, when the incident has `limit` comments. Transactions that add one take turns. */
export async function insertComment(
  tx: Transaction,
  incidentId: string,
  { comment, limit }: { comment: StoredComment; limit: number },
): Promise<boolean> {
  await tx.client.query('select from incidents where id = $1 for no key update', [incidentId])
  const counted = await tx.client.query<{ count: number }>(
    'select count(*)::integer as count from incident_comments where incident_id = $1',
    [incidentId],
  )
  if ((counted.rows[0]?.count ?? 0) >= limit) return false
  const { id, author, body, createdAt } = comment
  await tx.query
    .insertInto('incident_comments')
    .values({
      id,
      incident_id: incidentId,
      author: author.name,
      author_kind: author.kind,
      author_id: author.id,
      body,
      created_at: createdAt,
    })
    .execute()
  return true
}

export async function updateComment(
  { query }: Transaction,
  { id, body, at }: { id: string; body: string; at: Date },
): Promise<void> {
  await query.updateTable('incident_comments').set({ body, edited_at: at }).where('id', '=', id).execute()
}

export async function deleteComment({ query }: Transaction, id: string): Promise<void> {
  await query.deleteFrom('incident_comments').where('id', '=', id).execute()
}

function selectComments(reader: Reader) {
  return reader.query
    .selectFrom('incident_comments')
    .select(['incident_comments.id', 'author', 'author_kind', 'author_id', 'body', 'created_at', 'edited_at'])
}

type Row = {
  id: string
  author: string
  author_kind: string
  author_id: string | null
  body: string
  created_at: Date
  edited_at: Date | null
}

function toComment({ id, author, author_kind, author_id, body, created_at, edited_at }: Row): StoredComment {
  return {
    id,
    author: { kind: author_kind, id: author_id, name: author },
    body,
    createdAt: created_at,
    editedAt: edited_at,
  }
}
