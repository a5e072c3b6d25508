import { z } from 'zod'
import type { Database, Reader } from '#store/database/database.ts'
import { readSetting } from './settings.ts'

const lastSchema = z.object({ at: z.iso.datetime(), bytes: z.int().min(0) })
/** The last backup that the schedule made. */
export type LastBackup = z.infer<typeof lastSchema>

/** Any number but those of migrations and processes, the same for every release. */
const backupLock = 7_305_017_213

/** Null where none was made yet. */
export async function readLastBackup(reader: Reader): Promise<LastBackup | null> {
  const value = await readSetting(reader, 'last_backup')
  return value === undefined ? null : lastSchema.parse(value)
}

/**
 * Has a backup made where the last is older than it may be, by one process at a time. Null where it is not due, or
 * another process is at it.
 */
export async function inBackupTurn(
  database: Database,
  { everyMs, now }: { everyMs: number; now: Date },
  make: () => Promise<number>,
): Promise<LastBackup | null> {
  return database.transaction(async (tx) => {
    const { client } = tx
    await client.query('set local idle_in_transaction_session_timeout = 0')
    const turn = await client.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [backupLock])
    if (turn.rows[0]?.taken !== true) return null
    const last = await readLastBackup(tx)
    if (last !== null && now.getTime() - new Date(last.at).getTime() < everyMs) return null
    const made: LastBackup = { at: now.toISOString(), bytes: await make() }
    await client.query(
      `insert into settings (name, value) values ('last_backup', $1)
      on conflict (name) do update set value = excluded.value`,
      [JSON.stringify(made)],
    )
    await client.query(`delete from own_troubles where name = 'backup'`)
    return made
  })
}
