import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { namesOf } from '#core/language/tables.ts'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { monitorStatusFilters } from '#core/monitors/monitor-filter.ts'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { maxTags, tagSchema } from '#core/tags.ts'
import { pageMonitors } from '#store/monitors/monitor-pages.ts'
import { listMonitors } from '#store/monitors/monitor-records.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context, Reply } from '#operations/pipeline/operation.ts'
import { isAsked, nextCursorSchema, pageAsked, pageParameters, pageReply, partOf } from '#operations/pipeline/pages.ts'
import { choicesParameter, listParameter } from '#operations/pipeline/query.ts'
import { shownTo } from './shown-monitor.ts'

/** By which monitors are chosen, in every list that has to do with them. */
export const monitorFilters = {
  kind: choicesParameter(kindNames).optional(),
  tag: listParameter(tagSchema, { max: maxTags, problem: 'Must be tags, separated by commas.' })
    .optional()
    .describe('Tags, in any case.'),
  name: text({ min: 1, max: 160 }).optional().describe('A part of it, in any case.'),
  url: text({ min: 1, max: 2048 }).optional().describe('A part of it, in any case.'),
}

const querySchema = z.object({
  status: choicesParameter(monitorStatusFilters)
    .optional()
    .describe('The `current_status` of those not paused, or `status`.'),
  ...monitorFilters,
  fields: choicesParameter(namesOf(monitorSchema.shape)).optional().describe('Only these members.'),
  ...pageParameters,
})
type Query = z.infer<typeof querySchema>

const list = {
  name: 'list_monitors',
  path: '/monitors',
} as const

export const listOperation = defineOperation({
  ...list,
  method: 'GET',
  scope: 'read',
  tag: 'Monitors',
  summary: 'List all monitors with their current status, oldest first',
  description: 'With any parameter, the answer is a page. Several values of a parameter match any of them.',
  query: { schema: querySchema, refusal: 400 },
  errors: [401],
  success: {
    status: 200,
    description: 'All monitors, or a page of those asked for; with `fields` only those members of each.',
    schema: z.strictObject({ data: z.array(monitorSchema), next_cursor: nextCursorSchema.optional() }),
    partSchema: z.strictObject({ data: z.array(monitorSchema.partial()), next_cursor: nextCursorSchema }),
  },
  run: async (context, { query }) => {
    if (isAsked(query)) return listAsked(context, query)
    const { caller, services, now } = context
    const monitors = await listMonitors(services.database, services.secrets, { workspaceId: caller.workspaceId, now })
    return { status: 200, body: { data: monitors.map((monitor) => shownTo(caller, monitor)) } }
  },
})

async function listAsked(call: Context, query: Query): Promise<Reply> {
  const { caller, services, now } = call
  const { limit: _limit, cursor: _cursor, fields, ...filter } = query
  const asked = { call, list, query }
  const request = { ...pageAsked(asked), filter, fields: fields ?? null, now }
  const { items, next } = await pageMonitors(services.database, services.secrets, request)
  return pageReply(asked, { items: items.map((item) => partOf(shownPart(caller, item), fields)), next })
}

function shownPart(caller: Context['caller'], part: Partial<MonitorRecord>): Partial<MonitorRecord> {
  const { request_body: body, check_options: options } = part
  if (body === undefined || options === undefined) return part
  return shownTo(caller, { ...part, request_body: body, check_options: options })
}
