import { randomUUID } from 'node:crypto'
import type { PaymentRecord } from '#core/payment.ts'
import type { Seller } from '#core/receipt.ts'
import type { Database } from '#store/database.ts'
import { type NewPayment, recordPayment } from '#store/payments.ts'

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
