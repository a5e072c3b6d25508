import type { ExploitedVulnerability, ProductCycles } from '#core/software/advisory.ts'
import { advisoryKeysOf, softwareCatalog } from '#core/software/software-catalog.ts'
import type { Transaction } from '#store/database/database.ts'
import { enqueueMatches } from './match-queue.ts'

/** Writes the known-exploited catalogue, all there is of it, and notes it on the vulnerabilities by whatever name. */
export async function replaceExploited(tx: Transaction, entries: readonly ExploitedVulnerability[]): Promise<void> {
  const known = [...new Map(entries.map((entry) => [entry.cve, entry])).values()]
  const values = [JSON.stringify(known)]
  await tx.client.query(`select pg_advisory_xact_lock(hashtext('advisories'))`)
  await tx.client.query({ name: 'forget_exploited', text: forgetExploitedStatement, values })
  await tx.client.query({ name: 'add_exploited', text: addExploitedStatement, values })
  const changed = await tx.client.query<{ id: string }>({ name: 'note_exploited', text: noteExploitedStatement })
  const products = await tx.client.query<{ product: string }>({
    name: 'products_of_exploited',
    text: `select distinct product
    from advisories
    join affected_products on advisory_key = key
    where vulnerability = any($1::text[])`,
    values: [changed.rows.map(({ id }) => id)],
  })
  await enqueueMatches(
    tx,
    products.rows.map(({ product }) => product),
  )
}

/** Writes the release cycles of endoflife.date, all there are. What has ended becomes a vulnerability by `endCycles`. */
export async function replaceCycles(tx: Transaction, products: readonly ProductCycles[]): Promise<void> {
  const cycles = products.flatMap(({ product, cycles: ofProduct }) =>
    ofProduct.map((cycle) => Object.assign({ product }, cycle)),
  )
  const { rows } = await tx.client.query<{ product: string }>({
    name: 'replace_cycles',
    text: replaceCyclesStatement,
    values: [JSON.stringify(cycles)],
  })
  await enqueueMatches(tx, keysOf(rows))
}

/**
 * Makes the vulnerabilities `EOL:<product>-<cycle>` of release cycles that have ended, and removes those of cycles that
 * have not after all, with their findings. Returns how many there are more or fewer.
 */
export async function endCycles(tx: Transaction, now: Date): Promise<number> {
  const today = now.toISOString().slice(0, 10)
  const { rows } = await tx.client.query<{ product: string }>({
    name: 'end_cycles',
    text: endCyclesStatement,
    values: [
      today,
      softwareCatalog.flatMap(({ eol }) => eol ?? []),
      softwareCatalog.flatMap(({ eol, name }) => (eol === null ? [] : [name])),
    ],
  })
  await enqueueMatches(tx, keysOf(rows))
  return rows.length
}

/** All keys under which products of endoflife.date are in lists: the catalogue's own, and those of their packages. */
function keysOf(rows: readonly { product: string }[]): string[] {
  const products = new Set(rows.map(({ product }) => product))
  return softwareCatalog.flatMap(({ eol, key }) => (eol !== null && products.has(eol) ? advisoryKeysOf(key) : []))
}

const forgetExploitedStatement = `
delete from exploited
where cve not in (select cve from jsonb_to_recordset($1::jsonb) as read (cve text))`

const addExploitedStatement = `
insert into exploited as known (cve, added_on, name)
select cve, "addedOn", name
from jsonb_to_recordset($1::jsonb) as read (cve text, "addedOn" date, name text)
on conflict (cve) do update
set added_on = excluded.added_on,
  name = excluded.name
where known is distinct from excluded`

const noteExploitedStatement = `
with records as (
  select vulnerability, added_on
  from exploited
  join advisories on source in ('osv', 'nvd', 'cve') and id = cve
  union all
  select vulnerability, added_on
  from exploited
  join advisories on aliases @> array[cve]
), listed as (
  select id, min(added_on) as added_on
  from records
  join vulnerabilities on id = vulnerability
  group by id
)
update vulnerabilities as vulnerability
set exploited_on = noted.added_on
from (
  select id, added_on from listed
  union all
  select id, null
  from vulnerabilities
  where exploited_on is not null
    and id not in (select id from listed)
) as noted
where vulnerability.id = noted.id
  and vulnerability.exploited_on is distinct from noted.added_on
returning vulnerability.id`

const replaceCyclesStatement = `
with read as (
  select product, cycle, "endsOn" as ends_on, "isEnded" as is_ended, latest, "releasedOn" as released_on
  from jsonb_to_recordset($1::jsonb) as read (
    product text, cycle text, "endsOn" date, "isEnded" boolean, latest text, "releasedOn" date
  )
), removed as (
  delete from release_cycles as known
  where not exists (select from read where read.product = known.product and read.cycle = known.cycle)
  returning product
), written as (
  insert into release_cycles as known (product, cycle, ends_on, is_ended, latest, released_on)
  select * from read
  on conflict (product, cycle) do update
  set ends_on = excluded.ends_on,
    is_ended = excluded.is_ended,
    latest = excluded.latest,
    released_on = excluded.released_on
  where known is distinct from excluded
  returning product
)
select product from removed
union
select product from written`

// A date counts before the flag, which was true when the feed was read.
const endCyclesStatement = `
with ended as (
  select
    'EOL:' || product || '-' || cycle as id,
    product,
    coalesce(names.name, product) || ' ' || cycle
      || case when ends_on is null then ' is no longer supported.' else ' has been without support since ' || ends_on || '.' end
      as summary,
    'https://endoflife.date/' || product as url,
    ends_on
  from release_cycles
  left join (
    select distinct on (eol) eol, name from unnest($2::text[], $3::text[]) as names (eol, name) order by eol, name
  ) as names on names.eol = product
  where case when ends_on is null then is_ended else ends_on <= $1::date end
), removed as (
  delete from vulnerabilities
  where source = 'endoflife'
    and id not in (select id from ended)
  returning id
), written as (
  insert into vulnerabilities as known (id, aliases, source, summary, url, published_at)
  select id, '{}', 'endoflife', summary, url, ends_on
  from ended
  on conflict (id) do update
  set summary = excluded.summary,
    published_at = excluded.published_at
  where (known.summary, known.published_at) is distinct from (excluded.summary, excluded.published_at)
  returning id
)
select product from ended join written using (id)
union all
select product
from release_cycles
join removed on removed.id = 'EOL:' || product || '-' || cycle`
