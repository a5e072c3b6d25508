import { transactionKind } from './transaction-kind.ts'

/** At most three steps. Specification L601. */
export const microTransaction = transactionKind('micro_transaction', 3)
