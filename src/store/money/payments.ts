import type { PaymentMethodName, PaymentPurpose, PaymentRecord } from '#core/money/payment.ts'
import { type Receipt, type Seller, issueReceipt, receiptSchema } from '#core/money/receipt.ts'
import { type VatTreatment, decideVat } from '#core/money/vat.ts'
import { addCredit } from './credit.ts'
import type { Reader, Transaction } from '#store/database/database.ts'

const maxListed = 500

/** Money that has arrived. */
export type NewPayment = {
  id: string
  workspaceId: string
  method: PaymentMethodName
  /** The processor's id of the payment, unique in its method. */
  reference: string
  amountCents: number
  purpose: PaymentPurpose
  /** Shown on the receipt and in the ledger. */
  description: string
  livemode: boolean
  at: Date
  seller: Seller
}

/**
 * Writes the payment with its VAT, a receipt that never changes, and the credit that it becomes. Locks the workspace
 * first and the series of receipts last, since the numbers of every workspace wait for that row.
 */
export async function recordPayment(tx: Transaction, payment: NewPayment): Promise<PaymentRecord> {
  const { id, workspaceId, method, amountCents, at } = payment
  const customer = await lockCustomer(tx, workspaceId)
  const known = {
    country: customer.billing_country,
    vatId: customer.billing_vat_id,
    isVatIdConfirmed: customer.vat_confirmed,
  }
  const vat = decideVat(known, payment.seller, { amountCents, at })
  const row = {
    id,
    method,
    reference: payment.reference,
    amount_cents: amountCents,
    purpose: payment.purpose,
    net_cents: vat.netCents,
    vat_cents: vat.vatCents,
    vat_rate: vat.rate,
    vat_treatment: vat.treatment,
    livemode: payment.livemode,
  }
  const record: PaymentRecord = { ...row, currency: 'usd', created_at: at.toISOString() }
  const number = await nextNumber(tx, payment.livemode)
  const { vat_confirmed: _confirmed, closed_reason: _reason, ...billing } = customer
  const { description, seller } = payment
  const receipt = issueReceipt({ number, payment: record, description, seller, customer: billing, vat })
  await tx.query
    .insertInto('payments')
    .values({
      ...row,
      workspace_id: workspaceId,
      receipt_number: number,
      receipt: JSON.stringify(receipt),
      created_at: at,
    })
    .execute()
  await addCredit(tx, { workspaceId, amountCents, reason: 'payment', description, paymentId: id, at })
  return record
}

/** The newest 500, newest first. */
export async function listPayments(reader: Reader, workspaceId: string): Promise<PaymentRecord[]> {
  const rows = await selectPayments(reader, workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute()
  return rows.map(toRecord)
}

type Named = { workspaceId: string; paymentId: string }

/** Null when the workspace has no such payment. */
export async function findPayment(reader: Reader, { workspaceId, paymentId }: Named): Promise<PaymentRecord | null> {
  const row = await selectPayments(reader, workspaceId).where('id', '=', paymentId).executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** As it was issued; null when the workspace has no such payment. */
export async function findReceipt(reader: Reader, { workspaceId, paymentId }: Named): Promise<Receipt | null> {
  const row = await reader.query
    .selectFrom('payments')
    .select('receipt')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', paymentId)
    .executeTakeFirst()
  // PostgreSQL keeps the members of jsonb in an order of its own; parsing gives them the order of the schema, which
  // people read.
  return row === undefined ? null : receiptSchema.parse(row.receipt)
}

const customerColumns = [
  'billing_name',
  'billing_address',
  'billing_country',
  'billing_vat_id',
  'vat_confirmed',
  'closed_reason',
] as const

/** A payment that has arrived is recorded even for a workspace that was closed meanwhile. */
async function lockCustomer(tx: Transaction, workspaceId: string) {
  const customer = await tx.query
    .selectFrom('workspaces')
    .select(customerColumns)
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (customer.closed_reason === 'claimed') throw new Error(`The workspace ${workspaceId} has moved into another one.`)
  return customer
}

/** The row stays locked until the payment is committed or rolled back, so the numbers have no gaps. */
async function nextNumber(tx: Transaction, livemode: boolean): Promise<number> {
  const { last_number: number } = await tx.query
    .updateTable('receipt_series')
    .set(({ eb }) => ({ last_number: eb('last_number', '+', '1') }))
    .where('livemode', '=', livemode)
    .returning('last_number')
    .executeTakeFirstOrThrow()
  return Number(number)
}

type Row = Omit<PaymentRecord, 'amount_cents' | 'net_cents' | 'vat_cents' | 'currency' | 'created_at'> & {
  amount_cents: string
  net_cents: string
  vat_cents: string
  created_at: Date
}

function selectPayments(reader: Reader, workspaceId: string) {
  return reader.query
    .selectFrom('payments')
    .select([
      'id',
      'method',
      'reference',
      'amount_cents',
      'purpose',
      'net_cents',
      'vat_cents',
      'vat_rate',
      'vat_treatment',
      'livemode',
      'created_at',
    ])
    .$narrowType<{ method: PaymentMethodName; purpose: PaymentPurpose; vat_treatment: VatTreatment }>()
    .where('workspace_id', '=', workspaceId)
}

function toRecord({ created_at: createdAt, ...row }: Row): PaymentRecord {
  return {
    ...row,
    amount_cents: Number(row.amount_cents),
    currency: 'usd',
    net_cents: Number(row.net_cents),
    vat_cents: Number(row.vat_cents),
    created_at: createdAt.toISOString(),
  }
}
