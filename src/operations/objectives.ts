import { randomUUID } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { z } from 'zod'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import { type Measured, partsOf, stateOf } from '#core/objectives/attainment.ts'
import {
  choiceAfter,
  maxShownMonitors,
  maxSlos,
  type SloChange,
  sloChangeSchema,
  type SloDetail,
  sloDetailSchema,
  sloInputSchema,
  type SloRecord,
  sloSchema,
} from '#core/objectives/slo.ts'
import { holdPolicy } from '#store/contacts/escalation-policies.ts'
import { holdContacts } from '#store/contacts/hold-contacts.ts'
import type { Transaction } from '#store/database/database.ts'
import { acknowledgeAlarm } from '#store/objectives/slo-alarms.ts'
import {
  deleteSlo,
  findSlo,
  insertSlo,
  knownMonitors,
  listSlos,
  type StoredAlarm,
  type StoredSlo,
  updateSlo,
} from '#store/objectives/slos.ts'
import { readMeasured } from '#store/objectives/timelines.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'

const tag = 'Results and incidents'
/** Burn rates are told of the last three days, also where the window is shorter. */
const longestRateDays = 3
const one = z.strictObject({ data: sloSchema })

const list = defineOperation({
  name: 'list_slos',
  method: 'GET',
  path: '/slos',
  scope: 'read',
  tag,
  summary: 'List the service level objectives, with their error budgets',
  errors: [401],
  success: { status: 200, description: 'Oldest first.', schema: z.strictObject({ data: z.array(sloSchema) }) },
  run: async ({ caller: { workspaceId }, services, now }) => {
    const slos = await listSlos(services.database, workspaceId)
    const windowDays = Math.max(longestRateDays, ...slos.map(({ window_days: days }) => days))
    const asked = { workspaceId, sloIds: slos.map(({ id }) => id), now, windowDays }
    const measured = slos.length === 0 ? new Map<string, Measured[]>() : await readMeasured(services.database, asked)
    const records: SloRecord[] = []
    for (const slo of slos) {
      records.push(toRecord(slo, measured.get(slo.id) ?? [], now))
      // A hundred objectives of a thousand monitors each are more than others should wait for.
      await breathe()
    }
    return { status: 200, body: { data: records } }
  },
})

const create = defineOperation({
  name: 'create_slo',
  method: 'POST',
  path: '/slos',
  scope: 'write',
  subject: 'slo',
  tag,
  summary: 'Add a service level objective',
  description:
    `The share of time in which monitors should be up, by their incidents. Maintenance, pauses and times that are ` +
    `not known count neither as up nor as down. A workspace can have at most ${maxSlos}.`,
  body: { schema: sloInputSchema, isRequired: true, schemaName: 'SloInput' },
  makes: 'objectives',
  errors: [401, 403, 422],
  success: { status: 201, description: 'The objective.', schema: one },
  run: async ({ caller: { workspaceId }, services, now, noteChange }, { body }) => {
    const id = randomUUID()
    noteChange({ id })
    await services.database.transaction(async (tx) => {
      await assertKnown(tx, workspaceId, { given: body, held: null })
      if (!(await insertSlo(tx, { ...body, id, workspaceId })))
        throw fail('limit_reached', `A workspace can have at most ${maxSlos} service level objectives.`)
    })
    return { status: 201, body: { data: await read(services, { workspaceId, id, now }) } }
  },
})

const get = defineOperation({
  name: 'get_slo',
  method: 'GET',
  path: '/slos/{id}',
  scope: 'read',
  tag,
  summary: 'Get a service level objective, with the share of its budget that each monitor used',
  errors: [401, 404],
  success: { status: 200, description: 'The objective.', schema: z.strictObject({ data: sloDetailSchema }) },
  find: findTarget,
  run: async ({ services, now }, { target }) => ({
    status: 200,
    body: { data: await toDetail(services, target, now) },
  }),
})

const update = defineOperation({
  name: 'update_slo',
  method: 'PATCH',
  path: '/slos/{id}',
  scope: 'write',
  subject: 'slo',
  tag,
  summary: 'Change a service level objective',
  description: 'Omitted fields stay. `monitor_ids` and `tags` replace each other.',
  body: { schema: sloChangeSchema, isRequired: true, schemaName: 'SloChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The objective.', schema: one },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services, now }, { body, target }) => {
    const isChoosing = body.monitor_ids !== undefined || body.tags !== undefined
    const choice = choiceAfter(target, body)
    if (choice === null) throw invalidFields({ monitor_ids: ['Give either monitor_ids or tags.'] })
    const isChanged = await services.database.transaction(async (tx) => {
      await assertKnown(tx, workspaceId, { given: body, held: target })
      return updateSlo(tx, { workspaceId, id: target.id }, { ...body, ...(isChoosing ? choice : {}) })
    })
    if (!isChanged) throw notFound()
    return { status: 200, body: { data: await read(services, { workspaceId, id: target.id, now }) } }
  },
})

