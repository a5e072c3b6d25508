import { sql } from 'kysely'
import type { PageLanguage } from '#core/status-pages/page-languages.ts'
import type { SubscriberRecord } from '#core/status-pages/status-page.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'

export type Subscriber = {
  id: string
  pageId: string
  kind: SubscriberRecord['kind']
  destination: string
  /** Encrypted; null for kinds that are not signed. */
  signingSecret: Buffer | null
  /** In which mails are written, with their times in `timeZone`; messages to programs have neither. */
  language: PageLanguage
  timeZone: string
  confirmedAt: Date | null
  createdAt: Date
}

const columns = [
  'id',
  'page_id as pageId',
  'kind',
  'destination',
  'signing_secret as signingSecret',
  'language',
  'time_zone as timeZone',
  'confirmed_at as confirmedAt',
  'created_at as createdAt',
] as const

/** Messages in a row that were refused for good, after which nothing more is sent. */
const maxRefusals = 5

/** The newest first. The caller has looked the page up in its workspace. */
export async function listSubscribers(
  { query }: Reader,
  { pageId, limit }: { pageId: string; limit: number },
): Promise<Subscriber[]> {
  return query
    .selectFrom('status_subscribers')
    .select(columns)
    .where('page_id', '=', pageId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .$castTo<Subscriber>()
    .execute()
}

/** For `find` of an operation: of a page of this workspace. */
export async function findSubscriber(
  { query }: Reader,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Subscriber | null> {
  const found = await query
    .selectFrom('status_subscribers')
    .innerJoin('status_pages', 'status_pages.id', 'status_subscribers.page_id')
    .select(columns.map((column) => `status_subscribers.${column}` as const))
    .where('status_subscribers.id', '=', id)
    .where('status_pages.workspace_id', '=', workspaceId)
    .$castTo<Subscriber>()
    .executeTakeFirst()
  return found ?? null
}

/** For a caller with a signed link to it, or a job. */
export async function findLinkedSubscriber({ query }: Reader, id: string): Promise<Subscriber | null> {
  const found = await query
    .selectFrom('status_subscribers')
    .select(columns)
    .where('id', '=', id)
    .$castTo<Subscriber>()
    .executeTakeFirst()
  return found ?? null
}

/** `full`: the page has as many as it can. `present`: this destination is among them, and stays as it is. */
export type Subscribing = { outcome: 'added' | 'present'; subscriber: Subscriber } | { outcome: 'full' }

/** English and UTC where nothing else is said. */
export type NewSubscriber = Omit<Subscriber, 'language' | 'timeZone'> &
  Partial<Pick<Subscriber, 'language' | 'timeZone'>> & { expiresAt: Date | null }

/**
 * Adds one, or finds who has the destination. One that did not confirm has until `expiresAt` again, and the language that
 * it asked in last.
 */
export async function addSubscriber(tx: Transaction, subscriber: NewSubscriber, limit: number): Promise<Subscribing> {
  const { id, pageId, kind, destination, signingSecret, confirmedAt, expiresAt, createdAt } = subscriber
  const { language = 'en', timeZone = 'UTC' } = subscriber
  await tx.client.query('select from status_pages where id = $1 for no key update', [pageId])
  const [present] = await tx.query
    .updateTable('status_subscribers')
    .set({
      confirmation_expires_at: sql`case when confirmed_at is null then ${expiresAt}::timestamptz end`,
      // Anybody can type an address that is confirmed, and changes nothing of it.
      language: sql`case when confirmed_at is null then ${language}::text else language end`,
      time_zone: sql`case when confirmed_at is null then ${timeZone}::text else time_zone end`,
    })
    .where('page_id', '=', pageId)
    .where('kind', '=', kind)
    .where(sql`lower(destination)`, '=', destination.toLowerCase())
    .returning(columns)
    .$castTo<Subscriber>()
    .execute()
  if (present !== undefined) return { outcome: 'present', subscriber: present }
  const { count } = await tx.query
    .selectFrom('status_subscribers')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('page_id', '=', pageId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= limit) return { outcome: 'full' }
  await tx.query
    .insertInto('status_subscribers')
    .values({
      id,
      page_id: pageId,
      kind,
      destination,
      signing_secret: signingSecret,
      language,
      time_zone: timeZone,
      confirmed_at: confirmedAt,
      confirmation_expires_at: expiresAt,
      created_at: createdAt,
    })
    .execute()
  const added = { id, pageId, kind, destination, signingSecret, language, timeZone, confirmedAt, createdAt }
  return { outcome: 'added', subscriber: added }
}

/** Uses a confirmation link up. False when it is over, or was used before. */
export async function confirmSubscriber(
  { query }: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<boolean> {
  const confirmed = await query
    .updateTable('status_subscribers')
    .set({ confirmed_at: now, confirmation_expires_at: null })
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .where('confirmation_expires_at', '>', now)
    .executeTakeFirst()
  return confirmed.numUpdatedRows === 1n
}

export async function isSubscriptionOpen({ query }: Reader, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const found = await query
    .selectFrom('status_subscribers')
    .select('id')
    .where('id', '=', id)
    .where('confirmation_expires_at', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

/** Nothing is kept of who does not want to be told. */
export async function deleteSubscriber({ query }: Reader, id: string): Promise<boolean> {
  const deleted = await query.deleteFrom('status_subscribers').where('id', '=', id).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** A message arrived. */
export async function noteReached({ query }: Reader, id: string): Promise<void> {
  await query
    .updateTable('status_subscribers')
    .set({ refusals: 0 })
    .where('id', '=', id)
    .where('refusals', '>', 0)
    .execute()
}

/** A message was refused for good; after the fifth in a row the subscriber is removed. True when that was it. */
export async function noteRefused({ query }: Reader, id: string): Promise<boolean> {
  await query
    .updateTable('status_subscribers')
    .set({ refusals: sql`refusals + 1` })
    .where('id', '=', id)
    .execute()
  const removed = await query
    .deleteFrom('status_subscribers')
    .where('id', '=', id)
    .where('refusals', '>=', maxRefusals)
    .executeTakeFirst()
  return removed.numDeletedRows === 1n
}

/** Removes who did not confirm in time; at most 1,000 a call. Returns how many. */
export async function forgetUnconfirmed({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const removed = await pool.query(
    `delete from status_subscribers
    where id in (
      select id
      from status_subscribers
      where confirmed_at is null
        and confirmation_expires_at <= $1
      order by confirmation_expires_at
      limit 1000
      for update skip locked
    )`,
    [now],
  )
  return removed.rowCount ?? 0
}
