import { textArray } from '#store/array-literal.ts'
import type { ProductKey } from '#core/software-name.ts'
import type { Database, Transaction } from './database.ts'

export type ComponentName = { product: ProductKey; version: string | null }

/** Whoever forgets components may take one that was just found; then it is made anew. */
const maxAttempts = 3

/**
 * The keys of these components, made where they are not there yet, in the order asked. They are held: they stay, and
 * nobody compares them with advisories, until the transaction ends.
 */
export async function holdComponents({ client }: Transaction, names: readonly ComponentName[]): Promise<string[]> {
  if (names.length === 0) return []
  const values = [textArray(names.map(({ product }) => product)), textArray(names.map(({ version }) => version))]
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    await client.query({ name: 'make_components', text: makeStatement, values })
    const { rows } = await client.query<ComponentName & { key: string }>({
      name: 'hold_components',
      text: holdStatement,
      values,
    })
    const keys = new Map(rows.map((row) => [identity(row), row.key]))
    const held = names.flatMap((name) => keys.get(identity(name)) ?? [])
    if (held.length === names.length) return held
  }
  throw new Error('Components were forgotten as often as they were made.')
}

/** Forgets what no monitor has any more; at most 10,000 a call. Returns how many. */
export async function forgetComponents({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const forgotten = await pool.query({ name: 'forget_components', text: forgetStatement })
  return forgotten.rowCount ?? 0
}

function identity({ product, version }: ComponentName): string {
  return `${product} ${version ?? ''}`
}

// In one order, so that those who make the same ones wait for each other in a row.
const makeStatement = `
insert into components (product, version)
select distinct product, version
from unnest($1::text[], $2::text[]) as named (product, version)
where not exists (
  select
  from components
  where components.product = named.product
    and (components.version = named.version or (components.version is null and named.version is null))
)
order by product, version
on conflict do nothing`

const holdStatement = `
select component.key, component.product, component.version
from (
  select distinct product, version
  from unnest($1::text[], $2::text[]) as asked (product, version)
) as named
join components as component
  on component.product = named.product
  and (component.version = named.version or (component.version is null and named.version is null))
order by component.key
for key share of component`

const forgetStatement = `
delete from components
where key in (
  select key
  from components
  where not exists (select from monitor_software where component_key = key)
  order by key
  limit 10000
  for update skip locked
)`
