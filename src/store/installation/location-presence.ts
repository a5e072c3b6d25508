import { passiveKinds } from '#core/monitors/kind-traits.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { brokerAwaySince } from './broker-away.ts'
import { ensureLocations, type Location } from './locations.ts'
import { lastJump } from './own-troubles.ts'

/** Locations of one installation. A prober's credential could otherwise make up new ones for ever. */
const maxLocations = 1_000

/** `lostNetworkMs`: for how long it has had no network of its own; null while it has one. */
export type PresentLocation = Location & { lostNetworkMs?: number | null }

/** Notes that probers of these locations are there, and adds the locations that are new. */
export async function noteLocations(database: Database, present: readonly PresentLocation[]): Promise<void> {
  const known = await database.pool.query<{ code: string; name: string }>('select code, name from locations')
  const names = new Map(known.rows.map(({ code, name }) => [code, name]))
  const changed = present.filter(({ code, name }) => names.get(code) !== name)
  const fresh = changed.filter(({ code }) => !names.has(code)).length
  if (changed.length > 0 && names.size + fresh <= maxLocations)
    await database.transaction((tx) => ensureLocations(tx, changed))
  const lost = present.map(({ lostNetworkMs }) => lostNetworkMs ?? null)
  await database.pool.query({
    name: 'note_locations',
    text: noteStatement,
    values: [present.map(({ code }) => code), lost],
  })
}

export type MissingLocation = Location & { seenAt: Date; monitors: number }

/**
 * Locations that enabled monitors choose and that have had no prober for so long. Each is returned once until a prober
 * was there again, and is marked in this transaction. None while no engine has looked for as long, or while none that
 * has looked has a broker: after an outage of engines or database, and without a broker, no process knows who is absent.
 */
export async function takeMissingLocations({ client }: Transaction, silentSeconds: number): Promise<MissingLocation[]> {
  const missing = await client.query<{ code: string; name: string; seen_at: Date; monitors: number }>({
    name: 'take_missing_locations',
    text: missingStatement,
    values: [silentSeconds, passiveKinds],
  })
  return missing.rows.map(({ code, name, seen_at, monitors }) => ({ code, name, seenAt: seen_at, monitors }))
}

export type NetworkTurn = Location & {
  /** Null when it has its network again. */
  lostAt: Date | null
  monitors: number
}

/**
 * Locations that monitors choose and that have had no network of their own for so long, with all others that have none
 * either; and those that have it again after that was told, once all that were told together have. Each turn is returned
 * once.
 */
export async function takeNetworkTurns({ client }: Transaction, lostSeconds: number): Promise<NetworkTurn[]> {
  const turned = await client.query<{ code: string; name: string; lost_at: Date | null; monitors: number }>({
    name: 'take_network_turns',
    text: networkStatement,
    values: [lostSeconds, passiveKinds],
  })
  return turned.rows
    .map(({ code, name, lost_at: lostAt, monitors }) => ({ code, name, lostAt, monitors }))
    .toSorted((one, other) => (one.code < other.code ? -1 : 1))
}

// A location whose last prober has gone says nothing of its network any more, and is told as missing.
const networkStatement = `
with looked as materialized (
  select id, code, network_lost_at, network_told_at
  from locations
  where seen_at > now() - interval '15 seconds'
    and (network_lost_at is not null or network_told_at is not null)
  order by id
  for update
), used as materialized (
  select looked.*, (
    select count(*)::integer
    from monitors
    where monitors.status = 'enabled'
      and monitors.kind <> all($2)
      and looked.code = any(monitors.locations)
  ) as monitors
  from looked
), lost as materialized (
  select *
  from used
  where network_told_at is null
    and network_lost_at is not null
    and monitors > 0
), turned as (
  select id, network_lost_at, monitors
  from lost
  where exists (select from lost where network_lost_at < now() - make_interval(secs => $1))
  union all
  select id, network_lost_at, monitors
  from used
  where network_told_at is not null
    and network_lost_at is null
    and not exists (
      select
      from used as fellow
      where fellow.network_told_at = used.network_told_at
        and fellow.network_lost_at is not null
    )
)
update locations as location
set network_told_at = case when turned.network_lost_at is not null then now() end
from turned
where location.id = turned.id
returning location.code, location.name, location.network_lost_at as lost_at, turned.monitors`

const noteStatement = `
update locations as location
set seen_at = now(),
  told_at = null,
  network_lost_at = case
    when present.lost_ms is not null
      then coalesce(location.network_lost_at, now() - present.lost_ms * interval '1 millisecond')
  end
from unnest($1::text[], $2::float8[]) as present (code, lost_ms)
where location.code = present.code
  and (
    seen_at is null
    or seen_at < now() - interval '3 seconds'
    or told_at is not null
    or (network_lost_at is null) <> (lost_ms is null)
  )`

const missingStatement = `
update locations as location
set told_at = now()
from (
  select absent.id, used.monitors
  from locations as absent
  cross join lateral (
    select count(*)::integer as monitors
    from monitors
    where monitors.status = 'enabled'
      and monitors.kind <> all($2)
      and absent.code = any(monitors.locations)
  ) as used
  where absent.told_at is null
    and absent.seen_at is not null
    and greatest(absent.seen_at, ${lastJump}) < now() - make_interval(secs => $1)
    and used.monitors > 0
    and exists (
      select
      from engines
      where started_at < now() - make_interval(secs => $1)
        and seen_at > now() - interval '10 seconds'
        and ${brokerAwaySince} is null
    )
  for update of absent skip locked
) as missing
where location.id = missing.id
  and location.told_at is null
returning location.code, location.name, location.seen_at, missing.monitors`
