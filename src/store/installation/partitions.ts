import type { Database } from '#store/database/database.ts'
import type { Lease } from '#store/results/store-batch.ts'

/**
 * An engine that was not seen for this long has no claim to a share. Neither has one that was seen so far in the future:
 * the clock went back, and an engine that lives says so again at once.
 */
const aliveSeconds = 6
const forgottenSeconds = 60

type Row = { partition: number; epoch: string }

/**
 * The partitions of an owner, all or some, locked in the order of their numbers as transactions of results lock them.
 * An update alone takes rows in the order in which they lie, and would meet such a transaction of its own engine in a
 * deadlock.
 */
const ownedInOrder = `
    with owned as materialized (
      select partition
      from partitions
      where owner = $1
        and ($2::smallint[] is null or partition = any($2))
      order by partition
      for no key update
    )`

/**
 * Says that this engine lives, and how many do. An engine that could not say so itself for a while counts those that
 * lived when it last could: the database may have been away for all of them, and the first to come back would take what
 * the others hold, to give it back a moment later.
 */
export async function announceEngine({ pool }: Database, owner: string): Promise<number> {
  const alive = await pool.query<{ engines: number }>({
    name: 'announce_engine',
    text: announceStatement,
    values: [owner, aliveSeconds, forgottenSeconds],
  })
  return alive.rows[0]?.engines ?? 1
}

/** What it reads is as it was before; so the engine counts itself. */
const announceStatement = `
with away as (
  select case when silent > $2::float8 then silent else 0 end as seconds
  from (select coalesce(max(extract(epoch from now() - seen_at)), 0)::float8 as silent from engines where name = $1) as own
), forgotten as (
  delete from engines
  using away
  where name <> $1
    and (
      seen_at < now() - make_interval(secs => $3::float8 + away.seconds)
      or seen_at > now() + make_interval(secs => $3::float8)
    )
), announced as (
  insert into engines (name, seen_at)
  values ($1, now())
  on conflict (name) do update set seen_at = excluded.seen_at
)
select 1 + count(*)::integer as engines
from engines, away
where name <> $1
  and seen_at > now() - make_interval(secs => $2::float8 + away.seconds)
  and seen_at < now() + make_interval(secs => $2::float8)`

/** An engine, and how long it holds what it takes and renews. */
export type Holder = { owner: string; holdSeconds: number }

/** Keeps what this engine holds; what is missing from the answer is lost. */
export async function renewPartitions({ pool }: Database, { owner, holdSeconds }: Holder): Promise<Lease[]> {
  const kept = await pool.query<Row>({
    name: 'renew_partitions',
    text: `${ownedInOrder}
    update partitions
    set held_until = now() + make_interval(secs => $3)
    where partition in (select partition from owned)
    returning partition, epoch`,
    values: [owner, null, holdSeconds],
  })
  return kept.rows.map(leaseOf)
}

/**
 * Takes up to `count` partitions that no engine holds, each with a new epoch. Where the clock went back, a hold ends long
 * after the time for which any is given: its engine may be gone, and renews it if it is not.
 */
export async function takePartitions(
  { pool }: Database,
  { owner, holdSeconds }: Holder,
  count: number,
): Promise<Lease[]> {
  const taken = await pool.query<Row>(
    `update partitions
    set owner = $1, epoch = epoch + 1, taken_at = now(), held_until = now() + make_interval(secs => $2)
    where partition in (
      select partition
      from partitions
      where held_until < now()
        or held_until > now() + 2 * make_interval(secs => $2)
      order by partition
      limit $3
      for update skip locked
    )
    returning partition, epoch`,
    [owner, holdSeconds, count],
  )
  return taken.rows.map(leaseOf)
}

/** Gives partitions back, or all, so that another engine need not wait for the hold to end. */
export async function releasePartitions(
  { pool }: Database,
  owner: string,
  partitions: readonly number[] | null,
): Promise<void> {
  await pool.query(
    `${ownedInOrder}
    update partitions
    set owner = null, held_until = '-infinity'
    where partition in (select partition from owned)`,
    [owner, partitions],
  )
}

/** Leaves the list of engines, and every partition with it. */
export async function retireEngine(database: Database, owner: string): Promise<void> {
  await releasePartitions(database, owner, null)
  await database.pool.query('delete from engines where name = $1', [owner])
}

function leaseOf({ partition, epoch }: Row): Lease {
  return { partition, epoch: Number(epoch) }
}
