import { t } from '@lingui/core/macro'
import type { BillingDetailsRecord } from '#core/account.ts'
import type { PlanTermsRecord, VatPreviewRecord } from '#core/money/billing-terms.ts'
import type { CreditTransactionRecord, PaymentRecord } from '#core/money/payment.ts'
import type { Receipt } from '#core/money/receipt.ts'
import type { WorkspaceContentsRecord } from '#operations/workspaces/workspace-takeover.ts'
import { ApiError } from './ask.ts'
import { type MonitorRecord, api } from './console.ts'

export type { BillingDetailsRecord, CreditTransactionRecord, PaymentRecord, PlanTermsRecord, Receipt }
export type { VatPreviewRecord, WorkspaceContentsRecord }

export type MoneyApi = ReturnType<typeof moneyApi>

/** Requests of owners about money in one workspace; paying itself is in pay.ts. */
export function moneyApi(workspaceId: string) {
  const { get, list, post, put, page, text } = api(workspaceId)
  return {
    readPlanTerms: () => get<PlanTermsRecord>('/account/plan'),
    /** How VAT would be part of a payment; refuses amounts that cannot be paid. */
    previewVat: (amountCents: number) => get<VatPreviewRecord>(`/account/vat?amount_cents=${amountCents}`),
    updateBilling: (details: BillingDetailsRecord) => put<BillingDetailsRecord>('/account/billing', details),
    listCredit: () => list<CreditTransactionRecord>('/account/credit'),
    listPayments: () => list<PaymentRecord>('/payments'),
    /** Null when the workspace has no such payment. */
    readReceipt: (id: string) => page<Receipt>(receiptPath(id)).catch(nullForMissing),
    readReceiptText: (id: string) => text(receiptPath(id), 'text/markdown'),
    /** From credit alone. */
    renew: (id: string) => post<MonitorRecord>(`/monitors/${id}/renew`, {}).catch(sayCredit),
    viewTakeover: (key: string) => post<WorkspaceContentsRecord>('/workspace/takeover/view', { api_key: key }),
    takeOver: (key: string) => post<WorkspaceContentsRecord>('/workspace/takeover', { api_key: key }),
  }
}

function receiptPath(id: string): string {
  return `/payments/${encodeURIComponent(id)}/receipt`
}

function nullForMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

/** A 402 speaks to payers; the console pays from credit only, so it says that credit is short. */
function sayCredit(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 402) throw error
  const { status, code } = error
  throw new ApiError({ status, code, message: t`Credit does not cover this. Top it up first.` })
}
