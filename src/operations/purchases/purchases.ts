import { z } from 'zod'
import { purchaseSchema } from '#core/money/canary.ts'
import { findTarget } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'
import { listPurchases } from '#store/money/canary-purchases.ts'

const list = defineOperation({
  name: 'list_purchases',
  method: 'GET',
  path: '/monitors/{id}/purchases',
  scope: 'read',
  surface: 'programs',
  tag: 'Results and incidents',
  summary: 'List what the installation bought from an endpoint, newest first',
  description:
    'Of a monitor of the kind `paid_endpoint` with `buys`; empty for all others. What is `reserved`, `settled`, ' +
    '`refused`, `unknown` or `interrupted` counts as spent. Purchases of 400 days are kept.',
  query: { schema: z.strictObject({ limit: integerParameter({ min: 1, max: 200, default: 50 }) }) },
  errors: [401, 404, 422],
  success: { status: 200, description: 'Purchases.', schema: z.strictObject({ data: z.array(purchaseSchema) }) },
  find: findTarget,
  run: async ({ services }, { target, query: { limit } }) => {
    return { status: 200, body: { data: await listPurchases(services.database, { monitorId: target.id, limit }) } }
  },
})

export const purchaseOperations = [list]
