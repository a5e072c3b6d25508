import { textArray } from '#store/database/array-literal.ts'
import type { ProductKey } from '#core/software/software-name.ts'
import type { Database, Transaction } from '#store/database/database.ts'

export type ComponentName = { product: ProductKey; version: string | null }

/** Others may forget, or make, what was just looked for; then it is looked for anew. */
const maxAttempts = 3

/**
 * The keys of these components in the order asked; missing components are made. They are held until the transaction
 * ends: they stay, and no comparison with advisories takes them.
 */
export async function holdComponents(tx: Transaction, names: readonly ComponentName[]): Promise<string[]> {
  const wanted = new Map(names.map((name) => [identity(name), name]))
  const keys = new Map<string, string>()
  for (let attempt = 1; attempt <= maxAttempts && wanted.size > 0; attempt += 1)
    for (const statement of [holdStatement, makeStatement])
      for (const { key, ...name } of await named(tx, statement, [...wanted.values()])) {
        keys.set(identity(name), key)
        wanted.delete(identity(name))
      }
  if (wanted.size > 0) throw new Error('Components were forgotten as often as they were made.')
  return names.flatMap((name) => keys.get(identity(name)) ?? [])
}

/** Forgets what no monitor has any more, and no scan of an exposure waits for; at most 10,000 a call. Returns how many. */
export async function forgetComponents({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const forgotten = await pool.query({ name: 'forget_components', text: forgetStatement })
  return forgotten.rowCount ?? 0
}

async function named(
  { client }: Transaction,
  statement: { name: string; text: string },
  names: readonly ComponentName[],
): Promise<(ComponentName & { key: string })[]> {
  if (names.length === 0) return []
  const { rows } = await client.query<ComponentName & { key: string }>({
    ...statement,
    values: [textArray(names.map(({ product }) => product)), textArray(names.map(({ version }) => version))],
  })
  return rows
}

function identity({ product, version }: ComponentName): string {
  return `${product} ${version ?? ''}`
}

// Each name is looked up in the index: a join reads all components that there are.
const holdStatement = {
  name: 'hold_components',
  text: `
select key, product, version
from components
where key = any(array(
  select found.key
  from unnest($1::text[], $2::text[]) as asked (product, version)
  cross join lateral (
    select key
    from components
    where product = asked.product
      and version = asked.version
    union all
    select key
    from components
    where product = asked.product
      and version is null
      and asked.version is null
  ) as found
))
order by product, key
for key share`,
}

// In one order, so that transactions that make the same components wait for each other in a row.
const makeStatement = {
  name: 'make_components',
  text: `
insert into components (product, version)
select product, version
from unnest($1::text[], $2::text[]) as named (product, version)
order by product, version
on conflict do nothing
returning key, product, version`,
}

const forgetStatement = `
delete from components
where key in (
  select key
  from components
  where not exists (select from monitor_software where component_key = key)
    and not exists (select from exposure_scans where component_key = key)
  order by key
  limit 10000
  for update skip locked
)`
