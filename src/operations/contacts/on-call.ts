import { setImmediate as othersFirst } from 'node:timers/promises'
import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { type OnCallNowRecord, gapDays, onCallNowSchema, onCallShiftsSchema } from '#core/contacts/on-call-schedule.ts'
import { type Span, gapsOf, joinLayers, layerShiftsOf, standingAt } from '#core/contacts/on-call-shifts.ts'
import { listSchedules } from '#store/contacts/on-call-schedules.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findScheduleOf, toGapRecord, toShiftRecord } from './on-call-records.ts'

const shared = { tag: 'Account', subject: 'on_call_schedule' } as const

const now = defineOperation({
  ...shared,
  name: 'get_on_call',
  method: 'GET',
  path: '/on-call',
  scope: 'read',
  summary: 'Show who is on call now, by schedule',
  errors: [401],
  success: { status: 200, description: 'Who is on call.', schema: z.strictObject({ data: z.array(onCallNowSchema) }) },
  run: async ({ caller: { workspaceId }, services, now: at }) => {
    const data: OnCallNowRecord[] = []
    for (const schedule of await listSchedules(services.database, { workspaceId })) {
      const { contactIds, until } = standingAt(schedule, { at, days: gapDays })
      data.push({
        schedule_id: schedule.id,
        name: schedule.name,
        contact_ids: contactIds,
        until: until?.toISOString() ?? null,
      })
      // Fifty schedules of many layers take the thread longer than one request may.
      await othersFirst()
    }
    return { status: 200, body: { data } }
  },
})

const givenTime = z.iso.datetime({ offset: true }).optional()
const longestDays = 62
const farthestDays = 366

const shifts = defineOperation({
  ...shared,
  name: 'list_on_call_shifts',
  method: 'GET',
  path: '/on-call-schedules/{id}/shifts',
  scope: 'read',
  summary: 'List who is on call in a schedule between two times',
  description:
    `From now for ${gapDays} days unless \`from\` and \`until\` say otherwise, at most ${longestDays} days and within ` +
    `${farthestDays} days of now. Past shifts are shown by the current schedule.`,
  query: {
    schema: z.strictObject({
      from: givenTime,
      until: givenTime,
      layers: z.enum(['0', '1'], 'Must be 0 or 1.').default('0').describe('1 to see each layer by itself, too.'),
    }),
  },
  errors: [401, 404, 422],
  success: { status: 200, description: 'Shifts and gaps.', schema: z.strictObject({ data: onCallShiftsSchema }) },
  find: findScheduleOf,
  run: async ({ now: at }, { target, query }) => {
    const span = spanOf(query, at)
    const layers = layerShiftsOf(target, span)
    const found = joinLayers(layers, target, span)
    const data = {
      shifts: found.map(toShiftRecord),
      gaps: gapsOf(found, span).map(toGapRecord),
      layers: query.layers === '1' ? layers.map((each) => each.map(toShiftRecord)) : [],
    }
    return { status: 200, body: { data } }
  },
})

export const onCallOperations = [now, shifts]

function spanOf({ from, until }: { from?: string | undefined; until?: string | undefined }, at: Date): Span {
  const starts = from === undefined ? at : new Date(from)
  const ends = until === undefined ? new Date(starts.getTime() + gapDays * dayMs) : new Date(until)
  const isFar = (time: Date): boolean => Math.abs(time.getTime() - at.getTime()) > farthestDays * dayMs
  const lastsMs = ends.getTime() - starts.getTime()
  if (isFar(starts)) throw invalidFields({ from: [`Must be within ${farthestDays} days of now.`] })
  if (lastsMs <= 0) throw invalidFields({ until: ['Must be later than from.'] })
  if (lastsMs > longestDays * dayMs) throw invalidFields({ until: [`Must be at most ${longestDays} days after from.`] })
  return { from: starts, until: ends }
}
