import { z } from 'zod'
import type { Fields } from '#core/language/error.ts'
import { manyChangeSchema } from '#core/monitors/monitor-change.ts'
import type { NewAuditEntry } from '#store/workspaces/audit.ts'
import { insertAuditEntries } from '#store/workspaces/audit.ts'
import {
  type Acted,
  actOnMonitors,
  announceActed,
  changedOf,
  type MonitorAction,
  monitorActions,
} from './monitor-actions.ts'
import { type ChangeOutcome, changeMonitors } from './monitors-bulk-change.ts'
import { actorOf, type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const most = 1000
/** One write of the limits for every so many. */
const perWrite = 100
/** Engines wait for a transaction of this many for a tenth of a second or two; with a monitor go years of its days. */
const atOnce: Readonly<Record<MonitorAction, number>> = { pause: 100, resume: 100, delete: 25 }

const inputSchema = z
  .strictObject({
    action: z.enum([...monitorActions, 'update']),
    monitor_ids: z.array(z.uuid()).min(1).max(most).describe('Those named twice count once.'),
    changes: manyChangeSchema
      .optional()
      .describe('For `update`: one value for all, as a change of each would take it.'),
  })
  .check(({ value, issues }) => {
    const isUpdate = value.action === 'update'
    if (isUpdate === (value.changes !== undefined)) return
    const message = isUpdate ? 'This field is required.' : 'Only works with the action `update`.'
    issues.push({ code: 'custom', message, input: value.changes, path: ['changes'] })
  })

const outcomeSchema = z.strictObject({
  done: z.int().describe('How many are now as asked for, those included that were so before.'),
  refused: z.array(
    z.strictObject({
      id: z.uuid(),
      code: z.enum(['not_found', 'payment_required', 'limit_reached', 'validation_failed', 'plan_required']),
      message: z.string(),
      fields: z.record(z.string(), z.array(z.string())).optional().describe('What of the changes is wrong for it.'),
    }),
  ),
})

/** What became of all of them. */
export type MonitorsOutcome = z.infer<typeof outcomeSchema>

const act = defineOperation({
  name: 'change_monitors',
  method: 'POST',
  path: '/monitors/bulk',
  scope: 'write',
  surface: 'console',
  subject: 'monitor',
  takesLong: true,
  tag: 'Console',
  summary: 'Pause, resume, change or delete many monitors',
  description:
    `Follows the rules of the single operations. What fails for some monitors is reported for each of them; the ` +
    `rest is done. Counts as one write per ${perWrite} monitors. It runs in several transactions, so if it is ` +
    `interrupted, a part is done and a repeat does the rest.`,
  body: { schema: inputSchema, isRequired: true, schemaName: 'MonitorsAction' },
  countsAs: ({ monitor_ids: ids }) => Math.ceil(ids.length / perWrite),
  errors: [401, 403, 422],
  success: { status: 200, description: 'What was done.', schema: z.strictObject({ data: outcomeSchema }) },
  run: async (context, { body: { action, monitor_ids: ids, changes = {} } }) => {
    // Each monitor has an entry of its own, as if it had been done by itself.
    context.noteChange('nothing')
    const monitorIds = [...new Set(ids.map((id) => id.toLowerCase()))]
    if (action === 'update') {
      const outcomes = await changeMonitors(context, { monitorIds, changes })
      return { status: 200, body: { data: outcomeOf(outcomes) } }
    }
    const acted: Acted[] = []
    const size = atOnce[action]
    for (let from = 0; from < monitorIds.length; from += size)
      acted.push(...(await actOnSome(context, action, monitorIds.slice(from, from + size))))
    return { status: 200, body: { data: outcomeOf(acted.map(toOutcome)) } }
  },
})

export const monitorsBulkOperations = [act]

async function actOnSome(context: Context, action: MonitorAction, monitorIds: readonly string[]): Promise<Acted[]> {
  const { caller, services, now } = context
  const { workspaceId } = caller
  const acted = await services.database.transaction(async (tx) => {
    const done = await actOnMonitors(tx, { action, workspaceId, monitorIds, services, now })
    await insertAuditEntries(tx, entriesOf(context, action, done))
    return done
  })
  announceActed(services, acted)
  return acted
}

function entriesOf({ caller, now: at }: Context, action: MonitorAction, acted: readonly Acted[]): NewAuditEntry[] {
  const { workspaceId } = caller
  const actor = actorOf(caller)
  return changedOf(acted).map(({ id, name }) => ({
    workspaceId,
    at,
    actor,
    action: `${action}_monitor`,
    target: { kind: 'monitor', id, name },
    details: {},
  }))
}

function toOutcome(one: Acted): ChangeOutcome {
  return { monitorId: one.monitorId, error: one.type === 'refused' ? one.error : null }
}

function outcomeOf(outcomes: readonly ChangeOutcome[]): {
  done: number
  refused: { id: string; code: string; message: string; fields?: Fields }[]
} {
  const refused = outcomes.flatMap(({ monitorId: id, error }) => {
    if (error === null) return []
    const { code, message, fields } = error
    return [{ id, code, message, ...(fields === undefined ? {} : { fields }) }]
  })
  return { done: outcomes.length - refused.length, refused }
}
