import { z } from 'zod'
import { overviewSchema } from '#core/overview.ts'
import { pageOverview, readOverview } from '#store/overview/overview.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Call, Reply } from '#operations/pipeline/operation.ts'
import {
  isAsked,
  nextCursor,
  nextCursorSchema,
  pageAsked,
  pageParameters,
  usualPageSize,
} from '#operations/pipeline/pages.ts'
import { integerParameter } from '#operations/pipeline/query.ts'

const querySchema = z.strictObject({
  limit: integerParameter({ min: 1, max: 5000 }).optional().describe(`How many at most. Default ${usualPageSize}.`),
  cursor: pageParameters.cursor,
})
type Query = z.infer<typeof querySchema>

const overview = { name: 'read_overview', path: '/overview' } as const

const read = defineOperation({
  ...overview,
  method: 'GET',
  scope: 'read',
  surface: 'console',
  tag: 'Console',
  summary: 'Show all monitors with their states, last response times and daily bars, and ongoing incidents',
  description: 'With any parameter, the answer is a page of the monitors; groups and incidents are on the first one.',
  query: { schema: querySchema, refusal: 400 },
  errors: [401],
  success: {
    status: 200,
    description: 'The overview, whose rows are lists, or a page of it.',
    schema: overviewSchema.extend({ next_cursor: nextCursorSchema.optional() }),
  },
  run: async (context, { query }) => {
    if (isAsked(query)) return page(context, query)
    const { caller, services, now } = context
    return { status: 200, body: await readOverview(services.database, { workspaceId: caller.workspaceId, now }) }
  },
})

async function page(call: Call, query: Query): Promise<Reply> {
  const asked = { call, list: overview, query }
  const { overview: body, next } = await pageOverview(call.services.database, { ...pageAsked(asked), now: call.now })
  return { status: 200, body: { ...body, next_cursor: nextCursor(asked, next) } }
}

export const overviewOperations = [read]
