import { z } from 'zod'
import { incidentSchema, incidentStatuses, incidentStorySchema } from '#core/incidents/incident.ts'
import { pageIncidents, readSurroundings } from '#store/incidents/incident-stories.ts'
import { listIncidentEvents } from '#store/incidents/incidents.ts'
import { findIncidentTarget } from '#operations/incidents.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'

const inConsole = { scope: 'read', surface: 'console', tag: 'Console' } as const

const page = defineOperation({
  ...inConsole,
  name: 'page_incidents',
  method: 'GET',
  path: '/incident-pages',
  summary: 'List the incidents of the workspace page by page, newest first',
  query: {
    schema: z.strictObject({
      status: z.enum(incidentStatuses).optional(),
      cursor: z.uuid('Must be a `next_cursor` of an earlier answer.').optional(),
      limit: integerParameter({ min: 1, max: 200, default: 50 }),
    }),
  },
  errors: [401, 422],
  success: {
    status: 200,
    description: 'Incidents.',
    schema: z.strictObject({
      data: z.array(incidentSchema),
      next_cursor: z.string().nullable().describe('For the next page; null at the oldest.'),
    }),
  },
  run: async ({ caller, services }, { query }) => {
    const { incidents, nextCursor } = await pageIncidents(services.database, {
      workspaceId: caller.workspaceId,
      status: query.status ?? null,
      after: query.cursor ?? null,
      limit: query.limit,
    })
    return { status: 200, body: { data: incidents, next_cursor: nextCursor } }
  },
})

const story = defineOperation({
  ...inConsole,
  name: 'read_incident_story',
  method: 'GET',
  path: '/incidents/{id}/story',
  summary: 'Show an incident with its events, where it was seen, and its alerts to each contact',
  errors: [401, 404],
  success: {
    status: 200,
    description: 'The incident.',
    schema: z.strictObject({ data: incidentStorySchema }),
  },
  find: findIncidentTarget,
  run: async ({ services }, { target }) => {
    const { database } = services
    const [events, { monitor, locationCodes, deliveries }] = await Promise.all([
      listIncidentEvents(database, target.id),
      readSurroundings(database, target.id),
    ])
    return { status: 200, body: { data: { ...target, events, monitor, location_codes: locationCodes, deliveries } } }
  },
})

export const overviewIncidentOperations = [page, story]
