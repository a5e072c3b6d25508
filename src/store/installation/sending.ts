import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { Database, Reader } from '#store/database/database.ts'
import { mailTask } from '#store/contacts/notices.ts'
import { tellTask } from '#store/status-pages/page-events.ts'
import { readSetting } from './settings.ts'

const heldSchema = z.object({
  /** When the backup was restored, and when it had been made. */
  since: z.iso.datetime(),
  backup_at: z.iso.datetime(),
})

/** Why a restored copy sends nothing. */
export type SendingHeld = { since: Date; backupAt: Date }

/**
 * Keeps everything from leaving a database that was restored, until `resumeSending`: the original may still run, and
 * would tell the same people the same things.
 */
export async function holdSending(
  client: Pick<PoolClient, 'query'>,
  { since, backupAt }: { since: Date; backupAt: string },
): Promise<void> {
  const held: z.infer<typeof heldSchema> = { since: since.toISOString(), backup_at: backupAt }
  await client.query(
    `insert into settings (name, value)
    values ('sending_held', $1)
    on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(held)],
  )
}

/** Null where everything is sent, as usual. */
export async function readSendingHeld(reader: Reader): Promise<SendingHeld | null> {
  const value = await readSetting(reader, 'sending_held')
  if (value === undefined) return null
  const held = heldSchema.parse(value)
  return { since: new Date(held.since), backupAt: new Date(held.backup_at) }
}

/** A day is how late an alert may be as well (core/contacts/delivery-retry.ts). */
const staleHours = 24

/**
 * Lets everything leave again, but for mails and news of status pages that are a day old; of alerts their own age
 * decides. False where nothing was held back.
 */
export async function resumeSending(database: Database): Promise<boolean> {
  return database.transaction(async ({ client, query }) => {
    const ended = await query.deleteFrom('settings').where('name', '=', 'sending_held').executeTakeFirst()
    if (ended.numDeletedRows === 0n) return false
    await client.query(
      `select count(*)
      from graphile_worker.complete_jobs(array(
        select id
        from graphile_worker.jobs
        where task_identifier = any($1::text[])
          and created_at < now() - make_interval(hours => $2)
      ))`,
      [[mailTask, tellTask], staleHours],
    )
    return true
  })
}
