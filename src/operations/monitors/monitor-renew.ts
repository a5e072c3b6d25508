import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { renewedUntil } from '#core/money/quote.ts'
import type { Transaction } from '#store/database/database.ts'
import { setPaidPeriod } from '#store/money/paid-periods.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { setMonitorStatuses } from '#store/monitors/monitors.ts'
import { offerRenewal } from './monitor-price.ts'
import { findTarget, monitorNotFound } from './monitor-surroundings.ts'
import type { Context, Input, Reply } from '#operations/pipeline/operation.ts'
import { fulfil } from '#operations/money/fulfil.ts'
import type { Done } from '#operations/money/sale.ts'
import { takeCredit } from '#operations/money/take-credit.ts'

/** 200 with the monitor and 30 days more, or 402. A monitor that was paused because it was unpaid runs again. */
export async function renewMonitor(
  context: Context,
  { target, payment }: Pick<Input<unknown, unknown, MonitorRecord>, 'target' | 'payment'>,
): Promise<Reply> {
  const { caller, services, noteChange } = context
  const { workspaceId } = caller
  const monitorId = target.id
  return fulfil(context, {
    wish: { operation: 'renew_monitor', workspaceId, target: monitorId, idempotencyKey: null, body: null },
    purpose: 'renewal',
    payment,
    database: services.database,
    noteNothing: () => noteChange('nothing'),
    work: (tx) => renew(tx, context, { monitorId, maxCents: payment.maxCents }),
    repeat: async () => ({ status: 200, body: { data: await findTarget(context, { id: monitorId }) } }),
  })
}

async function renew(
  tx: Transaction,
  { caller, services, now }: Context,
  { monitorId, maxCents }: { monitorId: string; maxCents: number | undefined },
): Promise<Done> {
  const { workspaceId } = caller
  const { current, settings, price, description } = await offerRenewal(tx, { workspaceId, monitorId, services })
  const monitor = { id: monitorId, name: settings.name }
  await takeCredit(tx, { workspaceId, price, reason: 'renewal', description, monitor, maxCents, at: now })
  await setPaidPeriod(tx, {
    monitorId,
    paidUntil: renewedUntil(current.paid_until ?? now, now),
    paidLocations: settings.locations.length,
    at: now,
  })
  const isResumed = current.status === 'paused' && current.pause_reason === 'non_payment'
  if (isResumed) await setMonitorStatuses(tx, { monitorIds: [monitorId], status: 'enabled', at: now })
  const record = (await findMonitor(tx, services.secrets, { workspaceId, monitorId, now })) ?? monitorNotFound()
  return {
    result: { monitor_id: monitorId },
    reply: () => {
      if (isResumed) services.announceChange({ monitorId, partition: current.partition })
      return { status: 200, body: { data: record } }
    },
  }
}
