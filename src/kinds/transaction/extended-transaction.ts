import { transactionKind } from './transaction-kind.ts'

/** At most ten steps. Specification L601. */
export const extendedTransaction = transactionKind('extended_transaction', 10)
