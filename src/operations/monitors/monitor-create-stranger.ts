import type { Actor } from '#core/audit.ts'
import { quoteOf } from '#core/money/quote.ts'
import type { MonitorInput } from '#core/monitors/monitor.ts'
import { fulfil } from '#operations/money/fulfil.ts'
import type { Done, Repeat } from '#operations/money/sale.ts'
import { ShortOfCredit } from '#operations/money/take-credit.ts'
import type { Reply, StrangerContext } from '#operations/pipeline/operation.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { Transaction } from '#store/database/database.ts'
import type { PaymentAttempt } from '#store/money/payment-attempts.ts'
import { makeToken, replaceToken } from '#store/people/tokens.ts'
import { isTakenByNobody } from '#store/people/workspace-moves.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import { readWorkspace } from '#store/workspaces/workspaces.ts'
import { besideCalled } from './heartbeat-address.ts'
import type { CreateInput } from './monitor-create.ts'
import { offerCreate } from './monitor-price.ts'
import { doneOf, keyOf, makeMonitor, readMade, resultSchema } from './new-monitor.ts'

const operation = 'create_monitor'

/**
 * A create by a caller without an account: always paid, in a workspace that begins to exist with the payment. Its first
 * token is shown once, and anew to its payer alone (docs/decisions/payments.md, "A repeat of the same request").
 */
export async function createMonitorForStranger(context: StrangerContext, given: CreateInput): Promise<Reply> {
  const { services, now } = context
  const { body: input, idempotencyKey, payment } = given
  return fulfil(context, {
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
  })
}

/** A caller without an account has no credit. */
async function shortOf(tx: Transaction, services: Services, input: MonitorInput): Promise<ShortOfCredit> {
  const { price, description } = await offerCreate(tx, { workspaceId: null, isStranger: true, services }, input)
  return new ShortOfCredit(quoteOf(price, 0), description)
}

type Paid = { paid: PaymentAttempt; services: Services; input: MonitorInput; key: string | null; now: Date }

async function createWithToken(tx: Transaction, { paid, ...creation }: Paid): Promise<Done> {
  const { workspaceId } = paid
  const { services, now } = creation
  const created = await makeMonitor(tx, { ...creation, workspaceId, isStranger: true })
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

/** A workspace that people have taken over gives no new key: its keys are theirs to give. */
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
    const beside = await besideCalled(tx, services, data)
    return { status: 200, body: { data, ...beside, api_key: apiKey, workspace: await readPublic(tx, workspaceId) } }
  })
}

async function readPublic(tx: Transaction, workspaceId: string): Promise<{ id: string; name: string }> {
  const workspace = await readWorkspace(tx, workspaceId)
  if (workspace === null) throw new Error(`There is no workspace ${workspaceId}.`)
  return { id: workspaceId, name: workspace.name }
}
