import { z } from 'zod'
import { responseHours, responseSpan, responseTimesSchema } from '#core/results/response-times.ts'
import { readResponseTimes } from '#store/results/response-times.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const read = defineOperation({
  name: 'read_response_times',
  method: 'GET',
  path: '/monitors/{id}/response-times',
  scope: 'read',
  surface: 'console',
  tag: 'Console',
  summary: 'Show what the checks of a monitor took, by location, in equal steps',
  description:
    'Minutes of the last hour, quarter-hours of the last 24 hours. What was measured during maintenance is there, too. ' +
    'At most ten locations, those that checked last.',
  query: { schema: z.strictObject({ hours: z.enum(responseHours, 'Must be 1 or 24.').default('24') }) },
  errors: [401, 404, 422],
  success: { status: 200, description: 'Response times by location.', schema: responseTimesSchema },
  find: findMonitorReportBounds,
  run: async ({ services, now }, { target: { monitorKey }, query }) => {
    const span = responseSpan(query.hours, now)
    const data = await readResponseTimes(services.database, { monitorKey, span })
    return { status: 200, body: { from: span.from.toISOString(), step_seconds: span.stepSeconds, data } }
  },
})

export const responseTimesOperations = [read]
