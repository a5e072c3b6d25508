import { concernedProducts } from '#core/software/software-catalog.ts'
import type { ProductKey } from '#core/software/software-name.ts'
import type { Transaction } from '#store/database/database.ts'

/**
 * Notes products that monitors have and whose advisories changed, to be matched again. Matching deletes rows in its own
 * transaction: a row that is noted meanwhile waits for its end, and stays.
 */
export async function enqueueMatches({ client }: Transaction, products: readonly ProductKey[]): Promise<void> {
  if (products.length === 0) return
  const concerned = [...new Set(products.flatMap(concernedProducts))].toSorted()
  await client.query({ name: 'enqueue_matches', text: enqueueStatement, values: [concerned] })
}

const enqueueStatement = `
insert into match_queue (product)
select concerned.product
from unnest($1::text[]) as concerned (product)
where exists (select from components where components.product = concerned.product)
order by concerned.product
on conflict (product) do nothing`
