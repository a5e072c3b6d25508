import { type AppError, fail } from '#core/language/error.ts'
import type { MonitorChange } from '#core/monitors/monitor-change.ts'
import { type MonitorRecord, changeEffect } from '#core/monitors/monitor.ts'
import { decimal } from '#core/money/quote.ts'
import type { Transaction } from '#store/database/database.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { updateMonitor as writeMonitor } from '#store/monitors/monitors.ts'
import { besideCalled, ensureCallToken } from './heartbeat-address.ts'
import { offerChange } from './monitor-price.ts'
import { findTarget, monitorNotFound } from './monitor-surroundings.ts'
import { mayAllowPrivateTarget } from './private-target.ts'
import { changedFields } from '#operations/pipeline/changed-fields.ts'
import type { Context, Input, Reply } from '#operations/pipeline/operation.ts'
import { fulfil } from '#operations/money/fulfil.ts'
import { type Done, type Sale, workWithoutPaying } from '#operations/money/sale.ts'
import { type Spender, spenderOf, takeCredit } from '#operations/money/take-credit.ts'

type UpdateInput = Pick<Input<unknown, MonitorChange, Pick<MonitorRecord, 'id'>>, 'target' | 'body' | 'payment'>

/** 200 with the changed monitor, or 402 where locations are added to a paid one and credit does not cover them. */
export async function updateMonitor(context: Context, input: UpdateInput): Promise<Reply> {
  return fulfil(context, await saleOf(context, input))
}

/** The same with what is there: null where it was done, else what a refusal of it says. */
export async function updateWithoutPaying(
  context: Context,
  { monitorId, change: body }: { monitorId: string; change: MonitorChange },
): Promise<AppError | null> {
  const sale = await saleOf(context, {
    target: { id: monitorId },
    body,
    payment: { credential: undefined, preference: null },
  })
  const worked = await workWithoutPaying(sale, { challengeId: null, at: context.now })
  if (worked.type === 'done') return null
  const { quote, description } = worked.short
  return fail(
    'payment_required',
    `Not enough credit: $${decimal(quote.amount_due_cents)} is missing for ${description}.`,
  )
}

async function saleOf(context: Context, { target, body, payment }: UpdateInput): Promise<Sale> {
  const { caller, services, noteChange } = context
  const { workspaceId } = caller
  const monitorId = target.id
  const mayAllowPrivate = await mayAllowPrivateTarget(context)
  return {
    wish: { operation: 'update_monitor', workspaceId, target: monitorId, idempotencyKey: null, body },
    purpose: 'locations',
    payment,
    database: services.database,
    noteNothing: () => noteChange('nothing'),
    work: (tx, paid) =>
      writeChange(tx, context, {
        monitorId,
        change: body,
        mayAllowPrivateTarget: mayAllowPrivate,
        maxCents: payment.maxCents,
        spender: spenderOf(caller, paid?.amountCents),
      }),
    repeat: async () => {
      const data = await findTarget(context, { id: monitorId })
      return { status: 200, body: { data, ...(await besideCalled(services.database, services, data)) } }
    },
  }
}

type Change = {
  monitorId: string
  change: MonitorChange
  mayAllowPrivateTarget: boolean
  maxCents: number | undefined
  spender: Spender | null
}

/** Decided on what the transaction has locked, so that two changes at once both take effect or contradict openly. */
async function writeChange(
  tx: Transaction,
  { caller, services, now, noteChange }: Context,
  { change, maxCents, spender, ...changed }: Change,
): Promise<Done> {
  const { workspaceId } = caller
  const { monitorId } = changed
  const { current, settings, price, description } = await offerChange(tx, { workspaceId, services, ...changed }, change)
  noteChange({ name: current.settings.name, details: { fields: changedFields(change, current.settings, settings) } })
  const monitor = { id: monitorId, name: settings.name }
  await takeCredit(tx, { workspaceId, price, reason: 'monitor', description, monitor, maxCents, spender, at: now })
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
