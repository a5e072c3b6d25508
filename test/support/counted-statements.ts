import type { Transaction } from '#store/database/database.ts'

/** Counts what is sent over the client of a transaction. */
export function countedStatements(): { of: (tx: Transaction) => Transaction; count: () => number } {
  let statements = 0
  const counting = (client: Transaction['client']): Transaction['client'] =>
    new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') statements += 1
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  return { of: (tx) => ({ ...tx, client: counting(tx.client) }), count: () => statements }
}
