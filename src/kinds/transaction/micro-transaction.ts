import { transactionSteps } from '#core/monitors/transaction-steps.ts'
import { transactionKind } from './transaction-kind.ts'

/** A transaction of at most three steps; the kinds of transaction differ by that number alone. */
export const microTransaction = transactionKind('micro_transaction', transactionSteps.micro_transaction)
