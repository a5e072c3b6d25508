import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { creditTransactionSchema, paymentSchema } from '#core/money/payment.ts'
import { receiptSchema } from '#core/money/receipt.ts'
import { receiptMarkdown } from '#core/money/receipt-markdown.ts'
import { listCredit } from '#store/money/credit.ts'
import { findPayment, findReceipt, listPayments } from '#store/money/payments.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const listCreditTransactions = defineOperation({
  name: 'list_credit_transactions',
  method: 'GET',
  path: '/account/credit',
  scope: 'read',
  tag: 'Payments',
  summary: 'List additions to the credit and deductions from it, newest first',
  description: 'The newest 500. Each transaction shows the balance after it.',
  errors: [401],
  success: {
    status: 200,
    description: 'Transactions.',
    schema: z.strictObject({ data: z.array(creditTransactionSchema) }),
  },
  run: async ({ caller, services }) => ({
    status: 200,
    body: { data: await listCredit(services.database, caller.workspaceId) },
  }),
})

const list = defineOperation({
  name: 'list_payments',
  method: 'GET',
  path: '/payments',
  scope: 'read',
  tag: 'Payments',
  summary: 'List payments, newest first',
  description: 'The newest 500.',
  errors: [401],
  success: { status: 200, description: 'Payments.', schema: z.strictObject({ data: z.array(paymentSchema) }) },
  run: async ({ caller, services }) => ({
    status: 200,
    body: { data: await listPayments(services.database, caller.workspaceId) },
  }),
})

const get = defineOperation({
  name: 'get_payment',
  method: 'GET',
  path: '/payments/{id}',
  scope: 'read',
  tag: 'Payments',
  summary: 'Show a payment',
  errors: [401, 404],
  success: { status: 200, description: 'The payment.', schema: z.strictObject({ data: paymentSchema }) },
  run: async ({ caller, services }, { path: { id = '' } }) => {
    const payment = await findPayment(services.database, { workspaceId: caller.workspaceId, paymentId: id })
    return { status: 200, body: { data: payment ?? notFound() } }
  },
})

const getReceipt = defineOperation({
  name: 'get_receipt',
  method: 'GET',
  path: '/payments/{id}/receipt',
  scope: 'read',
  tag: 'Payments',
  summary: 'Show the receipt or invoice of a payment',
  description: 'As issued with the payment. Later changes to the billing details do not affect it.',
  errors: [401, 404],
  success: { status: 200, description: 'The receipt.', schema: receiptSchema, asMarkdown: markdownOf },
  run: async ({ caller, services }, { path: { id = '' } }) => {
    const receipt = await findReceipt(services.database, { workspaceId: caller.workspaceId, paymentId: id })
    return { status: 200, body: receipt ?? notFound() }
  },
})

export const paymentOperations = [listCreditTransactions, list, get, getReceipt]

function markdownOf(body: unknown): string {
  return receiptMarkdown(receiptSchema.parse(body))
}

function notFound(): never {
  throw fail('not_found', 'There is no such payment in this workspace.')
}
