import { transactionSteps } from '#core/monitors/transaction-steps.ts'
import { transactionKind } from './transaction-kind.ts'

/** A transaction of at most ten steps; the kinds of transaction differ by that number alone. */
export const extendedTransaction = transactionKind('extended_transaction', transactionSteps.extended_transaction)
