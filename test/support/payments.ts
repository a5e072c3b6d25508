import { randomBytes, randomUUID } from 'node:crypto'
import type { PaymentRecord } from '#core/money/payment.ts'
import type { Seller } from '#core/money/receipt.ts'
import type { Database } from '#store/database/database.ts'
import type { NewAttempt } from '#store/money/payment-attempt-begin.ts'
import { type NewPayment, recordPayment } from '#store/money/payments.ts'
import type { StripeServer } from './stripe-server.ts'

export const testSeller: Seller = {
  name: 'Perigee Test OOD',
  address: '1 Example Street, 1000 Sofia',
  country: 'BG',
  companyId: '175074752',
  vatId: 'BG175074752',
  isOssRegistered: false,
  needsConfirmedVatIds: false,
  euroRate: null,
}

/** Money that arrives for a workspace, by default a test payment of 50 cents; each with a reference of its own. */
export function addPayment(
  database: Database,
  payment: Pick<NewPayment, 'workspaceId'> & Partial<NewPayment>,
): Promise<PaymentRecord> {
  const id = randomUUID()
  return database.transaction((tx) =>
    recordPayment(tx, {
      id,
      method: 'card',
      reference: `test_${id}`,
      amountCents: 50,
      purpose: 'credit',
      description: 'Credit',
      livemode: false,
      at: new Date(),
      seller: testSeller,
      ...payment,
    }),
  )
}

/** At paying 50 cents by card for a monitor, by default; each at a request of its own. */
export function newAttempt(attempt: Pick<NewAttempt, 'workspaceId'> & Partial<NewAttempt>): NewAttempt {
  return {
    purposeHash: randomBytes(32),
    challengeId: randomUUID(),
    payloadHash: randomBytes(32),
    proofHash: null,
    method: 'card',
    isNewWorkspace: false,
    amountCents: 50,
    purpose: 'monitor',
    description: '1 location for 30 days',
    sealed: { payload: { spt: 'spt_test_ok' }, request: { amount: '50' }, externalId: 'wish' },
    at: new Date(),
    ...attempt,
  }
}

/** The settings of `testSeller` for a process of its own. */
export const sellerEnvironment = {
  PERIGEE_SELLER_NAME: testSeller.name,
  PERIGEE_SELLER_ADDRESS: testSeller.address,
  PERIGEE_SELLER_COUNTRY: testSeller.country,
  PERIGEE_SELLER_VAT_ID: testSeller.vatId ?? '',
}

/** The settings of a service that is paid through `stripe`. */
export function stripeEnvironment(stripe: Pick<StripeServer, 'secretKey' | 'profile' | 'url'>) {
  return {
    PERIGEE_STRIPE_SECRET_KEY: stripe.secretKey,
    PERIGEE_STRIPE_PROFILE: stripe.profile,
    PERIGEE_STRIPE_URL: stripe.url,
  }
}
