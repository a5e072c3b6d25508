import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import {
  type OnCallOverrideRecord,
  onCallOverrideInputSchema,
  onCallOverrideSchema,
  overrideDays,
} from '#core/contacts/on-call-schedule.ts'
import type { OnCallOverride } from '#core/contacts/on-call-shifts.ts'
import { deleteOverride, insertOverride } from '#store/contacts/on-call-overrides.ts'
import { holdContacts } from '#store/contacts/hold-contacts.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findScheduleOf, scheduleGone } from './on-call-records.ts'

const shared = { tag: 'Account', subject: 'on_call_schedule' } as const

const list = defineOperation({
  ...shared,
  name: 'list_on_call_overrides',
  method: 'GET',
  path: '/on-call-schedules/{id}/overrides',
  scope: 'read',
  summary: 'List the overrides of an on-call schedule, newest first',
  description: `Ended overrides are kept for ${overrideDays} days. If two overlap, the newer one wins.`,
  errors: [401, 404],
  success: { status: 200, description: 'Overrides.', schema: z.strictObject({ data: z.array(onCallOverrideSchema) }) },
  find: findScheduleOf,
  run: async (_context, { target }) => ({
    status: 200,
    body: { data: target.overrides.toReversed().map(toOverrideRecord) },
  }),
})

const create = defineOperation({
  ...shared,
  name: 'create_on_call_override',
  method: 'POST',
  path: '/on-call-schedules/{id}/overrides',
  scope: 'write',
  summary: 'Put someone else on call for a while',
  description: 'If `contact_id` is null, no one is on call in that time.',
  body: { schema: onCallOverrideInputSchema, isRequired: true, schemaName: 'OnCallOverrideInput' },
  errors: [401, 403, 404, 422],
  success: { status: 201, description: 'The override.', schema: z.strictObject({ data: onCallOverrideSchema }) },
  find: findScheduleOf,
  run: async ({ caller: { workspaceId }, services, now: at }, { body, target }) => {
    const { contact_id: contactId } = body
    const [startsAt, endsAt] = [new Date(body.starts_at), new Date(body.ends_at)]
    if (endsAt <= at) throw invalidFields({ ends_at: ['Must be in the future.'] })
    const id = await services.database.transaction(async (tx) => {
      if (contactId !== null && (await holdContacts(tx, workspaceId, [contactId])).length === 0)
        throw invalidFields({ contact_id: ['There is no such contact in this workspace.'] })
      return insertOverride(tx, { scheduleId: target.id, startsAt, endsAt, contactId, now: at })
    })
    if (id === null) scheduleGone()
    return { status: 201, body: { data: toOverrideRecord({ id, startsAt, endsAt, contactId }) } }
  },
})

const remove = defineOperation({
  ...shared,
  name: 'delete_on_call_override',
  method: 'DELETE',
  path: '/on-call-schedules/{id}/overrides/{override_id}',
  scope: 'write',
  summary: 'Delete an override, so that the layers apply again',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The override was deleted.' },
  find: findScheduleOf,
  run: async ({ services, now: at }, { path: { override_id: id = '' }, target }) => {
    const isGone = await services.database.transaction((tx) =>
      deleteOverride(tx, { scheduleId: target.id, id, now: at }),
    )
    if (!isGone) throw fail('not_found', 'This schedule has no such override.')
    return { status: 204, body: undefined }
  },
})

export const onCallOverrideOperations = [list, create, remove]

function toOverrideRecord({ id, startsAt, endsAt, contactId }: OnCallOverride): OnCallOverrideRecord {
  return { id, starts_at: startsAt.toISOString(), ends_at: endsAt.toISOString(), contact_id: contactId }
}
