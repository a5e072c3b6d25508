import { z } from 'zod'
import { callTimesOf, lookedAtResults, proposeRhythm, rhythmProposalSchema } from '#core/monitors/rhythm-proposal.ts'
import { timeZoneSchema } from '#core/language/time-zone.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { pageResults } from '#store/results/result-pages.ts'
import { findMonitorReportBounds } from './monitor-surroundings.ts'

const show = defineOperation({
  name: 'get_rhythm_proposal',
  method: 'GET',
  path: '/monitors/{id}/rhythm-proposal',
  scope: 'read',
  surface: 'programs',
  tag: 'Monitors',
  summary: 'Propose when calls of a heartbeat are expected, from those that came',
  description:
    'An interval or a schedule that fits nearly all of the newest calls, eight at least; null for fewer, for calls ' +
    'without a rhythm, and for monitors of other kinds. Nothing is changed.',
  query: {
    schema: z.strictObject({ time_zone: timeZoneSchema.default('UTC').describe('The zone of a schedule.') }),
  },
  errors: [401, 404, 422],
  success: {
    status: 200,
    description: 'The proposal.',
    schema: z.strictObject({ data: rhythmProposalSchema.nullable() }),
  },
  find: findMonitorReportBounds,
  run: async ({ services, now }, { path, target: { monitorKey, kind }, query: { time_zone: timeZone } }) => {
    if (kind !== 'heartbeat') return { status: 200, body: { data: null } }
    const asked = { monitorId: path['id'] ?? '', monitorKey, kind, filter: {}, after: null, limit: lookedAtResults }
    const { items } = await pageResults(services.database, { ...asked, now })
    return { status: 200, body: { data: proposeRhythm(callTimesOf(items), timeZone) } }
  },
})

export const rhythmProposalOperations = [show]
