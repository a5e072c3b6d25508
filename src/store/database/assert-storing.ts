import type { Database, Transaction } from './database.ts'

/**
 * More rows than fit into the memory that the statement may use, so that the server writes some 90 kB of them to its
 * disk, and takes them away again. A row that is changed finds room in its page even where the disk is full; only a
 * file that grows tells whether new results will find any.
 */
const growFile = `
  set local work_mem = '64kB';
  with wide as materialized (select repeat('x', 8000) from generate_series(1, 12))
  select count(*) from wide`

/**
 * Rejects while the server has no room on its disk for anything new. `further` is a statement without values that
 * follows in the same message.
 */
export async function assertRoom({ client }: Pick<Transaction, 'client'>, further = ''): Promise<void> {
  await client.query(`${growFile};${further}`)
}

/**
 * Rejects while the database cannot store: it is away, takes no changes, or its disk is full. Commits the lock of a row
 * that nobody changes, which is a write, leaves nothing behind and waits for nobody.
 */
export async function assertStoring(database: Database): Promise<void> {
  await database.transaction(async ({ client }) => {
    await assertRoom({ client })
    await client.query('select from schema_migrations where number = 1 for key share skip locked')
  })
}
