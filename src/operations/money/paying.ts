import { replayMs } from '#core/money/pricing.ts'
import { type AppError, fail } from '#core/language/error.ts'
import type { PaymentRecord } from '#core/money/payment.ts'
import type { Payments } from '#payments/index.ts'
import type { Credential, Order } from '#payments/method.ts'
import { type Sent, formatReceipt, issuedAt, readCredential, receiptOf } from '#payments/mpp.ts'
import { type Rivalry, findRival } from '#store/money/payment-attempt-begin.ts'
import { type PaymentAttempt, findAttemptOf, readAttempt } from '#store/money/payment-attempts.ts'
import { findPayment } from '#store/money/payments.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import { chargeOnce, concludeAttempt, leaveToPayer, stillOpen } from './payment-charge.ts'
import {
  type PaymentProblem,
  externalIdOf,
  isLive,
  judgePayment,
  payloadHashOf,
  purposeHashOf,
} from './payment-credential.ts'
import { paymentRequired } from './payment-required.ts'
import { type Sale, findShortage, performWork } from './sale.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { ShortOfCredit } from './take-credit.ts'

/**
 * The one way in which anything is paid for (decisions.md A7), after everything but the price was looked at: what was
 * done before is answered again; credit is used; only what is missing then is asked for, charged once, credited, and
 * the work is tried again with it. Wherever that breaks off, a repeat of the request goes on from there.
 */
export async function sell(
  { services, now: at }: { services: Pick<Services, 'payments'>; now: Date },
  sale: Sale,
): Promise<Reply> {
  const sent = readCredential(sale.payment.credential)
  const purposeHash = purposeHashOf(sale.wish, sent.type === 'one' ? sent.credential.challenge.id : null)
  const { payments } = services
  if (payments === null) return sellForCredit(sale, { purposeHash, sent, at })
  const visit = { payments, sale, externalId: externalIdOf(sale.wish), purposeHash, sent, at, besides: [] }
  // Others may pay for the same request meanwhile; then it is looked at again.
  for (let tries = 0; tries < maxTries; tries += 1) {
    const reply = await visitOnce(visit)
    if (reply !== null) return reply
  }
  throw stillOpen()
}

const maxTries = 4

type Visit = {
  payments: Payments
  sale: Sale
  externalId: string
  purposeHash: Buffer
  sent: Sent
  at: Date
  /** Attempts at the same request that were looked at and have nothing to give; grows. */
  besides: string[]
}

/** Where nobody can be charged: what was paid before still counts. */
async function sellForCredit(
  sale: Sale,
  { purposeHash, sent, at }: Pick<Visit, 'purposeHash' | 'sent' | 'at'>,
): Promise<Reply> {
  const till = { database: sale.database, methods: [] }
  const own = sent.type === 'one' ? await findAttemptOf(sale.database, sent.credential.challenge.id) : null
  if (own?.state === 'succeeded' && own.purposeHash.equals(purposeHash)) {
    const isPayer = sent.type === 'one' && isPaidBy(own, sent.credential)
    const delivered = await deliver({ sale, payments: till, purposeHash, at }, own, { isPayer })
    if (delivered.type === 'answered') return delivered.reply
    throw switchedOff(delivered.short)
  }
  const worked = await performWork(sale, { purposeHash, at, paid: null, rivalry: null })
  if (worked.type === 'done') return worked.reply
  throw switchedOff(worked.type === 'short' ? worked.short : null)
}

function switchedOff(short: ShortOfCredit | null): AppError {
  const why = short === null ? '' : `${short.message} `
  return fail('payments_disabled', `${why}Payments are switched off here.`)
}

