import { z } from 'zod'
import { monitorDetailSchema } from '#core/monitors/monitor-detail.ts'
import { monitorChangeSchema, monitorInputSchema, monitorSchema, partialChangeSchema } from '#core/monitors/monitor.ts'
import { createMonitorForStranger } from './monitor-create-stranger.ts'
import { createMonitor } from './monitor-create.ts'
import { readDetail } from './monitor-detail.ts'
import { judgeChange, judgeCreate } from './monitor-judge.ts'
import { deleteMonitor, pauseMonitor, resumeMonitor } from './monitor-lifecycle.ts'
import { findTarget } from './monitor-surroundings.ts'
import { updateMonitor } from './monitor-update.ts'
import { listOperation } from './monitors-list.ts'
import { renewMonitor } from './monitor-renew.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const tag = 'Monitors'
const firstKey = {
  api_key: z
    .string()
    .optional()
    .describe('Without an account: the token of the new workspace. A repeat with the same payment replaces it.'),
  workspace: z.strictObject({ id: z.uuid(), name: z.string() }).optional(),
}
const heldBackSchema = z
  .strictObject({ error: z.enum(['payment_required', 'limit_reached']), message: z.string() })
  .describe('Why the monitor stays paused; left out where it runs.')
/** No body, or `{}`. */
const emptySchema = z.strictObject({}).optional()
const heartbeatUrl = z.string().nullable().describe('Where a monitor is called whose kind waits for calls; a secret.')
const oneMonitor = z.strictObject({ data: monitorSchema })

const create = defineOperation({
  name: 'create_monitor',
  method: 'POST',
  path: '/monitors',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Create a monitor',
  description:
    'Free while the plan has a free slot; otherwise 1 cent per location for 30 days, or 10 cents for life, taken ' +
    'from credit. If credit is not enough, you are asked to pay the rest (`payment_required`). Without a token, ' +
    'creating is always paid and opens a workspace, whose `api_key` is shown once; the shortest interval is then ' +
    '60 seconds, and groups are not possible. A workspace can have at most 1,000 paid monitors. The first check ' +
    'runs at once. A repeat with the same `Idempotency-Key` or the same payment within 24 hours returns the ' +
    'monitor that the first request created, even if it was deleted since; a different request with that key gets ' +
    '`idempotency_key_reused`.',
  paid: true,
  takesMaxPrice: true,
  body: { schema: monitorInputSchema, isRequired: true, schemaName: 'MonitorInput' },
  takesIdempotencyKey: true,
  makes: 'monitors',
  errors: [401, 402, 403, 422],
  success: {
    status: 201,
    description: 'The new monitor.',
    schema: z.strictObject({
      data: monitorSchema,
      heartbeat_url: heartbeatUrl,
      ...firstKey,
    }),
  },
  otherSuccess: {
    status: 200,
    description: 'The monitor that this key or this payment created before.',
    schema: z.strictObject({ data: monitorSchema, heartbeat_url: heartbeatUrl.optional(), ...firstKey }),
  },
  judge: judgeCreate,
  run: createMonitor,
  runForStranger: createMonitorForStranger,
})

const get = defineOperation({
  name: 'get_monitor',
  method: 'GET',
  path: '/monitors/{id}',
  scope: 'read',
  tag,
  summary: 'Show a monitor with its uptime, recent results, daily bars, history and incidents',
  errors: [401, 404],
  success: { status: 200, description: 'The monitor in detail.', schema: monitorDetailSchema },
  run: async (context, { path: { id = '' } }) => ({ status: 200, body: await readDetail(context, id) }),
})

const update = defineOperation({
  name: 'update_monitor',
  method: 'PATCH',
  path: '/monitors/{id}',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Change a monitor',
  description:
    'Omitted fields stay as they are. `null` clears `request_headers`, `keyword` and `request_body`, and makes ' +
    '`alert_channel_ids` mean all contacts again. `check_options` are replaced as a whole, but omitted secret ones ' +
    'are kept. A new kind or target restarts the monitor; one that becomes a heartbeat or webhook monitor gets its ' +
    'address. Locations of a paid monitor beyond `paid_locations` cost the same as at create; removing some ' +
    'refunds nothing. A repeat with the same payment within 24 hours charges nothing.',
  paid: true,
  takesMaxPrice: true,
  body: {
    schema: monitorChangeSchema,
    toolSchema: partialChangeSchema,
    isRequired: true,
    schemaName: 'MonitorChange',
  },
  errors: [401, 402, 403, 404, 422],
  success: {
    status: 200,
    description: 'The changed monitor.',
    schema: z.strictObject({ data: monitorSchema, heartbeat_url: heartbeatUrl.optional() }),
  },
  find: findTarget,
  judge: judgeChange,
  run: updateMonitor,
})

const remove = defineOperation({
  name: 'delete_monitor',
  method: 'DELETE',
  path: '/monitors/{id}',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Delete a monitor and its results',
  description: 'Frees its plan slot. Its incidents stay; an ongoing one is resolved without an alert.',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The monitor was deleted.' },
  find: findTarget,
  run: async (context, { target }) => {
    await deleteMonitor(context, target.id)
    return { status: 204, body: undefined }
  },
})

const pause = defineOperation({
  name: 'pause_monitor',
  method: 'POST',
  path: '/monitors/{id}/pause',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Stop checking a monitor',
  description: 'An ongoing incident is resolved without an alert.',
  errors: [401, 403, 404],
  success: { status: 200, description: 'The paused monitor.', schema: oneMonitor },
  find: findTarget,
  run: async (context, { target }) => {
    return { status: 200, body: { data: await pauseMonitor(context, target.id) } }
  },
})

const resume = defineOperation({
  name: 'resume_monitor',
  method: 'POST',
  path: '/monitors/{id}/resume',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Start checking a monitor again',
  description:
    'The first check runs at once. A monitor that was paused for non-payment stays paused until you renew it; one ' +
    'beyond the slots of the plan, until you pause or delete another. `held_back` says which.',
  errors: [401, 403, 404],
  success: {
    status: 200,
    description: 'The resumed monitor, or why it stays paused.',
    schema: z.strictObject({ data: monitorSchema, held_back: heldBackSchema.optional() }),
  },
  find: findTarget,
  run: async (context, { target }) => {
    const { record, heldBack } = await resumeMonitor(context, target.id)
    if (heldBack === null) return { status: 200, body: { data: record } }
    const { code, message } = heldBack
    return { status: 200, body: { data: record, held_back: { error: code, message } } }
  },
})

const renew = defineOperation({
  name: 'renew_monitor',
  method: 'POST',
  path: '/monitors/{id}/renew',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Pay another 30 days of a monthly paid monitor',
  description:
    'Adds 30 days to the time left. Paid monitors renew from credit automatically; use this to renew early or by ' +
    'payment. One that was paused for non-payment resumes, for 30 days from now. A repeat with the same payment ' +
    'within 24 hours adds and charges nothing.',
  paid: true,
  takesMaxPrice: true,
  body: { schema: emptySchema, isRequired: false, schemaName: 'RenewInput' },
  errors: [401, 402, 403, 404, 422],
  success: { status: 200, description: 'The renewed monitor.', schema: oneMonitor },
  find: findTarget,
  run: renewMonitor,
})

export const monitorOperations = [listOperation, create, get, update, remove, pause, resume, renew]
