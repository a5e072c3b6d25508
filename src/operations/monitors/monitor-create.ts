import { randomUUID } from 'node:crypto'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { fail } from '#core/language/error.ts'
import type { MonitorInput, MonitorRecord } from '#core/monitors/monitor.ts'
import { firstPaidUntil } from '#core/money/quote.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { Transaction } from '#store/database/database.ts'
import { type KeyOutcome, claimKey } from '#store/database/idempotency.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { insertMonitor } from '#store/monitors/monitors.ts'
import { callPath, ensureCallToken } from './heartbeat-address.ts'
import { offerCreate } from './monitor-price.ts'
import { monitorNotFound } from './monitor-surroundings.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { takeCredit } from '#operations/money/take-credit.ts'

/** A create in a workspace that exists. */
export type Creation = {
  workspaceId: string
  isStranger: boolean
  services: Services
  input: MonitorInput
  /** Null where nothing will be asked for again. */
  key: string | null
  now: Date
}

export type Created = {
  record: MonitorRecord
  /** Whether the key stands for a monitor that was made before. */
  isReplay: boolean
  /** Where a heartbeat or webhook monitor is called; null for others, and on a replay. */
  heartbeatUrl: string | null
}

/**
 * A monitor in a free slot of the plan, else one that is paid from credit, or the one that the key created before
 * (specification, rules for create). Throws ShortOfCredit, or what the caller is told.
 */
export async function createInWorkspace(tx: Transaction, creation: Creation): Promise<Created> {
  const monitorId = randomUUID()
  const key = creation.key === null ? null : await claimKey(tx, { ...keyUseOf(creation, creation.key), monitorId })
  const earlier = key === null ? null : await readReplay(tx, creation, key)
  if (earlier !== null) return { record: earlier, isReplay: true, heartbeatUrl: null }
  const { workspaceId, services, input, now } = creation
  const { settings, price, description } = await offerCreate(tx, creation, input)
  const { billingPeriod: period } = price
  await takeCredit(tx, {
    workspaceId,
    price,
    reason: 'monitor',
    description,
    monitor: { id: monitorId, name: settings.name },
    at: now,
  })
  await insertMonitor(tx, services.secrets, {
    id: monitorId,
    workspaceId,
    settings,
    createdAt: now,
    ...(period === null ? {} : { paid: { period, until: firstPaidUntil(period, now) } }),
  })
  const record = await readRecord(tx, { workspaceId, monitorId, now })
  const token = await ensureCallToken(tx, services.secrets, { monitorId, kind: record.kind })
  return { record, isReplay: false, heartbeatUrl: token === null ? null : services.publicUrl + callPath + token }
}

/** After commit: its engine looks at once. */
export function announceCreated({ announceChange }: Services, { record, isReplay }: Created): void {
  if (!isReplay) announceChange({ monitorId: record.id, partition: partitionOf(record.id) })
}

/** What a key stands for: one request to create one monitor. */
export function keyUseOf(
  { workspaceId, input, now }: Pick<Creation, 'workspaceId' | 'input' | 'now'>,
  key: string,
): Omit<Parameters<typeof claimKey>[1], 'monitorId'> {
  return { workspaceId, key, request: canonicalJson({ method: 'POST', path: '/monitors', body: input }), now }
}

export function keyReused(): Error {
  return fail('idempotency_key_reused', 'This Idempotency-Key was used for another request within 24 hours.')
}

/** Null when the key is this request's own. */
async function readReplay(
  tx: Transaction,
  { workspaceId, now }: Creation,
  key: KeyOutcome,
): Promise<MonitorRecord | null> {
  switch (key.type) {
    case 'claimed':
      return null
    case 'replay':
      return key.lastState ?? readRecord(tx, { workspaceId, monitorId: key.monitorId, now })
    case 'other_request':
      throw keyReused()
  }
}

async function readRecord(tx: Transaction, request: Parameters<typeof findMonitor>[1]): Promise<MonitorRecord> {
  return (await findMonitor(tx, request)) ?? monitorNotFound()
}
