import { z } from 'zod'
import { deliveryDays, type DeliveryRecord, deliverySchema, deliveryStates } from '#core/contacts/delivery.ts'
import { bundleType } from '#core/contacts/alerting.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { alertLifetimeMs } from '#core/contacts/delivery-retry.ts'
import { nudgeDeliveries } from '#store/contacts/nudges.ts'
import {
  type DeliveryPlace,
  listDeliveries,
  type LoggedDelivery,
  reviveDelivery,
} from '#store/contacts/delivery-log.ts'
import { findContactOf } from './contacts.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'

const inConsole = { tag: 'Console', surface: 'console', subject: 'alert_channel' } as const

const list = defineOperation({
  ...inConsole,
  name: 'list_deliveries',
  method: 'GET',
  path: '/alert-channels/{id}/deliveries',
  scope: 'read',
  summary: `List what was sent to a contact in the last ${deliveryDays} days, newest first`,
  query: {
    schema: z.strictObject({
      state: z.enum(deliveryStates).optional(),
      cursor: z
        .string()
        .regex(/^\d{1,17}\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, 'Must be a `next_cursor` of an earlier answer.')
        .optional(),
      limit: integerParameter({ min: 1, max: 200, default: 50 }),
    }),
  },
  errors: [401, 404, 422],
  success: {
    status: 200,
    description: 'Deliveries.',
    schema: z.strictObject({
      data: z.array(deliverySchema),
      next_cursor: z.string().nullable().describe('For the next page; null at the oldest.'),
    }),
  },
  find: findContactOf,
  run: async ({ services }, { target, query: { state = null, cursor, limit } }) => {
    const before = cursor === undefined ? null : placeOf(cursor)
    const { deliveries, next } = await listDeliveries(services.database, { contactId: target.id, state, before, limit })
    const nextCursor = next === null ? null : `${next.time}.${next.id}`
    return { status: 200, body: { data: deliveries.map(toRecord), next_cursor: nextCursor } }
  },
})

const resend = defineOperation({
  ...inConsole,
  name: 'resend_delivery',
  method: 'POST',
  path: '/alert-channels/{id}/deliveries/{delivery_id}/resend',
  scope: 'write',
  summary: 'Retry a failed delivery of the last 24 hours, under the same id',
  errors: [401, 403, 404, 422],
  success: { status: 202, description: 'It is on its way.' },
  find: findContactOf,
  run: async ({ services: { database }, now }, { target, path }) => {
    if (!target.isConfirmed) throw fail('contact_unconfirmed', 'The contact is not confirmed yet.')
    if (!target.isEnabled) throw fail('contact_disabled', 'The contact is switched off.')
    const id = path['delivery_id'] ?? ''
    const since = new Date(now.getTime() - alertLifetimeMs)
    await database.transaction(async (tx) => {
      if (!(await reviveDelivery(tx, { id, contactId: target.id, since })))
        throw fail('not_found', 'There is no delivery to this contact that failed within the last 24 hours.')
      await nudgeDeliveries(tx.client, [id])
    })
    return { status: 202, body: undefined }
  },
})

export const contactLogOperations = [list, resend]

function placeOf(cursor: string): DeliveryPlace {
  const [time, id] = cursor.split('.')
  if (time === undefined || id === undefined) throw invalidFields({ cursor: ['Is not one.'] })
  return { time, id }
}

function toRecord(delivery: LoggedDelivery): DeliveryRecord {
  const { id, type, monitor, incidentId, state, attempts, statusCode, error, createdAt, endedAt, dueAt } = delivery
  const { templateProblem: problem, bundleId, members } = delivery
  return {
    id,
    type,
    monitor: monitor === null ? null : { id: monitor.id, name: monitor.name },
    incident_id: incidentId,
    state,
    attempts,
    status_code: statusCode,
    error,
    ...(bundleId === null ? {} : { bundle_id: bundleId }),
    ...(type === bundleType ? { alerts: members } : {}),
    ...(problem === null ? {} : { template_problem: problem }),
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    next_attempt_at: state === 'pending' ? (dueAt?.toISOString() ?? null) : null,
  }
}
