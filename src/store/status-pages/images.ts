import type { ImageKind, PageImage } from '#core/status-pages/page-image.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import type { PageScope } from './status-pages.ts'

export type NewImage = PageImage & { kind: ImageKind; hash: string; alt: string }

/** In place of the one that is there. False when the page is gone, or goes meanwhile: its deletion is waited for. */
export async function putImage(
  { client }: Transaction,
  { workspaceId, id }: PageScope,
  image: NewImage,
): Promise<boolean> {
  const { kind, mediaType, width, height, alt, hash, bytes } = image
  const put = await client.query(
    `insert into status_page_images (page_id, kind, media_type, width, height, alt, hash, picture)
    select id, $3, $4, $5, $6, $7, $8, $9
    from status_pages
    where workspace_id = $1
      and id = $2
    for key share
    on conflict (page_id, kind) do update
    set media_type = excluded.media_type, width = excluded.width, height = excluded.height, alt = excluded.alt,
      hash = excluded.hash, picture = excluded.picture`,
    [workspaceId, id, kind, mediaType, width, height, alt, hash, Buffer.from(bytes)],
  )
  return put.rowCount === 1
}

/** False when there is none. */
export async function deleteImage(
  { client }: Transaction,
  { workspaceId, id }: PageScope,
  kind: ImageKind,
): Promise<boolean> {
  const deleted = await client.query(
    `delete from status_page_images i
    using status_pages p
    where p.workspace_id = $1
      and p.id = $2
      and i.page_id = p.id
      and i.kind = $3`,
    [workspaceId, id, kind],
  )
  return deleted.rowCount === 1
}

/** Null where the page has no such picture, or has it no more. */
export async function readPicture(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId, id }: PageScope,
  hash: string,
): Promise<Buffer<ArrayBuffer> | null> {
  const found = await pool.query<{ picture: Buffer<ArrayBuffer> }>({
    name: 'status_page_picture',
    text: `select i.picture
    from status_page_images i
    join status_pages p on p.id = i.page_id
    where p.workspace_id = $1
      and p.id = $2
      and i.hash = $3
    limit 1`,
    values: [workspaceId, id, hash],
  })
  return found.rows[0]?.picture ?? null
}
