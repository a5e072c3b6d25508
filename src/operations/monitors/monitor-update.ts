import { type MonitorInput, type MonitorRecord, changeEffect } from '#core/monitors/monitor.ts'
import type { Transaction } from '#store/database/database.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { updateMonitor as writeMonitor } from '#store/monitors/monitors.ts'
import { besideCalled, ensureCallToken } from './heartbeat-address.ts'
import { offerChange } from './monitor-price.ts'
import { findTarget, monitorNotFound } from './monitor-surroundings.ts'
import { mayAllowPrivateTarget } from './private-target.ts'
import type { Context, Input, Reply } from '#operations/pipeline/operation.ts'
import { fulfil } from '#operations/money/fulfil.ts'
import type { Done } from '#operations/money/sale.ts'
import { takeCredit } from '#operations/money/take-credit.ts'

type UpdateInput = Pick<Input<unknown, MonitorInput, MonitorRecord>, 'target' | 'body' | 'payment'>

/** 200 with the changed monitor, or 402 where locations are added to a paid one and credit does not cover them. */
export async function updateMonitor(context: Context, { target, body, payment }: UpdateInput): Promise<Reply> {
  const { caller, services, noteChange } = context
  const { workspaceId } = caller
  const monitorId = target.id
  const mayAllowPrivate = await mayAllowPrivateTarget(context)
  return fulfil(context, {
    wish: { operation: 'update_monitor', workspaceId, target: monitorId, idempotencyKey: null, body },
    purpose: 'locations',
    payment,
    database: services.database,
    noteNothing: () => noteChange('nothing'),
    work: (tx) => change(tx, context, { monitorId, input: body, mayAllowPrivateTarget: mayAllowPrivate }),
    repeat: async () => {
      const data = await findTarget(context, { id: monitorId })
      return { status: 200, body: { data, ...(await besideCalled(services.database, services, data)) } }
    },
  })
}

/** Decided on what the transaction has locked, so that two changes at once both take effect or contradict openly. */
async function change(
  tx: Transaction,
  { caller, services, now }: Context,
  { input, ...changed }: { monitorId: string; input: MonitorInput; mayAllowPrivateTarget: boolean },
): Promise<Done> {
  const { workspaceId } = caller
  const { monitorId } = changed
  const { current, settings, price, description } = await offerChange(tx, { workspaceId, services, ...changed }, input)
  const monitor = { id: monitorId, name: settings.name }
  await takeCredit(tx, { workspaceId, price, reason: 'monitor', description, monitor, at: now })
  const effect = changeEffect(current.settings, settings)
  const isPaid = current.billing === 'paid'
  await writeMonitor(tx, services.secrets, {
    monitorId,
    before: current.settings,
    settings,
    effect,
    ...(isPaid ? { paidLocations: settings.locations.length } : {}),
    at: now,
  })
  await ensureCallToken(tx, services.secrets, { monitorId, kind: settings.kind })
  const beside = await besideCalled(tx, services, { id: monitorId, kind: settings.kind })
  const record = (await findMonitor(tx, services.secrets, { workspaceId, monitorId, now })) ?? monitorNotFound()
  return {
    result: { monitor_id: monitorId },
    reply: () => {
      if (effect !== 'none') services.announceChange({ monitorId, partition: current.partition })
      return { status: 200, body: { data: record, ...beside } }
    },
  }
}
