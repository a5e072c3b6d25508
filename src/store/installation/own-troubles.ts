import type { Database, Transaction } from '#store/database/database.ts'
import { moveAlertTimes } from '#store/contacts/move-alerts.ts'
import { lockCallIntake } from '#store/monitors/calls.ts'
import { moveCallTimes, moveLateCallTimes } from '#store/monitors/moved-calls.ts'

/**
 * What a process sees of the installation itself: `mail` while the mail server takes none, `clock` when the database's
 * clock has jumped, `set_aside` while probers do not check monitors that took their processor, `backup` while none can be
 * made.
 */
export type OwnTrouble = 'mail' | 'clock' | 'set_aside' | 'backup'

/** Of one that is known already only the words change: it began when it was first noted. */
export async function noteMailTrouble({ pool }: Database, error: string): Promise<void> {
  await pool.query(
    `insert into own_troubles (name, since, details) values ('mail', now(), $1)
    on conflict (name) do update set details = excluded.details`,
    [error],
  )
}

export async function endMailTrouble({ pool }: Database): Promise<void> {
  await pool.query(`delete from own_troubles where name = 'mail'`)
}

export async function noteBackupTrouble({ pool }: Database, error: string): Promise<void> {
  await pool.query(
    `insert into own_troubles (name, since, details) values ('backup', now(), $1)
    on conflict (name) do update set details = excluded.details`,
    [error],
  )
}

/** All monitors that probers have set aside now; with none of them the trouble is over. */
export async function noteSetAside({ pool }: Database, monitorIds: readonly string[]): Promise<void> {
  if (monitorIds.length === 0) {
    await pool.query(`delete from own_troubles where name = 'set_aside'`)
    return
  }
  await pool.query(
    `insert into own_troubles as known (name, since, details) values ('set_aside', now(), $1)
    on conflict (name) do update set details = excluded.details
    where known.details <> excluded.details`,
    [monitorIds.join(' ')],
  )
}

/** Engines compare their clocks every ten seconds: each that runs notices the same jump within this time. */
const sameJumpSeconds = 60
/** Engines may measure one jump differently by so much. */
const sameJumpBySeconds = 2

/**
 * Notes that the database's clock jumped by so many seconds just now, back when they are negative, and moves with it
 * what was planned by the former time: when calls are missed, when calls were last taken
 * (docs/decisions/heartbeats.md), and, where it went back, when alerts leave. Of engines that notice the same jump the first
 * moves all, and the others what was written since by the former time. `lastKnown` is
 * the jump that the engine knew of, which another one has since noted where it is not the last one any more. Returns the
 * last one.
 */
export async function noteClockJump(database: Database, seconds: number, lastKnown?: KnownJump): Promise<KnownJump> {
  return database.transaction(async (tx) => {
    const { client } = tx
    await lockCallIntake(client)
    const last = lastKnown === undefined ? undefined : await lastClockJump(tx)
    const noted = await client.query(
      `insert into own_troubles as known (name, since, details) values ('clock', now(), $1)
      on conflict (name) do update set since = excluded.since, details = excluded.details
      where (abs(extract(epoch from now() - known.since)) > $2 and not $4)
        or abs(known.details::float8 - $1::float8) > $3`,
      [String(seconds), sameJumpSeconds, sameJumpBySeconds, last !== lastKnown],
    )
    if (noted.rowCount === 0) await moveLateCallTimes(client, seconds)
    else {
      await moveCallTimes(client, seconds)
      if (seconds < 0) await moveAlertTimes(client, seconds)
    }
    return lastClockJump(tx)
  })
}

/** When the jump was noted, as the database writes it; null where there was none. */
export type KnownJump = string | null

async function lastClockJump({ client }: Pick<Transaction, 'client'>): Promise<KnownJump> {
  const found = await client.query<{ since: string }>(
    `select since::text as since from own_troubles where name = 'clock'`,
  )
  return found.rows[0]?.since ?? null
}

/**
 * For an engine that begins: notes each jump that it notices, as `noteClockJump` does. However late it notices one, be it
 * that its process or its database stood still meanwhile, it knows by what was noted since whether another engine did.
 */
export async function followClockJumps(database: Database): Promise<(seconds: number) => Promise<void>> {
  let known = await database.transaction(async (tx) => {
    await moveWhatWasLeft(tx)
    return lastClockJump(tx)
  })
  return async (seconds) => {
    known = await noteClockJump(database, seconds, known)
  }
}

/** For longer after a jump nothing is left of it: an engine begins again in a moment where it ended. */
const leftForSeconds = 3_600

/** An engine that ended before it noticed that the clock had gone back may have written by the former time. */
async function moveWhatWasLeft({ client }: Pick<Transaction, 'client'>): Promise<void> {
  const found = await client.query<{ seconds: number }>(
    `select details::float8 as seconds
    from own_troubles
    where name = 'clock'
      and since between now() - make_interval(secs => $1) and now()`,
    [leftForSeconds],
  )
  const seconds = found.rows[0]?.seconds ?? 0
  if (seconds >= 0) return
  await lockCallIntake(client)
  await moveLateCallTimes(client, seconds)
}

/**
 * SQL of the time before which nothing can have been late: when the clock jumped forward, all that was then under way
 * looks as old as the jump was long. Null when it never jumped.
 */
export const lastJump = `(select since from own_troubles where name = 'clock' and since <= now())`

export type TroubleTurns = {
  /** Topics that have lasted long enough and were not told before. */
  begun: string[]
  /** Troubles were told, and none is left. */
  areOver: boolean
}

/** Compares the topics of the moment with those before. Each turn is returned once, to whichever process asks first. */
export async function turnTroubles(
  { client }: Transaction,
  { topics, lastingSeconds }: { topics: readonly string[]; lastingSeconds: number },
): Promise<TroubleTurns> {
  const ended = await client.query<{ told_at: Date | null }>(
    'delete from operator_troubles where topic <> all($1::text[]) returning told_at',
    [topics],
  )
  await client.query(
    `insert into operator_troubles (topic)
    select unnest($1::text[])
    order by 1
    on conflict (topic) do nothing`,
    [topics],
  )
  const begun = await client.query<{ topic: string }>(
    `update operator_troubles
    set told_at = now()
    where told_at is null
      and since < now() - make_interval(secs => $1)
    returning topic`,
    [lastingSeconds],
  )
  const left = await client.query('select from operator_troubles where told_at is not null limit 1')
  const wasTold = ended.rows.some(({ told_at: toldAt }) => toldAt !== null)
  return { begun: begun.rows.map(({ topic }) => topic).toSorted(), areOver: wasTold && left.rowCount === 0 }
}
