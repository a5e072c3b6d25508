import type { PaymentRecord } from '#core/money/payment.ts'
import { replayMs } from '#core/money/pricing.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import type { Payments } from '#payments/index.ts'
import type { Credential } from '#payments/method.ts'
import { formatReceipt, issuedAt, receiptOf } from '#payments/mpp.ts'
import { formatSettlement, x402Name } from '#payments/x402.ts'
import { type Rivalry, findRival } from '#store/money/payment-attempt-begin.ts'
import { type PaymentAttempt, findAttemptOf, readAttempt } from '#store/money/payment-attempts.ts'
import { findPayment } from '#store/money/payments.ts'
import { chargeOnce, concludeAttempt, leaveToPayer, stillOpen } from './payment-charge.ts'
import {
  type PaymentProblem,
  externalIdOf,
  isLive,
  judgePayment,
  payloadHashOf,
  purposeHashOf,
} from './payment-credential.ts'
import { askToPay, orderOf, switchedOff } from './payment-required.ts'
import { type Sale, findShortage, workForPayment, workWithoutPaying, workWithoutRivals } from './sale.ts'
import type { ShortOfCredit } from './take-credit.ts'

/** A request that came with a payment credential. */
type Payable = { sale: Sale; credential: Credential; at: Date }

/**
 * The one way in which anything is paid for, in the order of docs/decisions/payments.md: what was done before is answered
 * again; credit is used; only what is missing then is charged, once, and credited, and the work is tried again with it.
 * Wherever that breaks off, a repeat of the request goes on from there.
 */
export async function sellFor({ payments, ...payable }: Payable & { payments: Payments | null }): Promise<Reply> {
  if (payments === null) return sellWhileOff(payable)
  const { wish } = payable.sale
  const purposeHash = purposeHashOf(wish, payable.credential.challenge.id)
  const visit = { ...payable, payments, externalId: externalIdOf(wish), purposeHash, besides: [] }
  // Another request may pay for the same meanwhile; then everything is looked at again.
  for (let tries = 0; tries < maxTries; tries += 1) {
    const reply = await visitOnce(visit)
    if (reply !== null) return reply
  }
  throw stillOpen()
}

const maxTries = 4

type Visit = Payable & {
  payments: Payments
  externalId: string
  purposeHash: Buffer
  /** Attempts at the same request that were looked at and have nothing to give; grows. */
  besides: string[]
}

/** Nothing can be charged while payments are off. What was paid before still counts. */
async function sellWhileOff(payable: Payable): Promise<Reply> {
  const { sale, credential, at } = payable
  const challengeId = credential.challenge.id
  const own = await findAttemptOf(sale.database, challengeId)
  const isPaid = own?.state === 'succeeded' && own.purposeHash.equals(purposeHashOf(sale.wish, challengeId))
  const books = { database: sale.database, methods: [] }
  const worked = isPaid
    ? await deliver({ ...payable, payments: books }, own, { isPayer: isPaidBy(own, credential) })
    : await workWithoutPaying(sale, { challengeId, at })
  if (worked.type === 'short') throw switchedOff(worked.short)
  return worked.reply
}

/** Null when another request paid for the same meanwhile. */
async function visitOnce(visit: Visit): Promise<Reply | null> {
  const { payments, sale, credential, externalId, purposeHash, at } = visit
  const repeated = await answerRepeat(visit)
  if (repeated?.type === 'answered') return repeated.reply
  if (repeated?.type === 'over') return refuseLate(visit, repeated)
  const rivalry = rivalryOf(visit)
  const worked = await workWithoutRivals(sale, { challengeId: credential.challenge.id, at, rivalry })
  if (worked.type === 'done') return worked.reply
  if (worked.type === 'rivalled') return null
  const { short } = worked
  if (repeated !== null) return refuse(visit, repeated.problem, short)
  const judged = await judgePayment(payments, credential, { order: orderOf(externalId, short), at })
  if (!judged.ok) return refuse(visit, judged.problem, short)
  if (rivalry === null) throw new Error('A credential was taken whose challenge is not one of this request.')
  const { wish, purpose } = sale
  const charge = { purposeHash, wish, purpose, description: short.description, at, rivalry }
  const charged = await chargeOnce(payments, judged, charge)
  if (charged.type === 'refused') return refuse(visit, charged.problem, short)
  return charged.isPayer ? deliverOrAsk(visit, charged.attempt, charged) : deliverRest(visit, charged.attempt)
}

