import { sql } from 'kysely'
import type { MonitorSettings } from '#core/monitor.ts'
import type { Database, Reader, Transaction } from '#store/database.ts'
import { hashToken, type Secrets } from '#store/secrets.ts'

/** Gives a monitor the address at which it is called, in place of an earlier one. `token` is a random secret. */
export async function setCallToken(
  tx: Transaction,
  secrets: Secrets,
  { monitorId, token }: { monitorId: string; token: string },
): Promise<void> {
  await tx.query
    .updateTable('monitors')
    .set({ call_token: secrets.encrypt(token), call_hash: hashToken(token) })
    .where('id', '=', monitorId)
    .execute()
}

/** Whether the monitor has an address to be called at. */
export async function hasCallToken(tx: Transaction, monitorId: string): Promise<boolean> {
  const row = await tx.query.selectFrom('monitors').select('call_hash').where('id', '=', monitorId).executeTakeFirst()
  return (row?.call_hash ?? null) !== null
}

/** What a call is for. `startedAt` is when its run said that it began. */
export type CallTarget = Pick<MonitorSettings, 'kind' | 'check_options'> & {
  monitorId: string
  monitorKey: string
  version: number
  location: string
  isPaused: boolean
  startedAt: Date | null
}

/** By the secret part of the address, which is all that a caller has. Undefined when there is no such address. */
export async function findCallTarget({ pool }: Pick<Database, 'pool'>, token: string): Promise<CallTarget | undefined> {
  const found = await pool.query<{
    id: string
    key: string
    version: number
    kind: MonitorSettings['kind']
    check_options: MonitorSettings['check_options']
    location: string
    status: string
    call_started_at: Date | null
  }>({
    name: 'find_call_target',
    text: `select m.id, m.key, m.version, m.kind, m.check_options, m.locations[1] as location, m.status, s.call_started_at
    from monitors m
    join monitor_state s on s.monitor_key = m.key
    where m.call_hash = $1`,
    values: [hashToken(token)],
  })
  const [row] = found.rows
  if (row === undefined) return undefined
  return {
    monitorId: row.id,
    monitorKey: row.key,
    version: row.version,
    kind: row.kind,
    check_options: row.check_options,
    location: row.location,
    isPaused: row.status === 'paused',
    startedAt: row.call_started_at,
  }
}

/** Notes when a run began, null when it ended. */
export async function noteRunStarted(
  { query }: Reader,
  { monitorKey, at }: { monitorKey: string; at: Date | null },
): Promise<void> {
  await query.updateTable('monitor_state').set({ call_started_at: at }).where('monitor_key', '=', monitorKey).execute()
}

/** Longer without any process that takes calls, and deadlines are put off. */
const gapSeconds = 10

/**
 * Says that this process takes calls. When none did for a while, every deadline that lay beyond that moment is put off
 * by the gap and one grace more: callers could not be heard (decisions.md A5). Returns the gap in seconds, else null.
 */
export async function noteIntake(database: Database, name: string): Promise<number | null> {
  return database.transaction(async ({ client, query }) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('intakes'))`)
    const seen = await client.query<{ last: Date | null; gap: number | null }>(
      'select max(seen_at) as last, extract(epoch from now() - max(seen_at))::float8 as gap from intakes',
    )
    await sql`delete from intakes where seen_at < now() - interval '1 hour'`.execute(query)
    await client.query(
      'insert into intakes (name, seen_at) values ($1, now()) on conflict (name) do update set seen_at = excluded.seen_at',
      [name],
    )
    const { last = null, gap = null } = seen.rows[0] ?? {}
    if (last === null || gap === null || gap <= gapSeconds) return null
    await client.query(
      `update monitor_state s
      set deadline_at = s.deadline_at + make_interval(secs => $2::float8 + coalesce(m.heartbeat_grace_seconds, 0))
      from monitors m
      where m.key = s.monitor_key
        and s.deadline_at > $1`,
      [last, gap],
    )
    return gap
  })
}
