import type { PaymentPurpose } from '#core/money/payment.ts'
import type { Reply, SentPayment } from '#operations/pipeline/operation.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import type { Json } from '#store/database/schema.ts'
import { type Rivalry, findRival } from '#store/money/payment-attempt-begin.ts'
import { type PaymentAttempt, finishAttempts, lockAttempt } from '#store/money/payment-attempts.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'
import { type Wish, purposeHashOf } from './payment-credential.ts'
import { ShortOfCredit } from './take-credit.ts'

/** What the work made. `result` is kept with the payment, for repeats; `reply` is called after the commit. */
export type Done = {
  result: Json
  reply: () => Reply | Promise<Reply>
  /** True where the work saw, under the lock of the workspace, that no payment waits for what it was made for. */
  isNothingOwed?: boolean
}

/** A repeat of a request that is done. `isPayer`: the repeat carries the credential that paid for it. */
export type Repeat = { result: unknown; workspaceId: string; isPayer: boolean }

/** One request that may cost something; `fulfil` handles it. */
export type Sale = {
  wish: Wish
  purpose: PaymentPurpose
  payment: SentPayment
  /** Where the work's transaction runs. For a caller with an account its commit also holds the entry of the audit log. */
  database: Database
  /** Says that this request changes nothing, so that the audit log has nothing to tell. */
  noteNothing: () => void
  /**
   * Validates, prices, takes the credit and makes what was asked for, all in one transaction. Throws ShortOfCredit, or
   * the refusal of the request. `paid` is the payment that was made for it, null before one was. May run several times:
   * it changes nothing but the database.
   */
  work: (tx: Transaction, paid: PaymentAttempt | null) => Promise<Done>
  /** Answers with what is there now. */
  repeat: (repeat: Repeat) => Promise<Reply>
}

type Worked = { type: 'done'; result: Json; reply: Reply }
type Short = { type: 'short'; short: ShortOfCredit }

/** `challengeId`: of the credential that was sent, null without one. */
export type Moment = { challengeId: string | null; at: Date }

/** Does the work with what is there: a slot of the plan, or credit. */
export function workWithoutPaying(sale: Sale, moment: Moment): Promise<Worked | Short> {
  return tryWork<never>(sale, { ...moment, paid: null, findEarlier: async () => null })
}

/** The same for a credential that must not pay twice: nothing is done while a rival pays, or has paid, for the same. */
export function workWithoutRivals(
  sale: Sale,
  { rivalry, ...moment }: Moment & { rivalry: Rivalry | null },
): Promise<Worked | Short | { type: 'rivalled' }> {
  return tryWork(sale, { ...moment, paid: null, findEarlier: (tx) => findRivalled(tx, sale.wish, rivalry) })
}

/** The same with a payment that was made for it, or what was made for that payment before. */
export function workForPayment(
  sale: Sale,
  { paid, ...moment }: Moment & { paid: PaymentAttempt },
): Promise<Worked | Short | { type: 'done_before'; result: unknown }> {
  return tryWork(sale, { ...moment, paid, findEarlier: (tx) => findDone(tx, paid) })
}

/** What credit lacks for the work, which is not done; null where credit suffices. Throws the refusal of the request. */
export async function findShortage({ database, work }: Sale): Promise<ShortOfCredit | null> {
  try {
    await database.transaction(async (tx) => {
      await work(tx, null)
      throw new Undone()
    })
  } catch (error) {
    if (error instanceof ShortOfCredit) return error
    if (!(error instanceof Undone)) throw error
  }
  return null
}

/** Thrown out of a transaction to roll it back. */
class Undone extends Error {
  override readonly name = 'Undone'
}

type Try<Earlier> = Moment & {
  paid: PaymentAttempt | null
  /** What makes the work needless. It is looked for under the lock of the workspace, so of several repeats one works. */
  findEarlier: (tx: Transaction) => Promise<Earlier | null>
}

/** Payments that wait for the work are marked as done in its own transaction, so a crash leaves both or neither. */
async function tryWork<Earlier extends { type: string }>(
  { wish, database, noteNothing, work }: Sale,
  { challengeId, at, paid, findEarlier }: Try<Earlier>,
): Promise<Worked | Short | Earlier> {
  try {
    const tried = await database.transaction(async (tx) => {
      const earlier = await findEarlier(tx)
      if (earlier !== null) {
        noteNothing()
        return { earlier, done: null }
      }
      const done = await work(tx, paid)
      const workspaceId = paid?.workspaceId ?? wish.workspaceId
      if (workspaceId === null) throw new Error('Work without an account was done without a payment.')
      const { result, isNothingOwed = false } = done
      if (!isNothingOwed)
        await finishAttempts(tx, { purposeHash: purposeHashOf(wish, challengeId), workspaceId, result, at })
      return { earlier: null, done }
    })
    if (tried.done === null) return tried.earlier
    const { result, reply } = tried.done
    return { type: 'done', result, reply: await reply() }
  } catch (error) {
    if (error instanceof ShortOfCredit) return { type: 'short', short: error }
    throw error
  }
}

/** Under the lock of the workspace, which a payment for the same request takes before it is credited. */
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
