import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import {
  type ResponseSpan,
  type SharedStep,
  chosenSpan,
  hasHistograms,
  hoursSpan,
  isByDay,
  maxResponseDays,
  responseHours,
  responseHoursSchema,
  responseSpan,
  responseTimesSchema,
} from '#core/results/response-times.ts'
import { dayMs } from '#core/language/utc-day.ts'
import type { Database } from '#store/database/database.ts'
import { readDayPercentiles } from '#store/results/day-percentiles.ts'
import { readHourPercentiles } from '#store/results/hour-percentiles.ts'
import { readResponseTimes } from '#store/results/response-times.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { timeParameter } from '#operations/pipeline/query.ts'

const readQuery = z.strictObject({
  hours: z
    .enum(responseHours, `Must be ${responseHours.slice(0, -1).join(', ')} or ${responseHours.at(-1)}.`)
    .default('24'),
  since: timeParameter.optional().describe('With `until`, in place of `hours`.'),
  until: timeParameter.optional().describe(`At most ${maxResponseDays} days later.`),
})

const read = defineOperation({
  name: 'read_response_times',
  method: 'GET',
  path: '/monitors/{id}/response-times',
  scope: 'read',
  surface: 'console',
  tag: 'Console',
  summary: 'Show the response times of a monitor, by location, in equal steps',
  description:
    'Minutes of the last hour, quarter-hours of the last 24 hours, hours of the last 7 days, six hours each of the ' +
    'last 30 days, UTC days of the last 90 and 365. Between `since` and `until`, the shortest of these steps that ' +
    'are known and at most 180. By location, times in maintenance are included; at most ten locations, the latest ' +
    'to check. Percentiles are of all locations together.',
  query: { schema: readQuery },
  errors: [401, 404, 422],
  success: { status: 200, description: 'Response times by location.', schema: responseTimesSchema },
  find: findMonitorReportBounds,
  run: async ({ services, now }, { target: { monitorKey }, query }) => {
    const span = spanOf(query, now)
    const [data, shared] = await Promise.all([
      readResponseTimes(services.database, { monitorKey, span }),
      readShared(services.database, { monitorKey, span }),
    ])
    const body = { from: span.from.toISOString(), step_seconds: span.stepSeconds, data, all_locations: shared }
    return { status: 200, body }
  },
})

const readHours = defineOperation({
  name: 'read_response_hours',
  method: 'GET',
  path: '/monitors/{id}/response-hours',
  scope: 'read',
  surface: 'console',
  tag: 'Console',
  summary: 'Show the hourly response times of a monitor in the last four weeks, all locations together',
  errors: [401, 404],
  success: { status: 200, description: 'The hours.', schema: responseHoursSchema },
  find: findMonitorReportBounds,
  run: async ({ services, now }, { target: { monitorKey } }) => {
    const data = await readHourPercentiles(services.database, { monitorKey, span: hoursSpan(now) })
    return { status: 200, body: { data } }
  },
})

export const responseTimesOperations = [read, readHours]

/** The time that a query names. Both ends of a time are given, or none. */
function spanOf({ hours, since, until }: z.infer<typeof readQuery>, now: Date): ResponseSpan {
  if (since === undefined && until === undefined) return responseSpan(hours, now)
  if (since === undefined) throw invalidFields({ since: ['Send `since` together with `until`.'] })
  if (until === undefined) throw invalidFields({ until: ['Send `until` together with `since`.'] })
  const [from, to] = [new Date(since), new Date(until)]
  if (to <= from) throw invalidFields({ until: ['Must be later than `since`.'] })
  if (to.getTime() - from.getTime() > maxResponseDays * dayMs)
    throw invalidFields({ until: [`Must be at most ${maxResponseDays} days after \`since\`.`] })
  if (from > now) throw invalidFields({ since: ['Must not be in the future.'] })
  return chosenSpan({ since: from, until: to, now })
}

async function readShared(
  database: Database,
  asked: { monitorKey: string; span: ResponseSpan },
): Promise<SharedStep[]> {
  if (isByDay(asked.span)) return readDayPercentiles(database, asked)
  return hasHistograms(asked.span) ? readHourPercentiles(database, asked) : []
}
