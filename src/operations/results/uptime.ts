import { z } from 'zod'
import { decideRange, fillDays, uptimeDaySchema } from '#core/results/uptime.ts'
import { importedDaysSchema } from '#core/results/imported-days.ts'
import { dayOf } from '#core/language/utc-day.ts'
import { readDays } from '#store/results/uptime.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const get = defineOperation({
  name: 'get_uptime',
  method: 'GET',
  path: '/monitors/{id}/uptime',
  scope: 'read',
  tag: 'Results and incidents',
  summary: 'Show the uptime of a monitor for every UTC day of a range',
  description:
    'Without `from` and `to`, from the first day with checks to today; at most 3660 days. Days without checks are ' +
    'zeros. A monitor that was never checked has no days.',
  query: { schema: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }) },
  errors: [401, 404, 422],
  success: {
    status: 200,
    description: 'One entry a day, oldest first.',
    schema: z.strictObject({
      data: z.array(uptimeDaySchema),
      from: z.iso.date(),
      to: z.iso.date(),
      since: z.iso.date().nullable().describe('The first day with checks.'),
      imported: importedDaysSchema.optional().describe('The days that another tool counted, where there are some.'),
    }),
  },
  find: findMonitorReportBounds,
  run: async ({ services, now }, { target: { monitorKey, since, imported }, query }) => {
    const { from, to } = decideRange(query, { since, today: dayOf(now) })
    if (since === null) return { status: 200, body: { data: [], from, to, since } }
    const told = imported === null ? {} : { imported }
    // No year before the first check has data, and PostgreSQL knows no year 0.
    const asked = { from: from < since ? since : from, to: to < since ? since : to }
    const counts = await readDays(services.database, { monitorKey, ...asked })
    return { status: 200, body: { data: fillDays(counts, { from, to }), from, to, since, ...told } }
  },
})

export const uptimeOperations = [get]