/** Null when somebody else paid for the same request meanwhile. */
async function visitOnce(visit: Visit): Promise<Reply | null> {
  const { payments, sale, externalId, purposeHash, sent, at } = visit
  const repeated = sent.type === 'one' ? await answerRepeat(visit, sent.credential) : null
  if (repeated?.type === 'answered') return repeated.reply
  if (repeated?.type === 'over') return refuseLate(visit, repeated)
  const rivalry = rivalryOf(visit)
  const worked = await performWork(sale, { purposeHash, at, paid: null, rivalry })
  if (worked.type === 'done') return worked.reply
  if (worked.type !== 'short') return null
  const { short } = worked
  if (repeated !== null) return refuse(visit, repeated.problem, short)
  const judged = await judgePayment(payments, sent, { order: orderOf(externalId, short), at })
  if (!judged.ok) return refuse(visit, judged.problem, short)
  if (rivalry === null) throw new Error('A credential was taken whose challenge is not one of this request.')
  const { wish, purpose } = sale
  const charge = { purposeHash, wish, purpose, description: short.description, at, rivalry }
  const charged = await chargeOnce(payments, judged, charge)
  if (charged.type === 'refused') return refuse(visit, charged.problem, short)
  return charged.isPayer ? deliverOrAsk(visit, charged.attempt, charged) : deliverRest(visit, charged.attempt)
}

/** Null without a live credential of this request: then nothing of it is paid, and nothing can be paid twice. */
function rivalryOf({ payments, sale, externalId, purposeHash, sent, at, besides }: Visit): Rivalry | null {
  if (sent.type !== 'one') return null
  const { credential } = sent
  if (!isLive(payments, credential, { externalId, at })) return null
  const begunAfter = new Date(at.getTime() - replayMs)
  return {
    purposeHash,
    challengeId: credential.challenge.id,
    // Without a key what is asked for after it was done is another wish.
    doneSince: sale.wish.idempotencyKey === null ? issuedAt(credential.challenge) : begunAfter,
    begunAfter,
    besides,
  }
}

type Repeated =
  | Answered
  /** The credential was used up for nothing. */
  | { type: 'used'; problem: PaymentProblem }
  /** What it paid for was done too long ago to be answered as its success. */
  | { type: 'over'; attempt: PaymentAttempt }

/** Null where the credential stands for a wish that nobody has paid for. */
async function answerRepeat(visit: Visit, credential: Credential): Promise<Repeated | null> {
  const { payments, purposeHash } = visit
  const { id: challengeId } = credential.challenge
  const own = await findAttemptOf(payments.database, challengeId)
  if (own !== null) return own.purposeHash.equals(purposeHash) ? repeatOwn(visit, own, credential) : null
  const rivalry = rivalryOf(visit)
  const rival = rivalry === null ? null : await findRival(payments.database, rivalry)
  if (rival === null) return null
  // A repeat may have begun since.
  if (rival.challengeId === challengeId) return repeatOwn(visit, rival, credential)
  const ended = await concludeAttempt(payments, rival)
  if (ended.state === 'failed') return null
  const reply = await deliverRest(visit, ended)
  return reply === null ? null : { type: 'answered', reply }
}

async function repeatOwn(visit: Visit, own: PaymentAttempt, credential: Credential): Promise<Repeated> {
  const isPayer = isPaidBy(own, credential)
  const ended = await concludeAttempt(visit.payments, own)
  if (ended.state === 'failed') {
    const message = isPayer ? (ended.failure ?? '') : 'The challenge was answered before.'
    return { type: 'used', problem: { type: 'verification-failed', message } }
  }
  if (ended.doneAt !== null && ended.doneAt.getTime() <= visit.at.getTime() - replayMs)
    return { type: 'over', attempt: ended }
  return { type: 'answered', reply: await deliverOrAsk(visit, ended, { isPayer }) }
}

function isPaidBy({ payloadHash }: PaymentAttempt, credential: Credential): boolean {
  return payloadHash.equals(payloadHashOf(credential))
}

/** Who repeats so late means no second one: it is never done again from credit, and nothing new is shown. */
async function refuseLate(
  visit: Visit,
  { attempt: { result, workspaceId } }: Extract<Repeated, { type: 'over' }>,
): Promise<Reply> {
  const short = await findShortage(visit.sale)
  if (short !== null) return refuse(visit, overProblem, short)
  visit.sale.noteNothing()
  return visit.sale.repeat({ result, workspaceId, isPayer: false })
}

