import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { fail } from '#core/language/error.ts'
import { firstPaidUntil } from '#core/money/quote.ts'
import type { MonitorInput, MonitorRecord } from '#core/monitors/monitor.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { Done, Repeat } from '#operations/money/sale.ts'
import { type Spender, takeCredit } from '#operations/money/take-credit.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { Transaction } from '#store/database/database.ts'
import { type KeyUse, claimKey, findLastState } from '#store/database/idempotency.ts'
import type { PaymentAttempt } from '#store/money/payment-attempts.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import { type NewMonitor, insertMonitor } from '#store/monitors/monitors.ts'
import { readWorkspace, workspaceGone } from '#store/workspaces/workspaces.ts'
import { ensureCallToken, readHeartbeatUrl } from './heartbeat-address.ts'
import { type Offer, offerCreate } from './monitor-price.ts'
import { monitorNotFound } from './monitor-surroundings.ts'

/** A create in a workspace that exists. */
export type Creation = {
  workspaceId: string
  isStranger: boolean
  services: Services
  /** Whether the caller may let the monitor reach private addresses. Default: false. */
  mayAllowPrivateTarget?: boolean
  input: MonitorInput
  /** What the caller is ready to pay. Absent: any price. */
  maxCents?: number | undefined
  /** Whose budget counts; see `takeCredit`. */
  spender?: Spender | null
  /** Null where no repeat has to be answered. */
  key: string | null
  now: Date
}

export type Created = {
  record: MonitorRecord
  /** Whether the key stands for a monitor that was made before. */
  isReplay: boolean
  /** Where a heartbeat, webhook or push_metric monitor is called; null for others, and for one that was deleted. */
  heartbeatUrl: string | null
  /** Whether the workspace was seen to have no payment that waits for its work. */
  isNothingOwed: boolean
}

/**
 * Makes a monitor in a free slot of the plan, else one that is paid from credit; or finds the one that the key made
 * before. Throws ShortOfCredit, or the refusal of the request.
 */
export async function makeMonitor(tx: Transaction, creation: Creation): Promise<Created> {
  const monitorId = randomUUID()
  const earlier = await claimForMonitor(tx, creation, monitorId)
  const { workspaceId, services, input, now } = creation
  if (earlier !== null) {
    const heartbeatUrl = await readHeartbeatUrl(tx, services, earlier)
    return { record: earlier, isReplay: true, heartbeatUrl, isNothingOwed: false }
  }
  const { isNothingOwed, ...offer } = await offerCreate(tx, creation, input)
  const isFree = offer.price.billing === 'plan'
  const paid = isFree ? {} : { paid: await payFirstPeriod(tx, { monitorId, offer, creation }) }
  const monitor = { id: monitorId, workspaceId, settings: offer.settings, createdAt: now }
  await insertMonitor(tx, services.secrets, { ...monitor, ...paid })
  const record = await readRecord(tx, services, { workspaceId, monitorId, now })
  await ensureCallToken(tx, services.secrets, { monitorId, kind: record.kind })
  const heartbeatUrl = await readHeartbeatUrl(tx, services, record)
  return { record, isReplay: false, heartbeatUrl, isNothingOwed }
}

/** What the sale of a monitor keeps and answers: 201 with a new one, 200 with one that was made before. */
export function doneOf(services: Services, created: Created, { tokenId, shown }: Extra = {}): Done {
  const { record, isReplay, heartbeatUrl, isNothingOwed } = created
  return {
    isNothingOwed,
    result: { monitor_id: record.id, ...(tokenId === undefined ? {} : { token_id: tokenId }) },
    reply: () => {
      const address = heartbeatUrl === null ? {} : { heartbeat_url: heartbeatUrl }
      if (isReplay) return { status: 200, body: { data: record, ...address } }
      services.announceChange({ monitorId: record.id, partition: partitionOf(record.id) })
      return { status: 201, body: { data: record, heartbeat_url: heartbeatUrl, ...shown } }
    },
  }
}

/** For a stranger: the id of the first token, and what is told about it once. */
type Extra = { tokenId?: string; shown?: Record<string, unknown> }

export const resultSchema = z.object({ monitor_id: z.string(), token_id: z.string().optional() })

/** The monitor that a sale made, as it is now; a deleted one as it was last. */
export async function readMade(
  { database, secrets }: Services,
  { result, workspaceId }: Repeat,
  now: Date,
): Promise<MonitorRecord> {
  const { monitor_id: monitorId } = resultSchema.parse(result)
  const found = await findMonitor(database, secrets, { workspaceId, monitorId, now })
  const made = found ?? (await findLastState(database, secrets, { workspaceId, monitorId }))
  if (made !== null) return made
  // Between the work and here the monitor was moved, or deleted with its workspace.
  const workspace = await readWorkspace(database, workspaceId)
  throw workspace === null || workspace.closedReason !== null ? workspaceGone() : monitorNotFound()
}

/** A create that was paid for always has a key, so that repeats are answered even when the monitor was deleted. */
export function keyOf(idempotencyKey: string | null, paid: PaymentAttempt | null): string | null {
  return idempotencyKey ?? (paid === null ? null : `payment ${paid.id}`)
}

/** What a key stands for: one request to create one monitor. */
export function keyUseOf(
  { workspaceId, input, now }: Pick<Creation, 'workspaceId' | 'input' | 'now'>,
  key: string,
): Omit<KeyUse, 'monitorId'> {
  return { workspaceId, key, request: canonicalJson({ method: 'POST', path: '/monitors', body: input }), now }
}

export function keyReused(): Error {
  return fail('idempotency_key_reused', 'This Idempotency-Key was used for another request within 24 hours.')
}

type FirstPeriod = {
  monitorId: string
  offer: Offer
  creation: Pick<Creation, 'workspaceId' | 'maxCents' | 'spender' | 'now'>
}

async function payFirstPeriod(
  tx: Transaction,
  { monitorId, offer, creation: { workspaceId, maxCents, spender, now: at } }: FirstPeriod,
): Promise<NonNullable<NewMonitor['paid']>> {
  const { settings, price, description } = offer
  const monitor = { id: monitorId, name: settings.name }
  await takeCredit(tx, { workspaceId, price, reason: 'monitor', description, monitor, maxCents, spender, at })
  const { billingPeriod: period } = price
  if (period === null) throw new Error('A monitor that is paid for has no period.')
  return { period, until: firstPaidUntil(period, at) }
}

/** Takes the key for a new monitor and returns null, or returns the monitor that it made before. */
async function claimForMonitor(tx: Transaction, creation: Creation, monitorId: string): Promise<MonitorRecord | null> {
  const { workspaceId, services, key, now } = creation
  if (key === null) return null
  const outcome = await claimKey(tx, services.secrets, { ...keyUseOf(creation, key), monitorId })
  switch (outcome.type) {
    case 'claimed':
      return null
    case 'replay':
      return outcome.lastState ?? readRecord(tx, services, { workspaceId, monitorId: outcome.monitorId, now })
    case 'other_request':
      throw keyReused()
  }
}

async function readRecord(
  tx: Transaction,
  { secrets }: Services,
  request: Parameters<typeof findMonitor>[2],
): Promise<MonitorRecord> {
  return (await findMonitor(tx, secrets, request)) ?? monitorNotFound()
}
