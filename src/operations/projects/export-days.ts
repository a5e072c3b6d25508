import { z } from 'zod'
import { averageLatency, uptimeDaySchema } from '#core/results/uptime.ts'
import { type ExportedDay, pageDays } from '#store/projects/exported-days.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { nextCursorSchema, pageAsked, pageParameters, pageReply } from '#operations/pipeline/pages.ts'
import { integerParameter } from '#operations/pipeline/query.ts'

const mostDays = 5000
const listed = { name: 'export_days', path: '/export/days' } as const

const daySchema = z.strictObject({ monitor_id: z.uuid(), ...uptimeDaySchema.shape })

const exportDays = defineOperation({
  ...listed,
  method: 'GET',
  scope: 'read',
  surface: 'programs',
  tag: 'Account',
  summary: 'Show the daily uptime of all monitors, page by page',
  description: 'The days of a monitor come one after the other, oldest first. Days without checks are left out.',
  query: {
    schema: z.object({
      limit: integerParameter({ min: 1, max: mostDays }).default(mostDays).describe('How many days at most.'),
      cursor: pageParameters.cursor,
    }),
    refusal: 400,
  },
  errors: [401],
  success: {
    status: 200,
    description: 'A page of days.',
    schema: z.strictObject({ data: z.array(daySchema), next_cursor: nextCursorSchema }),
  },
  run: async (call, { query }) => {
    const asked = { call, list: listed, query }
    const { items, next } = await pageDays(call.services.database, pageAsked(asked))
    return pageReply(asked, { items: items.map(toRecord), next })
  },
})

export const exportDaysOperations = [exportDays]

function toRecord({
  monitorId,
  date,
  checks,
  up,
  down,
  restricted,
  ...latency
}: ExportedDay): z.infer<typeof daySchema> {
  const latencyMs = averageLatency({ checks, up, down, restricted, ...latency })
  return { monitor_id: monitorId, date, checks, up, down, restricted, latency_ms: latencyMs }
}
