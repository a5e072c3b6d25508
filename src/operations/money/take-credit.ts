import type { CreditReason } from '#core/money/payment.ts'
import type { QuoteRecord } from '#core/money/payment-required.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { type Price, quoteOf } from '#core/money/quote.ts'
import { addCredit, lockCredit } from '#store/money/credit.ts'
import type { Caller } from '#operations/pipeline/operation.ts'
import type { Transaction } from '#store/database/database.ts'
import { spendBudget } from '#store/people/oauth-grants.ts'

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
  /** An agent whose budget this counts for. Absent for others, and for what is paid again each month. */
  spender?: Spender | null | undefined
  at: Date
}

/** `broughtCents`: what the caller has paid for this very request, which is none of the workspace's own money. */
export type Spender = { registrationId: string; broughtCents: number }

/** Whose budget counts for what a caller asks for; null where none does. */
export function spenderOf({ actorKind, actorId }: Caller, broughtCents = 0): Spender | null {
  return actorKind === 'agent' && actorId !== null ? { registrationId: actorId, broughtCents } : null
}

/**
 * Pays from credit; a price of 0 leaves no row. Before any monitor is locked. Throws ShortOfCredit, and
 * `budget_exceeded`.
 */
export async function takeCredit(tx: Transaction, spending: Spending): Promise<void> {
  const { workspaceId, price, reason, description, monitor, maxCents = Infinity, at } = spending
  if (price.priceCents === 0) return
  if (price.priceCents > maxCents)
    throw invalidFields({ 'Perigee-Max-Price': [`Must be at least ${price.priceCents}, the price in cents.`] })
  const creditCents = await lockCredit(tx, workspaceId)
  await takeBudget(tx, { cents: Math.min(price.priceCents, creditCents), spender: spending.spender })
  const quote = quoteOf(price, creditCents)
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

async function takeBudget(
  tx: Transaction,
  { cents, spender }: { cents: number; spender: Spending['spender'] },
): Promise<void> {
  const own = spender === null || spender === undefined ? 0 : cents - spender.broughtCents
  if (spender === null || spender === undefined || own <= 0) return
  if (await spendBudget(tx, { registrationId: spender.registrationId, cents: own })) return
  throw fail(
    'budget_exceeded',
    'This would take more of the credit of the workspace than its owner let this program spend. Nothing was taken.',
  )
}
