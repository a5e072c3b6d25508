import type { ReleaseCycle } from '#core/software/advisory.ts'
import type { ProductKey } from '#core/software/software-name.ts'
import { numberArray, textArray } from '#store/database/array-literal.ts'
import type { Database, Transaction } from '#store/database/database.ts'

/** A product and version that is to be compared with what is known of its product. */
export type Component = {
  key: string
  product: ProductKey
  version: string | null
  /** It was never compared before. */
  isNew: boolean
}

/** Whether there is anything to compare, asked without any lock. */
export async function hasUnmatched({ pool }: Pick<Database, 'pool'>, staleBefore: Date): Promise<boolean> {
  const { rows } = await pool.query<{ waits: boolean }>({
    name: 'has_unmatched',
    text: `select exists (select from match_queue)
      or exists (select from components where matched_at is null)
      or exists (select from components where matched_at < $1) as waits`,
    values: [staleBefore],
  })
  return rows[0]?.waits ?? false
}

/**
 * Takes the products that have waited longest from the queue; whatever concerns them is to be compared in this
 * transaction.
 */
export async function takeQueued({ client }: Transaction, limit: number): Promise<ProductKey[]> {
  const { rows } = await client.query<{ product: ProductKey }>({
    name: 'take_queued',
    text: `delete from match_queue
    where product in (select product from match_queue order by enqueued_at limit $1 for update skip locked)
    returning product`,
    values: [limit],
  })
  return rows.map(({ product }) => product)
}

/**
 * Holds the components of these products until the transaction ends, a page at a time after the given component, so
 * that no change of a list takes them meanwhile. In the order in which lists hold components (`holdComponents`).
 */
export async function holdOfProducts(
  { client }: Transaction,
  products: readonly ProductKey[],
  { after, limit }: { after: Pick<Component, 'product' | 'key'> | null; limit: number },
): Promise<Component[]> {
  const { rows } = await client.query<Component>({
    name: 'hold_of_products',
    text: `select key, product, version, matched_at is null as "isNew"
    from components
    where product = any($1::text[])
      and (product, key) > ($2, $3)
    order by product, key
    limit $4
    for update`,
    values: [textArray(products), after?.product ?? '', after?.key ?? 0, limit],
  })
  return rows
}

/**
 * The same for components that were never compared, or last compared before a time: the oldest ones, and others of the
 * same products, so that a product is looked at seldom. Returns none where other processes have all of them.
 */
export async function holdUnmatched(
  { client }: Transaction,
  { staleBefore, limit }: { staleBefore: Date; limit: number },
): Promise<Component[]> {
  const oldest = await client.query<Component>({
    name: 'hold_unmatched',
    text: `select key, product, version, matched_at is null as "isNew"
    from components
    where ${isUnmatched('$1')}
    order by matched_at nulls first
    limit $2
    for update skip locked`,
    values: [staleBefore, Math.ceil(limit / oldestShare)],
  })
  if (oldest.rows.length === 0) return []
  const alike = await client.query<Component>({
    name: 'hold_alike',
    text: `select key, product, version, matched_at is null as "isNew"
    from components
    where product = any($2::text[])
      and ${isUnmatched('$1')}
      and key <> all($3::bigint[])
    order by product
    limit $4
    for update skip locked`,
    values: [
      staleBefore,
      textArray([...new Set(oldest.rows.map(({ product }) => product))]),
      numberArray(oldest.rows.map(({ key }) => Number(key))),
      limit - oldest.rows.length,
    ],
  })
  return [...oldest.rows, ...alike.rows]
}

/** At least so many of the held components are the oldest ones. */
const oldestShare = 10

function isUnmatched(staleBefore: string): string {
  return `(matched_at is null or matched_at < ${staleBefore})`
}

/** The cycles of these products of endoflife.date, by product. */
export async function readCycles(
  { client }: Transaction,
  products: readonly string[],
): Promise<Map<string, Omit<ReleaseCycle, 'releasedOn'>[]>> {
  const { rows } = await client.query<Omit<ReleaseCycle, 'releasedOn'> & { product: string }>({
    name: 'read_cycles',
    text: `select product, cycle, ends_on::text as "endsOn", is_ended as "isEnded", latest
    from release_cycles
    where product = any($1::text[])
    order by product, cycle`,
    values: [products],
  })
  return Map.groupBy(rows, ({ product }) => product)
}