const remove = defineOperation({
  name: 'delete_slo',
  method: 'DELETE',
  path: '/slos/{id}',
  scope: 'write',
  subject: 'slo',
  tag,
  summary: 'Delete a service level objective',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The objective was deleted.' },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services }, { target: { id } }) => {
    await services.database.transaction((tx) => deleteSlo(tx, { workspaceId, id }))
    return { status: 204, body: undefined }
  },
})

const acknowledge = defineOperation({
  name: 'acknowledge_slo',
  method: 'POST',
  path: '/slos/{id}/acknowledge',
  scope: 'write',
  // People acknowledge what they were told of; a tool for it would take room in every context of a model.
  surface: 'programs',
  subject: 'slo',
  tag,
  summary: 'Acknowledge the alarm of a service level objective',
  description:
    'Its escalation policy takes no more steps, and what quiet hours hold back is dropped. Its end is still ' +
    'alerted. An objective without an alarm is returned as it is.',
  errors: [401, 403, 404],
  success: { status: 200, description: 'The objective as it is now.', schema: one },
  find: findTarget,
  run: async ({ caller: { workspaceId, actor }, services, now, noteChange }, { target: { id } }) => {
    await services.database.transaction(async (tx) => {
      if (!(await acknowledgeAlarm(tx, { workspaceId, id, actor, at: now }))) noteChange('nothing')
    })
    return { status: 200, body: { data: await read(services, { workspaceId, id, now }) } }
  },
})

export const objectiveOperations = [list, create, get, update, remove, acknowledge]

type OfWorkspace = { workspaceId: string; id: string }

async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<StoredSlo> {
  const found = await findSlo(services.database, { workspaceId: caller.workspaceId, id })
  if (found === null) throw notFound()
  return found
}

async function read(
  { database }: Context['services'],
  { now, ...of }: OfWorkspace & { now: Date },
): Promise<SloRecord> {
  const found = await findSlo(database, of)
  if (found === null) throw notFound()
  return toRecord(found, await measuredOf(database, found, now), now)
}

type Given = Pick<SloChange, 'monitor_ids' | 'alert_channel_ids' | 'escalation_policy_id'>

/** What was deleted meanwhile may stay, so that an objective can be sent back as it was read. */
async function assertKnown(
  tx: Transaction,
  workspaceId: string,
  { given, held }: { given: Given; held: StoredSlo | null },
): Promise<void> {
  const { monitor_ids: monitorIds, alert_channel_ids: contactIds, escalation_policy_id: policyId = null } = given
  const monitors = new Set([...(await knownMonitors(tx, workspaceId, monitorIds ?? [])), ...(held?.monitor_ids ?? [])])
  const contacts = new Set([
    ...(await holdContacts(tx, workspaceId, contactIds ?? [])),
    ...(held?.alert_channel_ids ?? []),
  ])
  const unknownMonitors = (monitorIds ?? []).filter((id) => !monitors.has(id))
  const unknownContacts = (contactIds ?? []).filter((id) => !contacts.has(id))
  const fields: Fields = {}
  if (unknownMonitors.length > 0)
    fields['monitor_ids'] = [`No monitor of this workspace: ${unknownMonitors.join(', ')}.`]
  if (unknownContacts.length > 0)
    fields['alert_channel_ids'] = [`No contact of this workspace: ${unknownContacts.join(', ')}.`]
  if (policyId !== null && !(await holdPolicy(tx, { workspaceId, id: policyId })))
    fields['escalation_policy_id'] = ['This workspace has no such escalation policy.']
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}

async function toDetail({ database }: Context['services'], slo: StoredSlo, now: Date): Promise<SloDetail> {
  const measured = await measuredOf(database, slo, now)
  const parts = partsOf(targetOf(slo), measured, now.getTime())
  return { ...toRecord(slo, measured, now), monitors: parts.slice(0, maxShownMonitors) }
}

async function measuredOf(database: Context['services']['database'], slo: StoredSlo, now: Date): Promise<Measured[]> {
  const { id, workspaceId, window_days: days } = slo
  const asked = { workspaceId, sloIds: [id], now, windowDays: Math.max(longestRateDays, days) }
  return (await readMeasured(database, asked)).get(id) ?? []
}

function toRecord(slo: StoredSlo, measured: readonly Measured[], now: Date): SloRecord {
  const { workspaceId: _workspaceId, alarm, createdAt, ...given } = slo
  return {
    ...given,
    monitor_count: measured.length,
    alarm: alarm === null ? null : alarmRecord(alarm),
    state: stateOf(targetOf(slo), measured, now.getTime()),
    created_at: createdAt.toISOString(),
  }
}

function alarmRecord({ reason, since, acknowledged }: StoredAlarm): SloRecord['alarm'] {
  return {
    reason,
    since: since.toISOString(),
    acknowledged_at: acknowledged?.at.toISOString() ?? null,
    acknowledged_by: acknowledged?.by ?? null,
  }
}

function targetOf({ objective, window_days: windowDays }: StoredSlo) {
  return { objective, windowDays }
}

function notFound() {
  return fail('not_found', 'There is no such service level objective in this workspace.')
}
