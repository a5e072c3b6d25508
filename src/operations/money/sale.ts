import type { PaymentPurpose } from '#core/money/payment.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import { type Rivalry, findRival } from '#store/money/payment-attempt-begin.ts'
import { type PaymentAttempt, finishAttempts, lockAttempt } from '#store/money/payment-attempts.ts'
import type { Json } from '#store/database/schema.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'
import type { Reply, SentPayment } from '#operations/pipeline/operation.ts'
import type { Wish } from './payment-credential.ts'
import { ShortOfCredit } from './take-credit.ts'

/** What was done. `result` is kept with the payment, for repeats; `reply` is called once that is committed. */
export type Done = { result: Json; reply: () => Reply | Promise<Reply> }

/** Who repeats a request that is done: its payer, or somebody who was about to pay for the same. */
export type Repeat = { result: unknown; workspaceId: string; isPayer: boolean }

/** One paid operation for one request: the same steps for all of them are in paying.ts. */
export type Sale = {
  wish: Wish
  purpose: PaymentPurpose
  payment: SentPayment
  /** Where the work's transaction runs. Of a caller with an account its commit also holds the entry in the audit log. */
  database: Database
  /** Says that this request changes nothing, so that the audit log has nothing to tell. */
  noteNothing: () => void
  /**
   * Validates, prices, takes the credit and does it, all in one transaction. Throws ShortOfCredit, or what the caller is
   * told. `paid` is the payment that was made for it, null before one was. Nothing that costs anything is done twice: it
   * may run again.
   */
  work: (tx: Transaction, paid: PaymentAttempt | null) => Promise<Done>
  /** Answers with what is there now. */
  repeat: (repeat: Repeat) => Promise<Reply>
}

export type Worked =
  | { type: 'done'; result: Json; reply: Reply }
  /** It was done before for this payment. */
  | { type: 'done_before'; result: unknown }
  | { type: 'short'; short: ShortOfCredit }
  /** The same request is being paid for, or was a moment ago. */
  | { type: 'rivalled' }

/** With what the work is tried: a payment that was made for it, or a credential that must not pay twice, or neither. */
export type Means = { paid: PaymentAttempt | null; rivalry: Rivalry | null }

/**
 * Tries the work. What was paid for and is done is marked in the same transaction, and looked at under a lock before, so
 * that of several repeats at once one does it.
 */
export async function performWork(
  { wish, database, noteNothing, work }: Sale,
  { paid, rivalry, purposeHash, at }: Means & { purposeHash: Buffer; at: Date },
): Promise<Worked> {
  try {
    const worked = await database.transaction(async (tx) => {
      const before = paid === null ? await findRivalled(tx, wish, rivalry) : await findDone(tx, paid)
      if (before !== null) {
        noteNothing()
        return before
      }
      const done = await work(tx, paid)
      const workspaceId = paid?.workspaceId ?? wish.workspaceId
      if (workspaceId === null) throw new Error('Work without an account was done without a payment.')
      await finishAttempts(tx, { purposeHash, workspaceId, result: done.result, at })
      return { type: 'done', ...done } as const
    })
    return worked.type === 'done' ? { ...worked, reply: await worked.reply() } : worked
  } catch (error) {
    if (error instanceof ShortOfCredit) return { type: 'short', short: error }
    throw error
  }
}

/** What credit lacks for the work, which is not done; null where it would do. Throws what the caller is told. */
export async function findShortage({ database, work }: Sale): Promise<ShortOfCredit | null> {
  try {
    await database.transaction(async (tx) => {
      await work(tx, null)
      throw new NotMeant()
    })
  } catch (error) {
    if (error instanceof ShortOfCredit) return error
    if (!(error instanceof NotMeant)) throw error
  }
  return null
}

/** Thrown out of a transaction, so that nothing of it is done. */
class NotMeant extends Error {
  override readonly name = 'NotMeant'
}

/** Under the lock of the workspace, which whoever is paid for the same request takes before it credits the money. */
async function findRivalled(
  tx: Transaction,
  { workspaceId }: Wish,
  rivalry: Rivalry | null,
): Promise<{ type: 'rivalled' } | null> {
  if (rivalry === null || workspaceId === null) return null
  await lockWorkspace(tx, workspaceId)
  return (await findRival(tx, rivalry)) === null ? null : { type: 'rivalled' }
}

async function findDone(
  tx: Transaction,
  { id, workspaceId }: PaymentAttempt,
): Promise<{ type: 'done_before'; result: unknown } | null> {
  await lockWorkspace(tx, workspaceId)
  const { doneAt, result } = await lockAttempt(tx, id)
  return doneAt === null ? null : { type: 'done_before', result }
}