const overProblem: PaymentProblem = {
  type: 'verification-failed',
  message: 'The challenge was answered and paid for more than a day ago. Nothing was charged again.',
}

type Answered = { type: 'answered'; reply: Reply }

/** What it takes to tell of a payment that was made. */
type Books = Pick<Payments, 'database' | 'methods'>

/** The work with the money that is there for it, or what it made before. */
async function deliver(
  { sale, payments, purposeHash, at }: Pick<Visit, 'sale' | 'purposeHash' | 'at'> & { payments: Books },
  paid: PaymentAttempt,
  { isPayer }: { isPayer: boolean },
): Promise<Answered | { type: 'short'; short: ShortOfCredit }> {
  const worked = await performWork(sale, { purposeHash, at, paid, rivalry: null })
  if (worked.type === 'short') return worked
  if (worked.type === 'rivalled') throw new Error('Work that was paid for has no rivals.')
  const { result } = worked
  const isFirst = worked.type === 'done' && isPayer
  const reply = isFirst ? worked.reply : await sale.repeat({ result, workspaceId: paid.workspaceId, isPayer })
  return { type: 'answered', reply: isPayer ? await withReceipt(payments, paid, reply) : reply }
}

/** The same for who has paid: where somebody else has spent the credit meanwhile, more is asked for. */
async function deliverOrAsk(visit: Visit, paid: PaymentAttempt, payer: { isPayer: boolean }): Promise<Reply> {
  const delivered = await deliver(visit, paid, payer)
  return delivered.type === 'short' ? refuse(visit, spentMeanwhile, delivered.short) : delivered.reply
}

/** What somebody else has paid for, for who was about to. Null where that was spent on something else: they may pay. */
async function deliverRest(visit: Visit, attempt: PaymentAttempt): Promise<Reply | null> {
  const paid = await leaveToPayer(visit.payments, attempt)
  const delivered = await deliver(visit, paid, { isPayer: false })
  if (delivered.type === 'answered') return delivered.reply
  visit.besides.push(paid.id)
  return null
}

const spentMeanwhile: PaymentProblem = {
  type: 'payment-insufficient',
  message: 'The payment became credit of the workspace, and somebody else has spent that meanwhile.',
}

function refuse({ payments, sale, externalId, at }: Visit, problem: PaymentProblem, short: ShortOfCredit): Reply {
  sale.noteNothing()
  const { preference } = sale.payment
  return paymentRequired(payments, problem, { order: orderOf(externalId, short), quote: short.quote, preference, at })
}

function orderOf(externalId: string, { quote, description }: ShortOfCredit): Order {
  return { amountCents: quote.amount_due_cents, externalId, description }
}

/** The answer to who paid, which may show a key: nobody keeps it, and proxies less than all (draft-httpauth-payment-00). */
async function withReceipt({ database, methods }: Books, paid: PaymentAttempt, reply: Reply): Promise<Reply> {
  const { id, method, challengeId } = paid
  // A workspace that is claimed takes its payments along, at any moment.
  const payment = (await paymentOf(database, paid)) ?? (await paymentOf(database, await readAttempt(database, id)))
  if (payment === null) throw new Error('An attempt that succeeded has no payment.')
  const wireName = methods.find(({ name }) => name === method)?.wireName ?? method
  const { reference, created_at: at } = payment
  const proof = { method: wireName, reference, at: new Date(at), challengeId }
  const headers = { 'Payment-Receipt': formatReceipt(proof), 'Cache-Control': 'private, no-store' }
  return { ...reply, headers: { ...reply.headers, ...headers }, receipt: receiptOf(proof) }
}

async function paymentOf(
  database: Books['database'],
  { workspaceId, paymentId }: PaymentAttempt,
): Promise<PaymentRecord | null> {
  return paymentId === null ? null : findPayment(database, { workspaceId, paymentId })
}
