import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { namesOf } from '#core/language/tables.ts'
import {
  type IncidentRecord,
  incidentDetailSchema,
  incidentSchema,
  incidentStatuses,
} from '#core/incidents/incident.ts'
import { acknowledgeIncident, findIncident, listIncidentEvents, listIncidents } from '#store/incidents/incidents.ts'
import { pageIncidents } from '#store/incidents/incident-pages.ts'
import { monitorFilters } from '#operations/monitors/monitors-list.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { isAsked, nextCursorSchema, pageAsked, pageParameters, pageReply, partOf } from '#operations/pipeline/pages.ts'
import { choicesParameter, timeParameter } from '#operations/pipeline/query.ts'

const tag = 'Results and incidents'

const { kind, tag: tags, name, url } = monitorFilters
const listQuery = z.object({
  status: choicesParameter(incidentStatuses).optional(),
  monitor_id: z.uuid().optional(),
  kind,
  tag: tags,
  name,
  url,
  since: timeParameter.optional().describe('Began then or later.'),
  until: timeParameter.optional().describe('Began before then.'),
  fields: choicesParameter(namesOf(incidentSchema.shape)).optional().describe('Only these members.'),
  ...pageParameters,
})
const listed = { name: 'list_incidents', path: '/incidents' } as const

const list = defineOperation({
  ...listed,
  method: 'GET',
  scope: 'read',
  tag,
  summary: 'List the newest 500 incidents of all monitors, newest first',
  description:
    'With any parameter, the answer is a page of all incidents. `name` is the name of the monitor at the time; ' +
    '`kind`, `tag` and `url` are its current ones.',
  query: { schema: listQuery, refusal: 400 },
  errors: [401],
  success: {
    status: 200,
    description: 'The newest incidents, or a page of those asked for; with `fields` only those members of each.',
    schema: z.strictObject({ data: z.array(incidentSchema), next_cursor: nextCursorSchema.optional() }),
    partSchema: z.strictObject({ data: z.array(incidentSchema.partial()), next_cursor: nextCursorSchema }),
  },
  run: async (call, { query }) => {
    const { caller, services } = call
    if (!isAsked(query))
      return { status: 200, body: { data: await listIncidents(services.database, caller.workspaceId) } }
    const asked = { call, list: listed, query }
    const { limit: _limit, cursor: _cursor, fields, ...filter } = query
    const { items, next } = await pageIncidents(services.database, { ...pageAsked(asked), filter })
    return pageReply(asked, { items: items.map((item) => partOf(item, fields)), next })
  },
})

const get = defineOperation({
  name: 'get_incident',
  method: 'GET',
  path: '/incidents/{id}',
  scope: 'read',
  tag,
  summary: 'Show an incident with its events',
  errors: [401, 404],
  success: {
    status: 200,
    description: 'The incident.',
    schema: z.strictObject({ data: incidentDetailSchema }),
  },
  find: findIncidentTarget,
  run: async ({ services }, { target }) => {
    const events = await listIncidentEvents(services.database, target.id)
    return { status: 200, body: { data: { ...target, events } } }
  },
})

const acknowledge = defineOperation({
  name: 'acknowledge_incident',
  method: 'POST',
  path: '/incidents/{id}/acknowledge',
  scope: 'write',
  subject: 'incident',
  tag,
  summary: 'Acknowledge an open incident',
  description: 'The recovery is still alerted. An incident that is not open is returned as it is.',
  errors: [401, 403, 404],
  success: { status: 200, description: 'The incident as it is now.', schema: z.strictObject({ data: incidentSchema }) },
  find: findIncidentTarget,
  run: async (context, { target }) => {
    const { caller, services, now, noteChange } = context
    const { workspaceId, actor } = caller
    await services.database.transaction(async (tx) => {
      const isNew = await acknowledgeIncident(tx, { workspaceId, incidentId: target.id, actor, at: now })
      if (!isNew) noteChange('nothing')
    })
    return { status: 200, body: { data: await findIncidentTarget(context, { id: target.id }) } }
  },
})

export const incidentOperations = [list, get, acknowledge]

export async function findIncidentTarget(
  { caller, services }: Context,
  path: Record<string, string>,
): Promise<IncidentRecord> {
  const { id: incidentId = '' } = path
  const incident = await findIncident(services.database, { workspaceId: caller.workspaceId, incidentId })
  if (incident === undefined) throw fail('not_found', 'There is no such incident in this workspace.')
  return incident
}
