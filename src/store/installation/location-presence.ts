import { passiveKinds } from '#core/monitors/kind-traits.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { ensureLocations, type Location } from './locations.ts'

/** Locations of one installation. A prober's credential could otherwise make up new ones for ever. */
const maxLocations = 1_000

/** Notes that probers of these locations are there, and adds the locations that are new. */
export async function noteLocations(database: Database, present: readonly Location[]): Promise<void> {
  const known = await database.pool.query<{ code: string; name: string }>('select code, name from locations')
  const names = new Map(known.rows.map(({ code, name }) => [code, name]))
  const changed = present.filter(({ code, name }) => names.get(code) !== name)
  const fresh = changed.filter(({ code }) => !names.has(code)).length
  if (changed.length > 0 && names.size + fresh <= maxLocations)
    await database.transaction((tx) => ensureLocations(tx, changed))
  await database.pool.query({ name: 'note_locations', text: noteStatement, values: [present.map(({ code }) => code)] })
}

export type MissingLocation = Location & { seenAt: Date; monitors: number }

/**
 * Locations that enabled monitors choose and that have had no prober for so long. Each is returned once until a prober
 * was there again, and is marked in this transaction. None while no engine has looked for as long, because after an
 * outage of engines or database no process knows who was absent.
 */
export async function takeMissingLocations({ client }: Transaction, silentSeconds: number): Promise<MissingLocation[]> {
  const missing = await client.query<{ code: string; name: string; seen_at: Date; monitors: number }>({
    name: 'take_missing_locations',
    text: missingStatement,
    values: [silentSeconds, passiveKinds],
  })
  return missing.rows.map(({ code, name, seen_at, monitors }) => ({ code, name, seenAt: seen_at, monitors }))
}

const noteStatement = `
update locations
set seen_at = now(),
  told_at = null
where code = any($1::text[])
  and (seen_at is null or seen_at < now() - interval '3 seconds' or told_at is not null)`

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
    and absent.seen_at < now() - make_interval(secs => $1)
    and used.monitors > 0
    and exists (
      select
      from engines
      where started_at < now() - make_interval(secs => $1)
        and seen_at > now() - interval '10 seconds'
    )
  for update of absent skip locked
) as missing
where location.id = missing.id
  and location.told_at is null
returning location.code, location.name, location.seen_at, missing.monitors`
