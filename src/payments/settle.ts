import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Seller } from '#core/money/receipt.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Database, Transaction } from '#store/database/database.ts'
import {
  type PaymentAttempt,
  endAttempt,
  keepNotes,
  lockAttempt,
  readAttempt,
  readSealed,
  releaseAttempt,
} from '#store/money/payment-attempts.ts'
import { readSendingHeld } from '#store/installation/sending.ts'
import { recordPayment } from '#store/money/payments.ts'
import type { Json } from '#store/database/schema.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { createWorkspace, lockWorkspace } from '#store/workspaces/workspaces.ts'
import { inTime } from './in-time.ts'
import type { PaymentMethod, Settlement } from './method.ts'

/** What it takes to settle a payment, for a request as for the sweep of open payments. */
export type Till = {
  methods: readonly PaymentMethod[]
  /** The seller on receipts. */
  seller: Seller
  /** Not the one that an operation is lent: a payment is kept whatever becomes of the operation. */
  database: Database
  secrets: Secrets
  now: () => Date
  /** Gets the reason why a processor did not say whether it charged. */
  onUnknown: (unknown: { attemptId: string; method: string; reason: string }) => void
}

/** The plan of a workspace that begins to exist with a payment; it has no slots. */
export const payersPlan = 'pay_as_you_go'

/** Methods answer within 20 s; one that does not is not waited for. */
const deadlineMs = 22_000

/**
 * Asks the processor about an attempt that the caller holds, with no transaction open, and commits the outcome. An
 * attempt whose outcome stays unknown remains `settling`. However often it is called, the attempt is charged and
 * credited once.
 */
export async function settleAttempt(till: Till, attempt: PaymentAttempt): Promise<PaymentAttempt> {
  const settlement = await askProcessor(till, attempt)
  switch (settlement.type) {
    case 'settled':
      await recordSettlement(till, attempt.id, settlement)
      break
    case 'declined':
      await endAttempt(till.database, attempt.id, { state: 'failed', failure: settlement.reason, at: till.now() })
      break
    case 'unknown':
      till.onUnknown({ attemptId: attempt.id, method: attempt.method, reason: settlement.reason })
      await releaseAttempt(till.database, attempt.id)
      break
  }
  return readAttempt(till.database, attempt.id)
}

async function askProcessor(till: Till, attempt: PaymentAttempt): Promise<Settlement> {
  const { id, amountCents, description, notes, challengeId } = attempt
  // The original of a restored copy may have charged the attempt, or be about to.
  if ((await readSendingHeld(till.database)) !== null)
    return { type: 'unknown', reason: 'This installation was restored from a backup, and sends nothing.' }
  const method = till.methods.find(({ name }) => name === attempt.method)
  if (method === undefined) return { type: 'unknown', reason: `The method ${attempt.method} is not configured.` }
  const sealed = sealedSchema.safeParse(await readSealed(till.database, till.secrets, id))
  if (!sealed.success) return { type: 'unknown', reason: 'The attempt has ended meanwhile.' }
  const late: Settlement = { type: 'unknown', reason: `The processor did not answer within ${deadlineMs} ms.` }
  const asked = { id, amountCents, description, notes, challengeId, ...sealed.data }
  return inTime(deadlineMs, late, () => method.settle(asked, (kept) => keepNotes(till.database, id, kept)))
}

const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
)
const sealedSchema = z.object({ payload: json, request: z.record(z.string(), z.unknown()), externalId: z.string() })

type Settled = Extract<Settlement, { type: 'settled' }>

/** Payment, receipt and credit in one transaction, and first the workspace of a payer who had none. */
async function recordSettlement(till: Till, attemptId: string, settled: Settled): Promise<void> {
  const at = till.now()
  await till.database.transaction(async (tx) => {
    const attempt = await holdOpen(tx, attemptId)
    if (attempt === null) return
    const { workspaceId, method, amountCents, purpose, description } = attempt
    if (attempt.isNewWorkspace) await openWorkspace(tx, workspaceId, at)
    const paymentId = randomUUID()
    const money = { method, amountCents, purpose, description, seller: till.seller, at }
    const { reference, livemode } = settled
    await recordPayment(tx, { id: paymentId, workspaceId, reference, livemode, ...money })
    await endAttempt(tx, attemptId, { state: 'succeeded', paymentId, at })
  })
}

/**
 * Null when the attempt has ended. The workspace is locked before it, where it exists, since a claim moves its
 * attempts.
 */
async function holdOpen(tx: Transaction, attemptId: string): Promise<PaymentAttempt | null> {
  const { isNewWorkspace, workspaceId } = await readAttempt(tx, attemptId)
  if (!isNewWorkspace) await lockWorkspace(tx, workspaceId)
  const attempt = await lockAttempt(tx, attemptId)
  return attempt.state === 'settling' ? attempt : null
}

async function openWorkspace(tx: Transaction, id: string, at: Date): Promise<void> {
  const name = `Pay as you go ${id.slice(0, 8)}`
  await createWorkspace(tx, { id, name, plan: payersPlan })
  await insertAuditEntry(tx, {
    workspaceId: id,
    at,
    actor: { kind: 'system', id: null, name: 'Perigee' },
    action: 'create_workspace',
    target: { kind: 'workspace', id, name },
    details: { plan: payersPlan },
  })
}
