import type { Reply } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
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
  if (sent.type === 'one') return sellFor({ payments, sale, credential: sent.credential, at })
  const worked = await workWithoutPaying(sale, { challengeId: null, at })
  if (worked.type === 'done') return worked.reply
  return askToPay(payments, sale, { problem: problems[sent.type], short: worked.short, at })
}

const problems = {
  none: { type: 'payment-required', message: 'Answer one of the challenges and send the request again.' },
  malformed: {
    type: 'malformed-credential',
    message: 'The credential is not the base64url JSON that `Authorization: Payment` takes.',
  },
} as const
