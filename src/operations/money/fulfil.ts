import { fail } from '#core/language/error.ts'
import type { Reply, SentPayment } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { Credential } from '#payments/method.ts'
import { readCredential, type Sent } from '#payments/mpp.ts'
import { readSignature, x402Name } from '#payments/x402.ts'
import { sellFor } from './paying.ts'
import { askToPay } from './payment-required.ts'
import { type Sale, workWithoutPaying } from './sale.ts'

/**
 * Answers a request that may cost something. Without a payment credential the work comes first, with what is there: a
 * slot of the plan, or credit. Selling begins where that is short, or where a credential was sent, which may stand for a
 * payment that was made before.
 */
export async function fulfil(
  { services, now: at }: { services: Pick<Services, 'payments'>; now: Date },
  sale: Sale,
): Promise<Reply> {
  const { payments } = services
  const sent = readPayment(sale.payment, payments)
  if (sent.type === 'one') {
    assertCallerKnown(payments, sale, sent.credential)
    return sellFor({ payments, sale, credential: sent.credential, at })
  }
  const worked = await workWithoutPaying(sale, { challengeId: null, at })
  if (worked.type === 'done') return worked.reply
  const problem = problems[sent.type]
  const isX402 = typeof sale.payment.x402?.signature === 'string'
  const message = isX402 ? unreadableSignature : problem.message
  return askToPay(payments, sale, { problem: { ...problem, message }, short: worked.short, at })
}

/** A challenge of an offer of x402 is answered in the header of x402 alone. */
function readPayment({ credential, x402 }: SentPayment, payments: Services['payments']): Sent {
  if (typeof x402?.signature === 'string') return readSignature(x402.signature, payments?.mpp.realm ?? '')
  const sent = readCredential(credential)
  return sent.type === 'one' && sent.credential.challenge.method === x402Name ? { type: 'malformed' } : sent
}

/**
 * Clients that pay put the payment into `Authorization`, where the Bearer token was. A fresh challenge would then be one
 * for a stranger, and answering it would pay for a workspace that its payer has no key to look into.
 */
function assertCallerKnown(payments: Services['payments'], { wish }: Sale, { challenge }: Credential): void {
  if (wish.workspaceId !== null || payments === null) return
  if (!payments.mpp.isOurs(challenge) || !payments.mpp.isForAccount(challenge)) return
  const message =
    'This challenge was issued to a caller with an API token. Send that token in the header X-API-Key, beside the ' +
    'payment. Nothing was charged.'
  throw fail('missing_api_key', message)
}

const problems = {
  none: { type: 'payment-required', message: 'Answer one of the challenges and send the request again.' },
  malformed: {
    type: 'malformed-credential',
    message: 'The credential is not the base64url JSON that `Authorization: Payment` takes.',
  },
} as const

const unreadableSignature =
  'The payment is not the base64 JSON of x402 version 2 that `PAYMENT-SIGNATURE` takes, with `accepted` as ' +
  '`PAYMENT-REQUIRED` offers it.'
