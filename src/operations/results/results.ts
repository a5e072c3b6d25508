import { z } from 'zod'
import { resultSchema } from '#core/results/result.ts'
import { listResults, maxResults } from '#store/results/results.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'

const list = defineOperation({
  name: 'list_results',
  method: 'GET',
  path: '/monitors/{id}/results',
  scope: 'read',
  tag: 'Results and incidents',
  summary: 'List the newest results of a monitor, newest first',
  query: { schema: z.object({ limit: integerParameter({ min: 1, max: maxResults, default: 100 }) }), refusal: 400 },
  errors: [401, 404],
  success: { status: 200, description: 'Results.', schema: z.strictObject({ data: z.array(resultSchema) }) },
  find: findMonitorReportBounds,
  run: async ({ services, now }, { path, target, query }) => {
    const data = await listResults(services.database, {
      monitorId: path['id'] ?? '',
      monitorKey: target.monitorKey,
      kind: target.kind,
      limit: query.limit,
      now,
    })
    return { status: 200, body: { data } }
  },
})

export const resultOperations = [list]