/** Null without a live credential of this request: then it pays for nothing, so it cannot pay twice. */
function rivalryOf({ payments, sale, credential, externalId, purposeHash, at, besides }: Visit): Rivalry | null {
  if (!isLive(payments, credential, { externalId, at })) return null
  const begunAfter = new Date(at.getTime() - replayMs)
  return {
    purposeHash,
    challengeId: credential.challenge.id,
    // Without a key, a challenge that was made after the same request was done belongs to another wish.
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

/** Null where no payment was made for what the credential asks for. */
async function answerRepeat(visit: Visit): Promise<Repeated | null> {
  const { payments, credential, purposeHash } = visit
  const { id: challengeId } = credential.challenge
  const own = await findAttemptOf(payments.database, challengeId)
  if (own !== null) return own.purposeHash.equals(purposeHash) ? repeatOwn(visit, own) : null
  const rivalry = rivalryOf(visit)
  const rival = rivalry === null ? null : await findRival(payments.database, rivalry)
  if (rival === null) return null
  // Since the look for the credential's own attempt it may have begun.
  if (rival.challengeId === challengeId) return repeatOwn(visit, rival)
  const ended = await concludeAttempt(payments, rival)
  if (ended.state === 'failed') return null
  const reply = await deliverRest(visit, ended)
  return reply === null ? null : { type: 'answered', reply }
}

async function repeatOwn(visit: Visit, own: PaymentAttempt): Promise<Repeated> {
  const isPayer = isPaidBy(own, visit.credential)
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

/** A repeat that comes so late asks for no second one: it is never done again from credit, and nothing new is shown. */
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
  message: 'This challenge was already paid more than a day ago. Nothing was charged again.',
}

type Answered = { type: 'answered'; reply: Reply }

/** What it takes to tell of a payment that was made. */
type Books = Pick<Payments, 'database' | 'methods'>

/** The work with the money that is there for it, or what it made before. */
async function deliver(
  { sale, payments, credential, at }: Payable & { payments: Books },
  paid: PaymentAttempt,
  { isPayer }: { isPayer: boolean },
): Promise<Answered | { type: 'short'; short: ShortOfCredit }> {
  const worked = await workForPayment(sale, { challengeId: credential.challenge.id, at, paid })
  if (worked.type === 'short') return worked
  const { result } = worked
  const isFirst = worked.type === 'done' && isPayer
  const reply = isFirst ? worked.reply : await sale.repeat({ result, workspaceId: paid.workspaceId, isPayer })
  return { type: 'answered', reply: isPayer ? await withReceipt(payments, { paid, credential }, reply) : reply }
}

/** The same for the payer: where another request has spent the credit meanwhile, more is asked for. */
async function deliverOrAsk(visit: Visit, paid: PaymentAttempt, payer: { isPayer: boolean }): Promise<Reply> {
  const delivered = await deliver(visit, paid, payer)
  return delivered.type === 'short' ? refuse(visit, spentMeanwhile, delivered.short) : delivered.reply
}

/**
 * Answers a credential that was about to pay for what another one has paid for. Null where that money was spent on
 * something else: then this one may pay.
 */
async function deliverRest(visit: Visit, attempt: PaymentAttempt): Promise<Reply | null> {
  const paid = await leaveToPayer(visit.payments, attempt)
  const delivered = await deliver(visit, paid, { isPayer: false })
  if (delivered.type === 'answered') return delivered.reply
  visit.besides.push(paid.id)
  return null
}

const spentMeanwhile: PaymentProblem = {
  type: 'payment-insufficient',
  message:
    'The payment was added to the credit of the workspace, but that credit has since been spent on something else.',
}

function refuse({ payments, sale, credential, at }: Visit, problem: PaymentProblem, short: ShortOfCredit): Reply {
  const reply = askToPay(payments, sale, { problem, short, at })
  if (credential.challenge.method !== x402Name) return reply
  const end = { type: 'refused', reason: problem.type.replaceAll('-', '_'), message: problem.message } as const
  return { ...reply, headers: { ...reply.headers, 'PAYMENT-RESPONSE': formatSettlement(credential, end) } }
}

/** The payer's answer may show a key, so no cache may keep it (draft-httpauth-payment-00). */
async function withReceipt(
  { database, methods }: Books,
  { paid, credential }: { paid: PaymentAttempt; credential: Credential },
  reply: Reply,
): Promise<Reply> {
  const { id, method, challengeId } = paid
  // A claim may move the workspace's payments at any moment; the attempt then says where they are.
  const payment = (await paymentOf(database, paid)) ?? (await paymentOf(database, await readAttempt(database, id)))
  if (payment === null) throw new Error('An attempt that succeeded has no payment.')
  const wireNames = methods.filter(({ name }) => name === method).map((each) => each.wireName)
  const wireName = wireNames.find((each) => each === credential.challenge.method) ?? wireNames[0] ?? method
  const { reference, created_at: at } = payment
  const proof = { method: wireName, reference, at: new Date(at), challengeId }
  const told =
    credential.challenge.method === x402Name
      ? { 'PAYMENT-RESPONSE': formatSettlement(credential, { type: 'paid', reference }) }
      : { 'Payment-Receipt': formatReceipt(proof) }
  const headers = { ...told, 'Cache-Control': 'private, no-store' }
  return { ...reply, headers: { ...reply.headers, ...headers }, receipt: receiptOf(proof) }
}

async function paymentOf(
  database: Books['database'],
  { workspaceId, paymentId }: PaymentAttempt,
): Promise<PaymentRecord | null> {
  return paymentId === null ? null : findPayment(database, { workspaceId, paymentId })
}
