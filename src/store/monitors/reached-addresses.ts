import type { ReachedAddresses } from '#core/monitors/reached-addresses.ts'
import { numberArray, textArray } from '#store/database/array-literal.ts'
import type { Transaction } from '#store/database/database.ts'

/** Of which monitor, in the version that was checked, and from where. */
export type ReachedFrom = { monitorKey: number; version: number; location: string }

/**
 * What is remembered of each, in the same order, for its present target. The caller holds the partitions of the monitors,
 * so that nothing else writes it meanwhile.
 */
export async function readReached(
  { client }: Transaction,
  places: readonly ReachedFrom[],
): Promise<(ReachedAddresses | null)[]> {
  const { rows } = await client.query<Row>({ name: 'read_reached', text: readStatement, values: placeColumns(places) })
  const known: (ReachedAddresses | null)[] = places.map(() => null)
  for (const { place, addresses, seen, changed, is_rotating: isRotating } of rows)
    known[place - 1] = {
      addresses: addresses.map((address, index) => ({ address, seenMs: seen[index] ?? 0 })),
      changedMs: changed,
      isRotating,
    }
  return known
}

type Row = { place: number; addresses: string[]; seen: number[]; changed: number; is_rotating: boolean }

const readStatement = `
select
  place::integer,
  known.addresses,
  (
    select array_agg((extract(epoch from seen_at) * 1000)::float8 order by number)
    from unnest(known.seen_at) with ordinality as each (seen_at, number)
  ) as seen,
  (extract(epoch from known.changed_at) * 1000)::float8 as changed,
  known.is_rotating
from unnest($1::bigint[], $2::integer[], $3::text[]) with ordinality as reached (monitor_key, version, location, place)
join monitors as monitor on monitor.key = reached.monitor_key and monitor.version = reached.version
join monitor_addresses as known
  on known.monitor_key = monitor.key
  and known.location = reached.location
  and known.target_version = monitor.target_version`

/**
 * Writes what is to be remembered, at most once for each monitor and location. Of a monitor that was changed meanwhile
 * nothing is written, because its target may be another one.
 */
export async function writeReached(
  { client }: Transaction,
  changes: readonly (ReachedFrom & { reached: ReachedAddresses })[],
): Promise<void> {
  if (changes.length === 0) return
  const lists = changes.map(({ reached }) => reached.addresses)
  await client.query({
    name: 'write_reached',
    text: writeStatement,
    values: [
      ...placeColumns(changes),
      textArray(lists.map((list) => list.map(({ address }) => address).join(','))),
      textArray(lists.map((list) => list.map(({ seenMs }) => new Date(seenMs).toISOString()).join(','))),
      numberArray(changes.map(({ reached }) => reached.changedMs)),
      `{${changes.map(({ reached }) => reached.isRotating).join(',')}}`,
    ],
  })
}

function placeColumns(places: readonly ReachedFrom[]): string[] {
  return [
    numberArray(places.map(({ monitorKey }) => monitorKey)),
    numberArray(places.map(({ version }) => version)),
    textArray(places.map(({ location }) => location)),
  ]
}

/** Addresses and times hold no comma, so that a list of lists can travel as a list of texts. */
const writeStatement = `
insert into monitor_addresses as known (
  monitor_key, location, target_version, addresses, seen_at, changed_at, is_rotating
)
select
  monitor.key, reached.location, monitor.target_version,
  string_to_array(reached.addresses, ','),
  string_to_array(reached.seen_at, ',')::timestamptz[],
  timestamptz 'epoch' + reached.changed_at * interval '1 millisecond',
  reached.is_rotating
from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::boolean[])
  as reached (monitor_key, version, location, addresses, seen_at, changed_at, is_rotating)
join monitors as monitor on monitor.key = reached.monitor_key and monitor.version = reached.version
order by monitor.key, reached.location
on conflict (monitor_key, location) do update
set target_version = excluded.target_version,
  addresses = excluded.addresses,
  seen_at = excluded.seen_at,
  changed_at = excluded.changed_at,
  is_rotating = excluded.is_rotating
where known.target_version <= excluded.target_version`
