import { z } from 'zod'
import { monitorEventSchema } from '#core/incidents/episode.ts'
import { listMonitorEvents } from '#store/incidents/episodes.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'
import { findMonitorReportBounds } from './monitor-surroundings.ts'

const maxEvents = 500

const list = defineOperation({
  name: 'list_monitor_events',
  method: 'GET',
  path: '/monitors/{id}/events',
  scope: 'read',
  tag: 'Results and incidents',
  summary: 'List when a monitor was degraded or slow, newest first',
  description:
    'Beginnings and ends of the episodes that the monitor alerts about (`alert_degraded_rounds`, ' +
    '`alert_slow_factor`). They are neither incidents nor downtime. Events of the last 90 days and of ongoing ' +
    'episodes are kept.',
  query: { schema: z.strictObject({ limit: integerParameter({ min: 1, max: maxEvents, default: 100 }) }) },
  errors: [401, 404, 422],
  success: { status: 200, description: 'Events.', schema: z.strictObject({ data: z.array(monitorEventSchema) }) },
  find: findMonitorReportBounds,
  run: async ({ services, caller }, { path, query }) => {
    const { workspaceId } = caller
    const request = { workspaceId, monitorId: path['id'] ?? '', limit: query.limit }
    return { status: 200, body: { data: await listMonitorEvents(services.database, request) } }
  },
})

export const monitorEventOperations = [list]
