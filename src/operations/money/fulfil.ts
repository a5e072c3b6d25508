import { fail } from '#core/language/error.ts'
import type { Reply } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { Credential } from '#payments/method.ts'
import { readCredential } from '#payments/mpp.ts'
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
  const sent = readCredential(sale.payment.credential)
  if (sent.type === 'one') {
    assertCallerKnown(payments, sale, sent.credential)
    return sellFor({ payments, sale, credential: sent.credential, at })
  }
  const worked = await workWithoutPaying(sale, { challengeId: null, at })
  if (worked.type === 'done') return worked.reply
  return askToPay(payments, sale, { problem: problems[sent.type], short: worked.short, at })
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
