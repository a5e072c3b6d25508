import type { CreditReason } from '#core/money/payment.ts'
import type { QuoteRecord } from '#core/money/payment-required.ts'
import { invalidFields } from '#core/language/error.ts'
import { type Price, quoteOf } from '#core/money/quote.ts'
import { addCredit, lockCredit } from '#store/money/credit.ts'
import type { Transaction } from '#store/database/database.ts'

/** The work costs more than the credit. Thrown out of its transaction, which is rolled back. */
export class ShortOfCredit extends Error {
  override readonly name = 'ShortOfCredit'
  readonly quote: QuoteRecord
  /** What would be paid for. In ASCII, because a challenge carries it in a header. */
  readonly description: string

  constructor(quote: QuoteRecord, description: string) {
    super(`${quote.amount_due_cents} cents are missing for: ${description}.`)
    this.quote = quote
    this.description = description
  }
}

export type Spending = {
  workspaceId: string
  price: Price
  reason: Exclude<CreditReason, 'payment'>
  /** In ASCII; the ledger adds the monitor's name. */
  description: string
  monitor: { id: string; name: string }
  /** What the caller is ready to pay. Absent: any price. */
  maxCents?: number | undefined
  at: Date
}

/** Pays from credit; a price of 0 leaves no row. Before any monitor is locked. Throws ShortOfCredit. */
export async function takeCredit(tx: Transaction, spending: Spending): Promise<void> {
  const { workspaceId, price, reason, description, monitor, maxCents = Infinity, at } = spending
  if (price.priceCents === 0) return
  if (price.priceCents > maxCents)
    throw invalidFields({ 'Perigee-Max-Price': [`Must be at least ${price.priceCents}, the price in cents.`] })
  const quote = quoteOf(price, await lockCredit(tx, workspaceId))
  if (quote.amount_due_cents > 0) throw new ShortOfCredit(quote, description)
  await addCredit(tx, {
    workspaceId,
    amountCents: -price.priceCents,
    reason,
    description: `${description}: ${monitor.name}`,
    monitorId: monitor.id,
    at,
  })
}
