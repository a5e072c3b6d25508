import { callSettledMs } from '#core/monitors/heartbeat.ts'
import { assertRoom } from '#store/database/assert-storing.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { hashToken, type Place, type Secrets } from '#store/database/secrets.ts'

/** Gives a monitor the address at which it is called, in place of an earlier one. `token` is a random secret. */
export async function setCallToken(
  tx: Transaction,
  secrets: Secrets,
  { monitorId, token }: { monitorId: string; token: string },
): Promise<void> {
  await tx.query
    .updateTable('monitors')
    .set({ call_token: secrets.encrypt(token, placeOf(monitorId)), call_hash: hashToken(token) })
    .where('id', '=', monitorId)
    .execute()
}

/** Whether the monitor has an address to be called at. */
export async function hasCallToken(tx: Transaction, monitorId: string): Promise<boolean> {
  const row = await tx.query.selectFrom('monitors').select('call_hash').where('id', '=', monitorId).executeTakeFirst()
  return (row?.call_hash ?? null) !== null
}

/** The secret part of the address, in the clear; null where the monitor has none. */
export async function readCallToken({ query }: Reader, secrets: Secrets, monitorId: string): Promise<string | null> {
  const row = await query.selectFrom('monitors').select('call_token').where('id', '=', monitorId).executeTakeFirst()
  const sealed = row?.call_token ?? null
  return sealed === null ? null : secrets.decrypt(sealed, placeOf(monitorId))
}

function placeOf(monitorId: string): Place {
  return { column: 'monitors.call_token', id: monitorId }
}

/** Whether any monitor is called. */
export async function areCallsAwaited({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const found = await pool.query<{ is_awaited: boolean }>({
    name: 'are_calls_awaited',
    text: 'select exists (select from monitors where call_hash is not null) as is_awaited',
  })
  return found.rows[0]?.is_awaited ?? true
}

/**
 * After longer without a word a process takes no calls, and where none gives one, no caller can have been heard. Words
 * come once a second while any monitor is called.
 */
export const callIntakeGapMs = 3_000

/** How long before its end the last word of a process counts as given. */
export const callIntakeWordMs = 1_500

/** Before the deadlines of many monitors are moved, and before a process says that it takes calls. */
export async function lockCallIntake(client: Transaction['client']): Promise<void> {
  await client.query(lockStatement)
}

const lockStatement = `select pg_advisory_xact_lock(hashtext('intakes'))`

export type CallIntakeWord = {
  /** Of the process, unique in the installation. */
  name: string
  /**
   * Calls may have been turned away since the last word, however recent that was. Asked once the database answers: the
   * word speaks for all calls whose fate was known then.
   */
  isFirst: () => boolean
  /**
   * Seconds since this process gave its last word, by a clock that never jumps; null when this is its first. Asked once
   * the database answers, which may have stood still until then.
   */
  sinceLastSeconds: () => number | null
}

/**
 * Notes that this process takes calls, and rejects while the database has no room to store any. When no process took
 * calls for a while, callers could not report in time, and that is not held against them: a deadline that passed
 * meanwhile, or is too near, is put off until the gap and one grace have passed once more
 * (docs/decisions/heartbeats.md), and the end of a run likewise, without a grace. So is a deadline that passed shortly before the last word: what became of its calls was
 * not known yet, and no engine has called it missed (`readDeadlines`). However often this happens, a deadline is never
 * further away than that from the last time. Returns the gap in seconds when deadlines were put off or checked, else null.
 */
export async function noteCallIntake(
  database: Database,
  { name, isFirst, sinceLastSeconds }: CallIntakeWord,
): Promise<number | null> {
  return database.transaction(async ({ client }) => {
    await assertRoom({ client }, lockStatement)
    const seen = await client.query<{ last: Date | null; settled: Date | null; gap: number | null }>({
      name: 'note_call_intake',
      text: wordStatement,
      values: [sinceLastSeconds(), name, callIntakeGapMs, callSettledMs],
    })
    const mayLack = isFirst()
    const { last = null, settled = null, gap = null } = seen.rows[0] ?? {}
    if (last === null || gap === null || (!mayLack && gap * 1000 <= callIntakeGapMs)) return null
    await client.query(
      `with pause as (
        select key, make_interval(secs => $2::float8 + coalesce(heartbeat_grace_seconds, 0)) as length
        from monitors
      )
      update monitor_state s
      set deadline_at = least(greatest(s.deadline_at, $3), now()) + pause.length
      from pause
      where pause.key = s.monitor_key
        and s.deadline_at > $1
        and s.deadline_at < now() + pause.length`,
      [settled, gap, last],
    )
    await client.query(
      `update monitor_state s
      set run_due_at = least(greatest(s.run_due_at, $3), now()) + make_interval(secs => $2::float8)
      where s.run_due_at > $1
        and s.run_due_at < now() + make_interval(secs => $2::float8)`,
      [settled, gap, last],
    )
    return gap
  })
}

/**
 * Reads the words before this one, and gives it. Where the database's clock was set, only the process knows how long it
 * gave no word.
 */
const wordStatement = `
with forgotten as (
  delete from intakes
  where seen_at < now() - interval '1 hour'
    and name <> $2
), given as (
  insert into intakes (name, seen_at)
  values ($2, now())
  on conflict (name) do update set seen_at = excluded.seen_at
)
select
  max(seen_at) as last,
  min(seen_at) - $4 * interval '1 ms' as settled,
  least($1::float8, greatest(0, extract(epoch from now() - max(seen_at)))::float8) as gap
from intakes
where name = $2
  or seen_at >= (select max(seen_at) from intakes) - $3 * interval '1 ms'`

/** Takes back the last word of a process that is about to take no more calls. */
export async function withdrawCallIntake({ pool }: Pick<Database, 'pool'>, name: string): Promise<void> {
  await pool.query(`update intakes set seen_at = least(seen_at, now() - $2 * interval '1 ms') where name = $1`, [
    name,
    callIntakeWordMs,
  ])
}
