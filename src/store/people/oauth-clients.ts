import type { OauthClient } from '#core/people/oauth.ts'
import { oauthRules } from '#core/people/oauth.ts'
import type { Database, Reader } from '#store/database/database.ts'

const rowsAtOnce = 1_000

export async function insertOauthClient(reader: Reader, client: OauthClient & { createdAt: Date }): Promise<void> {
  await reader.query
    .insertInto('oauth_clients')
    .values({
      id: client.id,
      name: client.name,
      redirect_uris: [...client.redirectUris],
      created_at: client.createdAt,
    })
    .execute()
}

/** A client that registered itself; `id` is a UUID. */
export async function findOauthClient(reader: Reader, id: string): Promise<OauthClient | null> {
  const row = await reader.query
    .selectFrom('oauth_clients')
    .select(['id', 'name', 'redirect_uris'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { id: row.id, name: row.name, redirectUris: row.redirect_uris }
}

/** Remembers that a person let the client in. */
export async function touchOauthClient(reader: Reader, { id, at }: { id: string; at: Date }): Promise<void> {
  await reader.query.updateTable('oauth_clients').set({ used_at: at }).where('id', '=', id).execute()
}

/** Removes at most 1,000 clients that no person let in within a day, or that were not used for a year. */
export async function forgetOauthClients({ pool }: Pick<Database, 'pool'>, now: Date): Promise<number> {
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  const removed = await pool.query(forgetStatement, [
    before(oauthRules.unusedClientMs),
    before(oauthRules.idleClientMs),
    rowsAtOnce,
  ])
  return removed.rowCount ?? 0
}

const forgetStatement = `
delete from oauth_clients
where id in (
  select id
  from oauth_clients
  where coalesce(used_at, created_at) <= $1
    and (used_at is null or used_at <= $2)
  order by coalesce(used_at, created_at)
  limit $3
  for update skip locked
)`
