import type { Database, Transaction } from '#store/database/database.ts'

/** A feed that one process reads until then; `claimedUntil` is its right to. */
export type ClaimedFeed = {
  name: string
  cursor: string | null
  etag: string | null
  error: string | null
  claimedUntil: Date
}

export type FeedTiming = {
  now: Date
  /** After a reading that succeeded. */ everyMs: number
  /** After one that failed. */ retryMs: number
  claimMs: number
  own: Date | null
}

/**
 * Whether there is anything to compare with advisories: some monitor has software, or its software is looked for. Once
 * feeds have been read they are always wanted, so that what is known is never old.
 */
export async function areFeedsWanted({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ are_wanted: boolean }>({
    name: 'are_feeds_wanted',
    text: `select exists (select from feeds)
      or exists (select from software_scans)
      or exists (select from components) as are_wanted`,
  })
  return rows[0]?.are_wanted ?? false
}

/**
 * Null where the feed is not due, or another process has claimed it. `own` is a claim that this process could not end.
 */
export async function claimFeed(
  { pool }: Pick<Database, 'pool'>,
  name: string,
  { now, everyMs, retryMs, claimMs, own }: FeedTiming,
): Promise<ClaimedFeed | null> {
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  const claimed = await pool.query<ClaimedFeed>({
    name: 'claim_feed',
    text: claimStatement,
    values: [name, now, before(everyMs), before(retryMs), new Date(now.getTime() + claimMs), own],
  })
  return claimed.rows[0] ?? null
}

/** Another process reads the feed by now: this one stood still for too long. */
export class FeedLost extends Error {
  override readonly name = 'FeedLost'
}

/** Notes how far a feed is read, together with what was read, and for how long it is claimed. Throws FeedLost. */
export async function keepFeed(
  { client }: Transaction,
  { name, claimedUntil }: ClaimedFeed,
  next: ClaimedFeed,
): Promise<void> {
  const kept = await client.query({
    name: 'keep_feed',
    text: `update feeds
    set cursor = $3, etag = $4, claimed_until = $5
    where name = $1
      and claimed_until = $2`,
    values: [name, claimedUntil, next.cursor, next.etag, next.claimedUntil],
  })
  if (kept.rowCount !== 1) throw new FeedLost(`${name} is read by another process by now.`)
}

/** Ends a reading; `error` is why it failed, null where it succeeded. */
export async function endFeed(
  { pool }: Pick<Database, 'pool'>,
  { name, claimedUntil }: ClaimedFeed,
  { now, error }: { now: Date; error: string | null },
): Promise<void> {
  await pool.query({
    name: 'end_feed',
    text: `update feeds
    set claimed_until = '-infinity',
      tried_at = $3,
      succeeded_at = case when $4::text is null then $3 else succeeded_at end,
      first_read_at = case when $4::text is null and succeeded_at is null then $3 else first_read_at end,
      error = $4
    where name = $1
      and claimed_until = $2`,
    values: [name, claimedUntil, now, error],
  })
}

/** Gives a feed back, to be read on at once by the next process. */
export async function releaseFeed(
  { pool }: Pick<Database, 'pool'>,
  { name, claimedUntil }: ClaimedFeed,
): Promise<void> {
  await pool.query({
    name: 'release_feed',
    text: `update feeds
    set claimed_until = '-infinity', tried_at = null
    where name = $1
      and claimed_until = $2`,
    values: [name, claimedUntil],
  })
}

// The time of an attempt that never ended is that of its beginning.
const claimStatement = `
insert into feeds as known (name, tried_at, claimed_until)
values ($1, $2, $5)
on conflict (name) do update
set tried_at = excluded.tried_at,
  claimed_until = excluded.claimed_until
where (known.claimed_until <= $2 or known.claimed_until = $6)
  and (
    known.tried_at is null
    or known.claimed_until = $6
    or known.tried_at <= case when known.error is null and known.succeeded_at is not null then $3::timestamptz else $4::timestamptz end
  )
returning name, cursor, etag, error, claimed_until as "claimedUntil"`
