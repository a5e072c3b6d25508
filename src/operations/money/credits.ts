import { z } from 'zod'
import { accountSchema } from '#core/account.ts'
import { pricing } from '#core/money/pricing.ts'
import { quoteOfTopUp } from '#core/money/quote.ts'
import { lockCredit } from '#store/money/credit.ts'
import { readAccount } from '#operations/workspaces/account.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { fulfil } from './fulfil.ts'
import { ShortOfCredit } from './take-credit.ts'

export const maxTopUpCents = 100_000

const topUpSchema = z.strictObject({
  amount_cents: z.int().min(pricing.minimumTopUpCents).max(maxTopUpCents).describe('Cents of a US dollar.'),
})

const topUp = defineOperation({
  name: 'top_up_credit',
  method: 'POST',
  path: '/credits',
  scope: 'write',
  role: 'owner',
  subject: 'workspace',
  tag: 'Payments',
  summary: 'Buy credit',
  description:
    'Always paid directly (`payment_required`), never from credit. A repeat with the same payment within 24 hours ' +
    'gets the same answer and charges nothing.',
  paid: true,
  body: { schema: topUpSchema, isRequired: true, schemaName: 'TopUp' },
  errors: [401, 402, 403, 422, 503],
  success: {
    status: 200,
    description: 'The account with the new credit.',
    schema: z.strictObject({ data: accountSchema }),
  },
  run: async (context, { body, payment }) => {
    const { caller, services, noteChange } = context
    const { workspaceId } = caller
    const { amount_cents: amountCents } = body
    noteChange({ id: workspaceId, details: { amount_cents: amountCents } })
    const answer = async () => ({ status: 200, body: { data: await readAccount(context) } })
    return fulfil(context, {
      wish: { operation: 'top_up_credit', workspaceId, target: null, idempotencyKey: null, body },
      purpose: 'credit',
      payment,
      database: services.database,
      noteNothing: () => noteChange('nothing'),
      work: async (tx, paid) => {
        if (paid === null)
          throw new ShortOfCredit(quoteOfTopUp(amountCents, await lockCredit(tx, workspaceId)), 'Credit')
        return { result: {}, reply: answer }
      },
      repeat: answer,
    })
  },
})

export const creditOperations = [topUp]
