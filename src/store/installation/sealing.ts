import { sql } from 'kysely'
import type { Database } from '#store/database/database.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { sealAddress } from '#store/contacts/sealed-addresses.ts'
import type { MonitorRow } from '#store/monitors/monitor-rows.ts'
import { openContent, sealContent } from '#store/monitors/sealed-content.ts'

/** The first migration whose releases read what is sealed. */
const firstReader = 23

/** Processes of releases that cannot read what is sealed do not start any more. */
export async function refuseEarlierReleases({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query('update schema_migrations set compatible_from = $1 where number = $1 and compatible_from < $1', [
    firstReader,
  ])
}

/**
 * Seals what monitors send that lies in the clear, of at most `limit` monitors; returns of how many. What is locked by
 * somebody who changes it is left to the next time.
 */
export function sealMonitors(
  database: Pick<Database, 'transaction'>,
  secrets: Secrets,
  limit: number,
): Promise<number> {
  return database.transaction(async ({ query, client }) => {
    const found = await query
      .selectFrom('monitors')
      .select(['id', 'request_body', 'check_options', 'content'])
      .where(sql<boolean>`(request_body is not null or jsonb_path_exists(check_options, '$.steps[*].body'))`)
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .$castTo<Pick<MonitorRow, 'id' | 'request_body' | 'check_options' | 'content'>>()
      .execute()
    const sealed = found.map((row) => {
      const { id, content } = row
      const place = { column: 'monitors.content', id } as const
      return { id, ...sealContent(openContent(row, { content, place }, secrets), secrets, place) }
    })
    await client.query(
      `update monitors
      set request_body = null, check_options = sealed.options, content = sealed.content
      from unnest($1::uuid[], $2::jsonb[], $3::bytea[]) as sealed (id, options, content)
      where monitors.id = sealed.id`,
      [
        sealed.map(({ id }) => id),
        sealed.map(({ rest }) => JSON.stringify(rest.check_options)),
        sealed.map(({ content }) => content),
      ],
    )
    return found.length
  })
}

/** The same for addresses of contacts that are secrets. */
export function sealContacts(
  database: Pick<Database, 'transaction'>,
  secrets: Secrets,
  limit: number,
): Promise<number> {
  return database.transaction(async ({ query }) => {
    const found = await query
      .selectFrom('alert_channels')
      .select(['id', 'kind', 'destination'])
      .where(sql<boolean>`(kind = 'slack' and sealed_destination is null)`)
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked()
      .execute()
    for (const contact of found) {
      const { destination, sealedDestination } = sealAddress(contact, secrets)
      await query
        .updateTable('alert_channels')
        .set({ destination, sealed_destination: sealedDestination })
        .where('id', '=', contact.id)
        .execute()
    }
    return found.length
  })
}
