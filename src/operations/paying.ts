import { fail } from '#core/error.ts'
import type { Payments } from '#payments/index.ts'
import type { Credential, Order } from '#payments/method.ts'
import { formatReceipt, issuedAt, receiptOf } from '#payments/mpp.ts'
import { type PaymentAttempt, type Rivalry, findAttemptOf, findRival } from '#store/payment-attempts.ts'
import { findPayment } from '#store/payments.ts'
import type { Reply } from './operation.ts'
import { chargeOnce, concludeAttempt, leaveToPayer, stillOpen } from './payment-charge.ts'
import {
  type PaymentProblem,
  externalIdOf,
  isLive,
  judgePayment,
  payloadHashOf,
  purposeHashOf,
  readPayment,
} from './payment-credential.ts'
import { paymentRequired } from './payment-required.ts'
import { type Sale, performWork } from './sale.ts'
import type { Services } from './services.ts'
import type { ShortOfCredit } from './take-credit.ts'

/** How long a credential goes on answering with what it paid for (decisions.md C27). */
const repeatMs = 24 * 3_600_000

/**
 * The one way in which anything is paid for (decisions.md A7), after everything but the price was looked at: what was
 * done before is answered again; credit is used; only what is missing then is asked for, charged once, credited, and
 * the work is tried again with it. Wherever that breaks off, a repeat of the request goes on from there.
 */
export async function sell(
  { services, now: at }: { services: Pick<Services, 'payments'>; now: Date },
  sale: Sale,
): Promise<Reply> {
  const purposeHash = purposeHashOf(sale.wish)
  const sent = readPayment(sale.payment)
  const { payments } = services
  if (payments === null) return sellForCredit(sale, { purposeHash, at })
  const visit = { payments, sale, purposeHash, sent, at, besides: [] }
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
  purposeHash: Buffer
  sent: ReturnType<typeof readPayment>
  at: Date
  /** Attempts at the same request that were looked at and have nothing to give; grows. */
  besides: string[]
}

async function sellForCredit(sale: Sale, { purposeHash, at }: Pick<Visit, 'purposeHash' | 'at'>): Promise<Reply> {
  const worked = await performWork(sale, { purposeHash, at, paid: null, rivalry: null })
  if (worked.type === 'done') return worked.reply
  const why = worked.type === 'short' ? `${worked.short.message} ` : ''
  throw fail('payments_disabled', `${why}Payments are switched off here.`)
}

/** Null when somebody else paid for the same request meanwhile. */
async function visitOnce(visit: Visit): Promise<Reply | null> {
  const { payments, sale, purposeHash, sent, at } = visit
  const repeated = sent.type === 'one' ? await answerRepeat(visit, sent.credential) : null
  if (repeated !== null && repeated.type === 'answered') return repeated.reply
  const rivalry = rivalryOf(visit)
  const worked = await performWork(sale, { purposeHash, at, paid: null, rivalry })
  if (worked.type === 'done') return worked.reply
  if (worked.type !== 'short') return null
  const { short } = worked
  if (repeated !== null) return refuse(visit, repeated.problem, short)
  const judged = await judgePayment(payments, sent, { order: orderOf(purposeHash, short), at })
  if (!judged.ok) return refuse(visit, judged.problem, short)
  if (rivalry === null) throw new Error('A credential was taken whose challenge is not one of this request.')
  const { wish, purpose } = sale
  const charge = { purposeHash, wish, purpose, description: short.description, at, rivalry }
  const charged = await chargeOnce(payments, judged, charge)
  if (charged.type === 'refused') return refuse(visit, charged.problem, short)
  return charged.isPayer ? deliverOrAsk(visit, charged.attempt, charged) : deliverRest(visit, charged.attempt)
}

/** Null without a live credential of this request: then nothing of it is paid, and nothing can be paid twice. */
function rivalryOf({ payments, purposeHash, sent, at, besides }: Visit): Rivalry | null {
  if (sent.type !== 'one') return null
  const { credential } = sent
  if (!isLive(payments, credential, { externalId: externalIdOf(purposeHash), at })) return null
  return {
    purposeHash,
    challengeId: credential.challenge.id,
    doneSince: issuedAt(credential.challenge),
    begunAfter: new Date(at.getTime() - repeatMs),
    besides,
  }
}

type Repeated =
  | Answered
  /** The credential was used up. */
  | { type: 'used'; problem: PaymentProblem }

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
  const isPayer = own.payloadHash.equals(payloadHashOf(credential))
  const ended = await concludeAttempt(visit.payments, own)
  if (ended.state === 'failed') return used(isPayer ? (ended.failure ?? '') : 'The challenge was answered before.')
  if (ended.doneAt === null || ended.doneAt.getTime() > visit.at.getTime() - repeatMs)
    return { type: 'answered', reply: await deliverOrAsk(visit, ended, { isPayer }) }
  return used('The challenge was answered and paid for more than a day ago. Nothing was charged again.')
}

function used(message: string): Repeated {
  return { type: 'used', problem: { type: 'verification-failed', message } }
}

type Answered = { type: 'answered'; reply: Reply }

/** The work with the money that is there for it, or what it made before. */
async function deliver(
  { sale, payments, purposeHash, at }: Visit,
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

function refuse({ payments, sale, purposeHash, at }: Visit, problem: PaymentProblem, short: ShortOfCredit): Reply {
  sale.noteNothing()
  return paymentRequired(payments, problem, { order: orderOf(purposeHash, short), quote: short.quote, at })
}

function orderOf(purposeHash: Buffer, { quote, description }: ShortOfCredit): Order {
  return { amountCents: quote.amount_due_cents, externalId: externalIdOf(purposeHash), description }
}

/** The answer to who paid, which no proxy may keep (draft-httpauth-payment-00). */
async function withReceipt(
  { database, methods }: Payments,
  { workspaceId, paymentId, method, challengeId }: PaymentAttempt,
  reply: Reply,
): Promise<Reply> {
  const payment = paymentId === null ? null : await findPayment(database, { workspaceId, paymentId })
  if (payment === null) throw new Error('An attempt that succeeded has no payment.')
  const wireName = methods.find(({ name }) => name === method)?.wireName ?? method
  const { reference, created_at: at } = payment
  const proof = { method: wireName, reference, at: new Date(at), challengeId }
  const headers = { 'Payment-Receipt': formatReceipt(proof), 'Cache-Control': 'private' }
  return { ...reply, headers: { ...reply.headers, ...headers }, receipt: receiptOf(proof) }
}
