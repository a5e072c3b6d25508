/** How many steps a transaction of each kind has at most, the smallest first. */
export const transactionSteps = { micro_transaction: 3, transaction: 5, extended_transaction: 10 } as const

export const maxTransactionSteps: number = Math.max(...Object.values(transactionSteps))
