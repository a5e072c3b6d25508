import { z } from 'zod'
import type { Actor } from '#core/audit.ts'
import type { MonitorInput, MonitorRecord } from '#core/monitors/monitor.ts'
import { quoteOf } from '#core/money/quote.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Transaction } from '#store/database/database.ts'
import { findLastState } from '#store/database/idempotency.ts'
import { findMonitor } from '#store/monitors/monitor-records.ts'
import type { PaymentAttempt } from '#store/money/payment-attempts.ts'
import { makeToken, replaceToken } from '#store/people/tokens.ts'
import { isTakenByNobody } from '#store/people/workspace-moves.ts'
import { readWorkspace, workspaceGone } from '#store/workspaces/workspaces.ts'
import { type Created, announceCreated, createInWorkspace } from './monitor-create.ts'
import { offerCreate } from './monitor-price.ts'
import { monitorNotFound } from './monitor-surroundings.ts'
import type { Context, Input, Reply, StrangerContext } from '#operations/pipeline/operation.ts'
import { sell } from '#operations/money/paying.ts'
import type { Done, Repeat, Sale } from '#operations/money/sale.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { ShortOfCredit } from '#operations/money/take-credit.ts'

type CreateInput = Pick<Input<unknown, MonitorInput, undefined>, 'body' | 'idempotencyKey' | 'payment'>

const operation = 'create_monitor'

/** 201 with the new monitor, 200 with the one that was made before, or 402. */
export async function createMonitor(context: Context, given: CreateInput): Promise<Reply> {
  const { caller, services, now, noteChange } = context
  const { workspaceId } = caller
  const { body: input, idempotencyKey, payment } = given
  return sell(context, {
    wish: { operation, workspaceId, target: null, idempotencyKey, body: input },
    purpose: 'monitor',
    payment,
    database: services.database,
    noteNothing: () => noteChange('nothing'),
    work: async (tx, paid) => {
      const key = keyOf(idempotencyKey, paid)
      const created = await createInWorkspace(tx, { workspaceId, isStranger: false, services, input, key, now })
      if (created.isReplay) noteChange('nothing')
      else noteChange({ id: created.record.id, details: { kind: created.record.kind } })
      return doneOf(services, created, {})
    },
    repeat: async (repeat) => ({ status: 200, body: { data: await readMade(services, repeat, now) } }),
  })
}

/**
 * The same for a caller without an account: always paid, in a workspace that begins to exist with the payment. Its first
 * token is shown once, and anew to its payer alone (decisions.md A6).
 */
export async function createMonitorForStranger(context: StrangerContext, given: CreateInput): Promise<Reply> {
  const { services, now } = context
  const { body: input, idempotencyKey, payment } = given
  const sale: Sale = {
    wish: { operation, workspaceId: null, target: null, idempotencyKey, body: input },
    purpose: 'monitor',
    payment,
    database: services.database,
    noteNothing: () => {},
    work: async (tx, paid) => {
      if (paid === null) throw await shortOf(tx, services, input)
      return createWithToken(tx, { paid, services, input, key: keyOf(idempotencyKey, paid), now })
    },
    repeat: (repeat) => repeatForStranger(services, repeat, now),
  }
  return sell(context, sale)
}

/** Without an account there is no credit. */
async function shortOf(tx: Transaction, services: Services, input: MonitorInput): Promise<ShortOfCredit> {
  const { price, description } = await offerCreate(tx, { workspaceId: null, isStranger: true, services }, input)
  return new ShortOfCredit(quoteOf(price, 0), description)
}

type Paid = { paid: PaymentAttempt; services: Services; input: MonitorInput; key: string | null; now: Date }

async function createWithToken(tx: Transaction, { paid, ...creation }: Paid): Promise<Done> {
  const { workspaceId } = paid
  const { services, now } = creation
  const created = await createInWorkspace(tx, { ...creation, workspaceId, isStranger: true })
  const token = await makeToken(tx, { workspaceId, name: tokenName, scope: 'write', expiresAt: null }, now)
  const { id, name, kind } = created.record
  await insertAuditEntry(tx, {
    workspaceId,
    at: now,
    actor: tokenActor(token.id),
    action: operation,
    target: { kind: 'monitor', id, name },
    details: { kind },
  })
  const workspace = await readPublic(tx, workspaceId)
  return doneOf(services, created, { tokenId: token.id, shown: { api_key: token.text, workspace } })
}

const tokenName = 'First key'

function tokenActor(id: string): Actor {
  return { kind: 'token', id, name: tokenName }
}

/** Once people have the workspace its keys are theirs to give. */
async function repeatForStranger(services: Services, repeat: Repeat, at: Date): Promise<Reply> {
  const data = await readMade(services, repeat, at)
  const { token_id: tokenId } = resultSchema.parse(repeat.result)
  if (!repeat.isPayer || tokenId === undefined) return { status: 200, body: { data } }
  const { workspaceId } = repeat
  return services.database.transaction(async (tx) => {
    const isPayers = await isTakenByNobody(tx, workspaceId)
    const apiKey = isPayers ? await replaceToken(tx, { workspaceId, tokenId }) : null
    if (apiKey === null) return { status: 200, body: { data } }
    await insertAuditEntry(tx, {
      workspaceId,
      at,
      actor: tokenActor(tokenId),
      action: 'replace_api_token',
      target: { kind: 'api_token', id: tokenId, name: tokenName },
      details: {},
    })
    return { status: 200, body: { data, api_key: apiKey, workspace: await readPublic(tx, workspaceId) } }
  })
}

type Extra = { tokenId?: string; shown?: Record<string, unknown> }

function doneOf(services: Services, created: Created, { tokenId, shown }: Extra): Done {
  const { record, isReplay, heartbeatUrl } = created
  return {
    result: { monitor_id: record.id, ...(tokenId === undefined ? {} : { token_id: tokenId }) },
    reply: () => {
      announceCreated(services, created)
      if (isReplay) return { status: 200, body: { data: record } }
      return { status: 201, body: { data: record, heartbeat_url: heartbeatUrl, ...shown } }
    },
  }
}

const resultSchema = z.object({ monitor_id: z.string(), token_id: z.string().optional() })

/** As it is now; of one that was deleted, what it was last. */
async function readMade({ database }: Services, { result, workspaceId }: Repeat, now: Date): Promise<MonitorRecord> {
  const { monitor_id: monitorId } = resultSchema.parse(result)
  const found = await findMonitor(database, { workspaceId, monitorId, now })
  const made = found ?? (await findLastState(database, { workspaceId, monitorId }))
  if (made !== null) return made
  // Moved or deleted between the work and here, with its workspace.
  const workspace = await readWorkspace(database, workspaceId)
  throw workspace === null || workspace.closedReason !== null ? workspaceGone() : monitorNotFound()
}

/** A paid create always has a key, so that repeats are answered even when the monitor was deleted. */
function keyOf(idempotencyKey: string | null, paid: PaymentAttempt | null): string | null {
  return idempotencyKey ?? (paid === null ? null : `payment ${paid.id}`)
}

async function readPublic(tx: Transaction, workspaceId: string): Promise<{ id: string; name: string }> {
  const workspace = await readWorkspace(tx, workspaceId)
  if (workspace === null) throw new Error(`There is no workspace ${workspaceId}.`)
  return { id: workspaceId, name: workspace.name }
}
