// What a run has printed so far, sealed. It has lost its secrets before.
import { joinLogs } from '#core/monitors/call-log.ts'
import type { Database, Reader } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

/** Null where the present run has sent nothing. */
export async function readRunLog(
  { query }: Reader,
  secrets: Pick<Secrets, 'decrypt'>,
  monitorKey: string,
): Promise<string | null> {
  const row = await logOf(query, monitorKey).executeTakeFirst()
  return opened(row?.run_log ?? null, secrets, monitorKey)
}

/** Keeps the end of it all. */
export async function addToRunLog(
  { transaction }: Pick<Database, 'transaction'>,
  secrets: Pick<Secrets, 'decrypt' | 'encrypt'>,
  { monitorKey, log }: { monitorKey: string; log: string },
): Promise<void> {
  await transaction(async ({ query }) => {
    const row = await logOf(query, monitorKey).forNoKeyUpdate().executeTakeFirst()
    const whole = joinLogs(opened(row?.run_log ?? null, secrets, monitorKey), log)
    await query
      .updateTable('monitor_state')
      .set({ run_log: secrets.encrypt(whole, placeOf(monitorKey)) })
      .where('monitor_key', '=', monitorKey)
      .execute()
  })
}

function logOf(query: Reader['query'], monitorKey: string) {
  return query.selectFrom('monitor_state').select('run_log').where('monitor_key', '=', monitorKey)
}

function opened(sealed: Buffer | null, secrets: Pick<Secrets, 'decrypt'>, monitorKey: string): string | null {
  return sealed === null ? null : secrets.decrypt(sealed, placeOf(monitorKey))
}

function placeOf(monitorKey: string): Place {
  return { column: 'monitor_state.run_log', id: monitorKey }
}
