import assert from 'node:assert/strict'
import type { Database, Transaction } from '#store/database/database.ts'

/**
 * A database whose server ends the connection of each transaction before the statement of this number, counted from 0,
 * as if the process had been killed there.
 */
export function dyingDatabase(database: Database, diesAt: number): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const { rows } = await transaction.client.query<{ pid: number }>('select pg_backend_pid() as pid')
        return work({ ...transaction, client: dying(transaction.client, { diesAt, database, pid: rows[0]?.pid ?? 0 }) })
      }),
  }
}

function dying(
  client: Transaction['client'],
  { diesAt, database, pid }: { diesAt: number; database: Database; pid: number },
): Transaction['client'] {
  let statements = 0
  const query: unknown = Reflect.get(client, 'query')
  assert.ok(typeof query === 'function')
  return new Proxy(client, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name, target)
      return async (...given: unknown[]) => {
        statements += 1
        if (statements > diesAt) await database.pool.query('select pg_terminate_backend($1, 1000)', [pid])
        return Reflect.apply(query, target, given)
      }
    },
  })
}
