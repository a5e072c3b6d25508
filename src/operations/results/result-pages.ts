import { z } from 'zod'
import { resultSchema, resultStatuses } from '#core/results/result.ts'
import { pageResults } from '#store/results/result-pages.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { nextCursorSchema, pageAsked, pageParameters, pageReply } from '#operations/pipeline/pages.ts'
import { choicesParameter, listParameter, timeParameter } from '#operations/pipeline/query.ts'

const mostLocations = 10

const pageQuery = z.object({
  status: choicesParameter(resultStatuses).optional(),
  location: listParameter(z.string().min(1).max(64), {
    max: mostLocations,
    problem: `Must be one to ${mostLocations} codes of locations, separated by commas.`,
  })
    .optional()
    .describe('Codes of locations.'),
  since: timeParameter.optional().describe('Checked then or later; of a merged result, its first check.'),
  until: timeParameter.optional().describe('Checked before then.'),
  ...pageParameters,
})

const list = defineOperation({
  name: 'page_results',
  method: 'GET',
  path: '/monitors/{id}/result-pages',
  scope: 'read',
  surface: 'programs',
  tag: 'Results and incidents',
  summary: 'List the results of a monitor page by page, newest first',
  description:
    'As they are kept: single, by the quarter-hour or by the hour. Results that are merged while you read pages ' +
    'may appear again as part of a merged one.',
  query: { schema: pageQuery, refusal: 400 },
  errors: [401, 404],
  success: {
    status: 200,
    description: 'A page of results.',
    schema: z.strictObject({ data: z.array(resultSchema), next_cursor: nextCursorSchema }),
  },
  find: findMonitorReportBounds,
  run: async (call, { path, target: { monitorKey, kind }, query }) => {
    const monitorId = path['id'] ?? ''
    const listed = { name: `page_results ${monitorId}`, path: `/monitors/${monitorId}/result-pages` }
    const asked = { call, list: listed, query }
    const { limit: _limit, cursor: _cursor, ...filter } = query
    const { after, limit } = pageAsked(asked)
    const { database } = call.services
    return pageReply(
      asked,
      await pageResults(database, { monitorId, monitorKey, kind, filter, after, limit, now: call.now }),
    )
  },
})

export const resultPageOperations = [list]
