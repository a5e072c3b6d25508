import type { Database, Transaction } from './database.ts'

/** A transaction that waits for no lock and works on no statement for longer than it was given. */
export function boundedTransaction<T>(
  database: Database,
  { lockTimeoutMs, statementTimeoutMs }: { lockTimeoutMs: number; statementTimeoutMs: number },
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.client.query(
      `set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = ${statementTimeoutMs}`,
    )
    return work(transaction)
  })
}
