import { transactionSteps } from '#core/monitors/transaction-steps.ts'
import { transactionKind } from './transaction-kind.ts'

/** A transaction of at most five steps; the kinds of transaction differ by that number alone. */
export const transaction = transactionKind('transaction', transactionSteps.transaction)
