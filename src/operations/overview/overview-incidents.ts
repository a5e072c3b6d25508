import { z } from 'zod'
import { incidentSchema, incidentStatuses, incidentStorySchema } from '#core/incidents/incident.ts'
import { pageIncidents } from '#store/incidents/incident-pages.ts'
import { readSurroundings } from '#store/incidents/incident-stories.ts'
import { listIncidentEvents } from '#store/incidents/incidents.ts'
import { findIncidentTarget } from '#operations/incidents/incidents.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { nextCursorSchema, pageAsked, pageParameters, pageReply } from '#operations/pipeline/pages.ts'
import { integerParameter } from '#operations/pipeline/query.ts'

const inConsole = { scope: 'read', surface: 'console', tag: 'Console' } as const

const paged = { name: 'page_incidents', path: '/incident-pages' } as const

const page = defineOperation({
  ...inConsole,
  ...paged,
  method: 'GET',
  summary: 'List the incidents of the workspace page by page, newest first',
  query: {
    schema: z.strictObject({
      status: z.enum(incidentStatuses).optional(),
      cursor: pageParameters.cursor,
      limit: integerParameter({ min: 1, max: 200, default: 50 }),
    }),
    refusal: 400,
  },
  errors: [401],
  success: {
    status: 200,
    description: 'Incidents.',
    schema: z.strictObject({ data: z.array(incidentSchema), next_cursor: nextCursorSchema }),
  },
  run: async (call, { query }) => {
    const asked = { call, list: paged, query }
    const filter = query.status === undefined ? {} : { status: [query.status] }
    return pageReply(asked, await pageIncidents(call.services.database, { ...pageAsked(asked), filter }))
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
    const [events, { monitor, locationCodes, deliveries, untold }] = await Promise.all([
      listIncidentEvents(database, target.id),
      readSurroundings(database, target.id),
    ])
    return {
      status: 200,
      body: { data: { ...target, events, monitor, location_codes: locationCodes, deliveries, untold } },
    }
  },
})

export const overviewIncidentOperations = [page, story]
