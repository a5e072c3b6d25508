import { type Comparison, comparisonOf, type FeedReading } from '#core/software/comparison.ts'
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
  // Planned anew each time: a plan that was made while there was little software takes seconds for much.
  const { rows } = await tx.client.query<{ key: string; products: string[] }>(productsStatement, [
    monitorKeys,
    singledOut,
  ])
  const readings = await readFeedReadings(tx)
  return new Map(rows.map(({ key, products }) => [key, comparisonOf(products, readings, at)]))
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

// A list of fifty thousand packages has a few prefixes, and those alone leave the database.
const productsStatement = `
select
  asked.key,
  array(
    select distinct
      case
        when component.product = any($2::text[]) then component.product
        else substring(component.product from '^[^:]*:?')
      end
    from monitor_software as software
    join components as component on component.key = software.component_key
    where software.monitor_key = asked.key
      and not software.ignored
  ) as products
from unnest($1::bigint[]) as asked (key)`
