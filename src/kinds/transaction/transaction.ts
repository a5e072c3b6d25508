import { transactionKind } from './transaction-kind.ts'

/** At most five steps. Specification L601. */
export const transaction = transactionKind('transaction', 5)
