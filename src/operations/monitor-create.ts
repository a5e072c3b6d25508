import { randomUUID } from 'node:crypto'
import { canonicalJson } from '#core/canonical-json.ts'
import { fail } from '#core/error.ts'
import { decideSettings } from '#core/monitor-input.ts'
import type { MonitorInput, MonitorRecord } from '#core/monitor.ts'
import { partitionOf } from '#core/schedule.ts'
import type { Transaction } from '#store/database.ts'
import { type KeyOutcome, claimKey } from '#store/idempotency.ts'
import { findMonitor, insertMonitor } from '#store/monitors.ts'
import { lockSlots } from '#store/plan-slots.ts'
import { callPath, ensureCallToken } from './heartbeat-address.ts'
import { assertMembers, monitorNotFound, planOf, readSurroundings } from './monitor-surroundings.ts'
import type { Context, Reply } from './operation.ts'

/** 201 with the new monitor, or 200 with the one that the key created before (specification, rules for create, 5). */
export async function createMonitor(
  context: Context,
  input: MonitorInput,
  idempotencyKey: string | null,
): Promise<Reply> {
  const { services, noteChange } = context
  const monitorId = randomUUID()
  const { replayed, record, token } = await services.database.transaction(async (tx) => {
    const key =
      idempotencyKey === null ? null : await claimKey(tx, keyUse(context, input, { idempotencyKey, monitorId }))
    const earlier = key === null ? null : await readReplay(tx, context, key)
    if (earlier !== null) {
      noteChange('nothing')
      return { replayed: true, record: earlier, token: null }
    }
    noteChange({ id: monitorId, details: { kind: input.kind ?? 'http' } })
    await insertInSlot(tx, context, { monitorId, input })
    const created = await readRecord(tx, context, monitorId)
    const callToken = await ensureCallToken(tx, services.secrets, { monitorId, kind: created.kind })
    return { replayed: false, record: created, token: callToken }
  })
  if (replayed) return { status: 200, body: { data: record } }
  services.announceChange({ monitorId, partition: partitionOf(monitorId) })
  return {
    status: 201,
    body: { data: record, heartbeat_url: token === null ? null : services.publicUrl + callPath + token },
  }
}

function keyUse(
  { caller, now }: Context,
  body: MonitorInput,
  { idempotencyKey, monitorId }: { idempotencyKey: string; monitorId: string },
): Parameters<typeof claimKey>[1] {
  const request = canonicalJson({ method: 'POST', path: '/monitors', body })
  return { workspaceId: caller.workspaceId, key: idempotencyKey, request, monitorId, now }
}

/** Null when the key is this request's own. */
async function readReplay(tx: Transaction, context: Context, key: KeyOutcome): Promise<MonitorRecord | null> {
  switch (key.type) {
    case 'claimed':
      return null
    case 'replay':
      return key.lastState ?? readRecord(tx, context, key.monitorId)
    case 'other_request':
      throw fail('idempotency_key_reused', 'This Idempotency-Key was used for another request within 24 hours.')
  }
}

async function insertInSlot(
  tx: Transaction,
  context: Context,
  { monitorId, input }: { monitorId: string; input: MonitorInput },
): Promise<void> {
  const { caller, services, now } = context
  const surroundings = await readSurroundings(tx, context, input)
  const slots = await lockSlots(tx, caller.workspaceId)
  const plan = planOf(services, slots.plan)
  const billing = slots.used < plan.slots ? 'plan' : 'paid'
  const settings = decideSettings(input, null, { ...surroundings, plan, billing, billingPeriod: null })
  await assertMembers(tx, { workspaceId: caller.workspaceId, monitorId, before: null }, settings)
  if (billing === 'paid')
    throw fail('payments_disabled', `All ${plan.slots} monitor slots of the plan are in use, and payments are off.`)
  await insertMonitor(tx, services.secrets, {
    id: monitorId,
    workspaceId: caller.workspaceId,
    settings,
    createdAt: now,
  })
}

async function readRecord(tx: Transaction, { caller, now }: Context, monitorId: string): Promise<MonitorRecord> {
  const found = await findMonitor(tx, { workspaceId: caller.workspaceId, monitorId, now })
  return found ?? monitorNotFound()
}
