import { type ComparedList, type Comparison, comparisonOf, type FeedReading } from '#core/software/comparison.ts'
import { singledOut } from '#core/software/feed-sources.ts'
import { type Database, namedOn, type Transaction } from '#store/database/database.ts'

/** How far each feed was read, by its name. Feeds that were never claimed, and are not switched off, are not in it. */
export async function readFeedReadings(
  source: Pick<Database, 'pool'> | Transaction,
): Promise<ReadonlyMap<string, FeedReading>> {
  const { rows } = await namedOn(source).query<FeedReading & { name: string }>({
    name: 'read_feed_readings',
    text: readingsStatement,
  })
  return new Map(rows.map(({ name, ...reading }) => [name, reading]))
}

/**
 * Writes down which feeds are not read, by their names: only processes with jobs have the settings of feeds, and others
 * have to know it too.
 */
export async function noteFeedsOff({ pool }: Pick<Database, 'pool'>, names: readonly string[]): Promise<void> {
  await pool.query({ name: 'note_feeds_off', text: noteOffStatement, values: [names] })
}

/** What the software of these monitors was compared with, without ignored entries, by the monitor's key. */
export async function readComparisons(
  tx: Transaction,
  monitorKeys: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, Comparison>> {
  if (monitorKeys.length === 0) return new Map()
  const readings = await readFeedReadings(tx)
  // Planned anew each time: a plan that was made while there was little software takes seconds for much.
  const { rows } = await tx.client.query<ComparedList & { key: string }>(listsStatement, [monitorKeys, singledOut])
  return new Map(rows.map(({ key, ...list }) => [key, comparisonOf(list, readings, at)]))
}

/**
 * The entries of a monitor's list as a table of one row: how many there are and how many of them wait, both without
 * ignored ones, and when one was last compared. `monitor` is an expression. An entry waits to be compared for the first
 * time where it never was, or only with less than what a feed told when it was first read to its end. What is queued
 * later was compared before, if with older data.
 */
export function entriesOf(monitor: string): string {
  return `(
  select
    count(*) filter (where not software.ignored)::integer as entries,
    count(*) filter (
      where not software.ignored
        and (
          component.matched_at is null
          or (queued.product is not null and component.matched_at < (select max(first_read_at) from feeds))
        )
    )::integer as waiting,
    max(component.matched_at) as matched_at
  from monitor_software as software
  join components as component on component.key = software.component_key
  left join match_queue as queued on queued.product = component.product
  where software.monitor_key = ${monitor}
)`
}

/**
 * The products of a list, without ignored ones, as an array: of those that `singledOut` does not name, the prefixes,
 * since a list of fifty thousand packages has a few of these. Both parameters are expressions.
 */
export function productsOf(monitor: string, singled: string): string {
  return `array(
  select distinct
    case
      when component.product = any(${singled}::text[]) then component.product
      else substring(component.product from '^[^:]*:?')
    end
  from monitor_software as software
  join components as component on component.key = software.component_key
  where software.monitor_key = ${monitor}
    and not software.ignored
)`
}

const readingsStatement = `
select name, feed.succeeded_at as "readAt", off.name is not null as "isOff"
from feeds as feed
full join (
  select jsonb_array_elements_text(value) as name
  from settings
  where name = 'feeds_off'
) as off using (name)
order by name
limit 100`

const noteOffStatement = `
insert into settings as known (name, value)
values ('feeds_off', to_jsonb($1::text[]))
on conflict (name) do update
set value = excluded.value
where known.value <> excluded.value`

const listsStatement = `
select asked.key, listed.entries, listed.waiting, ${productsOf('asked.key', '$2')} as products
from unnest($1::bigint[]) as asked (key)
cross join lateral ${entriesOf('asked.key')} as listed`
