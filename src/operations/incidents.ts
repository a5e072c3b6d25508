import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { type IncidentRecord, incidentDetailSchema, incidentSchema } from '#core/incidents/incident.ts'
import { acknowledgeIncident, findIncident, listIncidentEvents, listIncidents } from '#store/incidents/incidents.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const tag = 'Results and incidents'

const list = defineOperation({
  name: 'list_incidents',
  method: 'GET',
  path: '/incidents',
  scope: 'read',
  tag,
  summary: 'List the newest 500 incidents of all monitors, newest first',
  errors: [401],
  success: { status: 200, description: 'Incidents.', schema: z.strictObject({ data: z.array(incidentSchema) }) },
  run: async ({ caller, services }) => {
    return { status: 200, body: { data: await listIncidents(services.database, caller.workspaceId) } }
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
  description: 'The alert of recovery still comes. An incident that is not open is answered as it is.',
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
