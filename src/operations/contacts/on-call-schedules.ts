import { z } from 'zod'
import { type Fields, invalidFields } from '#core/language/error.ts'
import {
  type OnCallLayer,
  maxSchedules,
  onCallChangeSchema,
  onCallDetailSchema,
  onCallInputSchema,
  onCallScheduleSchema,
} from '#core/contacts/on-call-schedule.ts'
import type { Transaction } from '#store/database/database.ts'
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listSchedules,
  setParticipants,
  updateSchedule,
} from '#store/contacts/on-call-schedules.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findScheduleOf, scheduleGone, toDetailRecord, toScheduleRecord } from './on-call-records.ts'

const shared = { tag: 'Account', subject: 'on_call_schedule' } as const
const one = z.strictObject({ data: onCallDetailSchema })

const list = defineOperation({
  ...shared,
  name: 'list_on_call_schedules',
  method: 'GET',
  path: '/on-call-schedules',
  scope: 'read',
  summary: 'List the on-call schedules of the workspace by name',
  errors: [401],
  success: { status: 200, description: 'Schedules.', schema: z.strictObject({ data: z.array(onCallScheduleSchema) }) },
  run: async ({ caller: { workspaceId }, services }) => {
    const schedules = await listSchedules(services.database, { workspaceId })
    return { status: 200, body: { data: schedules.map(toScheduleRecord) } }
  },
})

const read = defineOperation({
  ...shared,
  name: 'get_on_call_schedule',
  method: 'GET',
  path: '/on-call-schedules/{id}',
  scope: 'read',
  summary: 'Show an on-call schedule, and when no one is on call in the next 14 days',
  errors: [401, 404],
  success: { status: 200, description: 'The schedule.', schema: one },
  find: findScheduleOf,
  run: async ({ now }, { target }) => ({ status: 200, body: { data: toDetailRecord(target, now) } }),
})

const create = defineOperation({
  ...shared,
  name: 'create_on_call_schedule',
  method: 'POST',
  path: '/on-call-schedules',
  scope: 'write',
  summary: 'Create an on-call schedule: contacts that take turns',
  description: `Where a later layer has someone on call, it overrides earlier ones. A workspace has at most ${maxSchedules} schedules.`,
  body: { schema: onCallInputSchema, isRequired: true, schemaName: 'OnCallScheduleInput' },
  makes: 'on_call_schedules',
  errors: [401, 403, 422],
  success: { status: 201, description: 'The schedule.', schema: one },
  run: async ({ caller: { workspaceId }, services, now, noteChange }, { body }) => {
    const { name, time_zone: timeZone, layers } = body
    const made = await services.database.transaction(async (tx) => {
      const id = await insertSchedule(tx, { workspaceId, settings: { name, timeZone, layers }, now })
      await takeParticipants(tx, { workspaceId, id, layers })
      noteChange({ id, name })
      return (await findSchedule(tx, { workspaceId, id })) ?? scheduleGone()
    })
    return { status: 201, body: { data: toDetailRecord(made, now) } }
  },
})

const update = defineOperation({
  ...shared,
  name: 'update_on_call_schedule',
  method: 'PATCH',
  path: '/on-call-schedules/{id}',
  scope: 'write',
  summary: 'Change an on-call schedule',
  description: '`layers` replaces all layers. Past shifts are shown by the current layers.',
  body: { schema: onCallChangeSchema, isRequired: true, schemaName: 'OnCallScheduleChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The schedule.', schema: one },
  find: findScheduleOf,
  run: async ({ caller: { workspaceId }, services, now }, { body, target: { id } }) => {
    const { name, time_zone: timeZone, layers } = body
    const settings = {
      ...(name === undefined ? {} : { name }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(layers === undefined ? {} : { layers }),
    }
    const changed = await services.database.transaction(async (tx) => {
      if (!(await updateSchedule(tx, { id, settings, now }))) scheduleGone()
      if (layers !== undefined) await takeParticipants(tx, { workspaceId, id, layers })
      return (await findSchedule(tx, { workspaceId, id })) ?? scheduleGone()
    })
    return { status: 200, body: { data: toDetailRecord(changed, now) } }
  },
})

const remove = defineOperation({
  ...shared,
  name: 'delete_on_call_schedule',
  method: 'DELETE',
  path: '/on-call-schedules/{id}',
  scope: 'write',
  summary: 'Delete an on-call schedule with its overrides and its calendar',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The schedule was deleted.' },
  find: findScheduleOf,
  run: async ({ services }, { target }) => {
    await services.database.transaction(async (tx) => {
      if (!(await deleteSchedule(tx, target.id))) scheduleGone()
    })
    return { status: 204, body: undefined }
  },
})

export const onCallScheduleOperations = [list, read, create, update, remove]

type Taking = { workspaceId: string; id: string; layers: readonly OnCallLayer[] }

/** Refuses with `validation_failed` where contacts are unknown. */
export async function takeParticipants(tx: Transaction, taking: Taking): Promise<void> {
  const unknown = await setParticipants(tx, taking)
  const fields: Fields = Object.fromEntries(
    unknown.map(({ layer, position }) => [
      `layers.${layer}.participants.${position}`,
      ['There is no such contact in this workspace.'],
    ]),
  )
  if (unknown.length > 0) throw invalidFields(fields)
}
