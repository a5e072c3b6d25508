import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { type PaymentMethodName, type PaymentPurpose, paymentMethods, paymentPurposes } from '#core/money/payment.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import type { Json, PaymentAttempts } from '#store/database/schema.ts'
import type { Secrets } from '#store/database/secrets.ts'

export type AttemptState = 'settling' | 'succeeded' | 'failed'

/** One try to be paid. */
export type PaymentAttempt = {
  id: string
  purposeHash: Buffer
  challengeId: string
  /** SHA-256 of all that was sent in answer to the challenge. */
  payloadHash: Buffer
  method: PaymentMethodName
  workspaceId: string
  /** The workspace begins to exist when the attempt succeeds. */
  isNewWorkspace: boolean
  amountCents: number
  purpose: PaymentPurpose
  description: string
  state: AttemptState
  notes: Json
  /** Why it failed, for the payer. */
  failure: string | null
  createdAt: Date
  /** How often the processor was asked. */
  asked: number
  endedAt: Date | null
  paymentId: string | null
  /** When what was paid for was done; `result` is what the operation noted of it. */
  doneAt: Date | null
  result: unknown
}

/**
 * A process that asks the processor holds the attempt for as long as an answer may take, and a little more; then
 * another one may ask. Methods answer within 20 seconds.
 */
const holdMs = 25_000

/** Null when no attempt was made with this challenge. */
export async function findAttemptOf(reader: Reader, challengeId: string): Promise<PaymentAttempt | null> {
  const row = await reader.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('challenge_id', '=', challengeId)
    .executeTakeFirst()
  return row === undefined ? null : toAttempt(row)
}

/** Throws when there is no such attempt: none is removed while a request may refer to it. */
export async function readAttempt(reader: Reader, id: string): Promise<PaymentAttempt> {
  const row = await reader.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return toAttempt(row)
}

/** Whether what this request asks for was paid, and done after this moment. */
export async function isPurposeDone(
  reader: Reader,
  { purposeHash, after }: { purposeHash: Buffer; after: Date },
): Promise<boolean> {
  const found = await reader.query
    .selectFrom('payment_attempts')
    .select('id')
    .where('purpose_hash', '=', purposeHash)
    .where('done_at', '>', after)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Takes the attempt for the next question to the processor; null when another process holds it or it has ended. */
export async function holdAttempt(
  database: Database,
  { id, at }: { id: string; at: Date },
): Promise<PaymentAttempt | null> {
  const row = await database.query
    .updateTable('payment_attempts')
    .set((columns) => ({ asked_at: at, asked: columns('asked', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'settling')
    .where('asked_at', '<=', new Date(at.getTime() - holdMs))
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toAttempt(row)
}

/** The processor did not say what happened: the next request may ask at once, without waiting until the hold ends. */
export async function releaseAttempt(database: Database, id: string): Promise<void> {
  await database.query
    .updateTable('payment_attempts')
    .set({ asked_at: sql<Date>`asked_at - make_interval(secs => ${holdMs / 1000}::float8)` })
    .where('id', '=', id)
    .where('state', '=', 'settling')
    .execute()
}

/** What `beginAttempt` sealed; null once the attempt has ended. */
export async function readSealed(reader: Reader, secrets: Secrets, id: string): Promise<unknown> {
  const { sealed_payload: sealed } = await reader.query
    .selectFrom('payment_attempts')
    .select('sealed_payload')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const payload: unknown =
    sealed === null ? null : JSON.parse(secrets.decrypt(sealed, { column: 'payment_attempts.sealed_payload', id }))
  return payload
}

/** Commits what a method has to remember before it does something irrevocable. Throws when the attempt has ended. */
export async function keepNotes(database: Database, id: string, notes: Json): Promise<void> {
  await database.query
    .updateTable('payment_attempts')
    .set({ notes: JSON.stringify(notes) })
    .where('id', '=', id)
    .where('state', '=', 'settling')
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** The attempt, held until the transaction ends. The row of the workspace is locked before it. */
export async function lockAttempt(tx: Transaction, id: string): Promise<PaymentAttempt> {
  const row = await tx.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return toAttempt(row)
}

export type AttemptEnd =
  | { state: 'succeeded'; paymentId: string; at: Date }
  | { state: 'failed'; failure: string; at: Date }

/** False when it has ended before. What was sealed is erased. */
export async function endAttempt(reader: Reader, id: string, end: AttemptEnd): Promise<boolean> {
  const ended = await reader.query
    .updateTable('payment_attempts')
    .set({
      state: end.state,
      payment_id: end.state === 'succeeded' ? end.paymentId : null,
      failure: end.state === 'failed' ? end.failure : null,
      ended_at: end.at,
      sealed_payload: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'settling')
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

/**
 * Marks what was paid for as done: every attempt at this request that has succeeded and waits gets the result. One is
 * usual; there are more where a payer went on without waiting for an answer. Attempts whose money is in another
 * workspace still wait for their own work.
 */
export async function finishAttempts(
  tx: Transaction,
  { purposeHash, workspaceId, result, at }: { purposeHash: Buffer; workspaceId: string; result: Json; at: Date },
): Promise<void> {
  await tx.query
    .updateTable('payment_attempts')
    .set({ done_at: at, result: JSON.stringify(result) })
    .where('purpose_hash', '=', purposeHash)
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'succeeded')
    .where('done_at', 'is', null)
    .execute()
}

export function toAttempt(row: Selectable<PaymentAttempts>): PaymentAttempt {
  const { method, purpose, state } = narrowed.parse(row)
  return {
    id: row.id,
    purposeHash: row.purpose_hash,
    challengeId: row.challenge_id,
    payloadHash: row.payload_hash,
    method,
    workspaceId: row.workspace_id,
    isNewWorkspace: row.is_new_workspace,
    amountCents: Number(row.amount_cents),
    purpose,
    description: row.description,
    state,
    notes: row.notes,
    failure: row.failure,
    createdAt: row.created_at,
    asked: row.asked,
    endedAt: row.ended_at,
    paymentId: row.payment_id,
    doneAt: row.done_at,
    result: row.result,
  }
}

const narrowed = z.object({
  method: z.enum(paymentMethods),
  purpose: z.enum(paymentPurposes),
  state: z.enum(['settling', 'succeeded', 'failed']),
})
