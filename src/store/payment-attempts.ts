import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { type PaymentMethodName, type PaymentPurpose, paymentMethods, paymentPurposes } from '#core/payment.ts'
import type { Database, Reader, Transaction } from './database.ts'
import type { Json, PaymentAttempts } from './schema.ts'
import type { Secrets } from './secrets.ts'
import { assertOpen, lockWorkspace } from './workspaces.ts'

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
  /** When what was paid for was done; `result` is what that made, as whoever did it wrote it. */
  doneAt: Date | null
  result: unknown
}

export type NewAttempt = Pick<
  PaymentAttempt,
  | 'purposeHash'
  | 'challengeId'
  | 'payloadHash'
  | 'method'
  | 'workspaceId'
  | 'isNewWorkspace'
  | 'amountCents'
  | 'purpose'
  | 'description'
> & {
  /** What proves the payment and is good for one only; null where it may be used again. */
  proofHash: Buffer | null
  /** What is needed to ask the processor, now and again, as JSON. */
  sealed: unknown
  /** Without it only attempts that run, or answered the same challenge, stand in the way. */
  rivalry?: Rivalry
  at: Date
}

export type Begun =
  | { type: 'begun'; attempt: PaymentAttempt }
  /** The same challenge was answered before. */
  | { type: 'same_challenge'; attempt: PaymentAttempt }
  /** The same request is being paid for with another challenge. */
  | { type: 'same_purpose'; attempt: PaymentAttempt }
  | { type: 'proof_used' }

/**
 * Who asks the processor holds the attempt for as long as an answer may take, and a little more; then another may.
 * Methods answer within 20 seconds.
 */
const holdMs = 25_000
const firstPauseSeconds = 60
const longestPauseSeconds = 6 * 3600
const keptDays = 90

/**
 * Commits the attempt, held by the caller, who is to ask the processor next, unless there is a rival: of several that
 * begin for the same request at once each sees those before it. Refuses with `not_found` where the workspace has closed
 * while the caller was on its way: nothing is charged for it.
 */
export function beginAttempt(database: Database, secrets: Secrets, attempt: NewAttempt): Promise<Begun> {
  const sealed = secrets.encrypt(JSON.stringify(attempt.sealed))
  return database.transaction(async (tx) => {
    if (!attempt.isNewWorkspace) {
      await lockWorkspace(tx, attempt.workspaceId)
      await assertOpen(tx, attempt.workspaceId)
    }
    await tx.client.query('select pg_advisory_xact_lock($1::bigint)', [String(attempt.purposeHash.readBigInt64BE())])
    const rival = attempt.rivalry === undefined ? null : await findRival(tx, attempt.rivalry)
    if (rival !== null) return hinderedBy(rival, attempt)
    const row = await insertAttempt(tx, attempt, sealed)
    return row === undefined ? findHindrance(tx, attempt) : { type: 'begun', attempt: toAttempt(row) }
  })
}

/** Null when no attempt was made with this challenge. */
export async function findAttemptOf(reader: Reader, challengeId: string): Promise<PaymentAttempt | null> {
  const row = await reader.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('challenge_id', '=', challengeId)
    .executeTakeFirst()
  return row === undefined ? null : toAttempt(row)
}

/** Throws when there is no such attempt: they are never removed while somebody knows of them. */
export async function readAttempt(reader: Reader, id: string): Promise<PaymentAttempt> {
  const row = await reader.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return toAttempt(row)
}

/** Which attempts stand in the way of paying for a request once more. */
export type Rivalry = {
  purposeHash: Buffer
  /** That would be answered. */
  challengeId: string
  /** Attempts that were done at or after this moment. */
  doneSince: Date
  /** Attempts that are under way, or paid and not done, if they began after this moment. */
  begunAfter: Date
  /** Attempts that were looked at and stand in nobody's way. */
  besides: readonly string[]
}

/** The newest of them; null when there is none. One that failed is none. */
export async function findRival(reader: Reader, rivalry: Rivalry): Promise<PaymentAttempt | null> {
  const { purposeHash, challengeId, doneSince, begunAfter, besides } = rivalry
  const row = await reader.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('purpose_hash', '=', purposeHash)
    .where('state', '<>', 'failed')
    .where(sql<boolean>`id <> all(${[...besides]}::uuid[])`)
    .where((where) =>
      where.or([
        where('challenge_id', '=', challengeId),
        where('done_at', '>=', doneSince),
        where.and([where('done_at', 'is', null), where('created_at', '>', begunAfter)]),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toAttempt(row)
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

/** Takes the attempt for the next question to the processor; null when somebody else holds it or it has ended. */
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

/** The processor did not say what happened: whoever comes next need not wait until the time of holding is over. */
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
  const payload: unknown = sealed === null ? null : JSON.parse(secrets.decrypt(sealed))
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

/** The attempt, held until the transaction ends. After the workspace's row. */
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
 * What was paid for is done: all attempts at this request that have succeeded and wait for it are finished with what
 * was made. One is usual; more where a payer went on without waiting for an answer.
 */
export async function finishAttempts(
  tx: Transaction,
  { purposeHash, result, at }: { purposeHash: Buffer; result: Json; at: Date },
): Promise<void> {
  await tx.query
    .updateTable('payment_attempts')
    .set({ done_at: at, result: JSON.stringify(result) })
    .where('purpose_hash', '=', purposeHash)
    .where('state', '=', 'succeeded')
    .where('done_at', 'is', null)
    .execute()
}

/**
 * Attempts that somebody should ask about, the longest waiting first. Between two questions the pause doubles, from a
 * minute to six hours. At most `limit`.
 */
export async function listOpenAttempts(
  reader: Reader,
  { at, limit }: { at: Date; limit: number },
): Promise<PaymentAttempt[]> {
  const pause = sql`least(${longestPauseSeconds}::float8, ${firstPauseSeconds}::float8 * power(2, least(asked, 20) - 1))`
  const rows = await reader.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where('state', '=', 'settling')
    .where('asked_at', '<=', sql<Date>`${at}::timestamptz - make_interval(secs => ${pause})`)
    .orderBy('asked_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toAttempt)
}

/**
 * Removes attempts that nobody can refer to any more, at most 1,000 a call; returns how many. Those that were done answer
 * their payer for a day (decisions.md C27, A20), and refuse a proof for as long as it may be good. What was paid and is
 * not done yet is never forgotten.
 */
export async function forgetAttempts({ pool }: Pick<Database, 'pool'>, at: Date): Promise<number> {
  const forgotten = await pool.query(forgetStatement, [at, keptDays])
  return forgotten.rowCount ?? 0
}

type Row = Selectable<PaymentAttempts>

function insertAttempt(tx: Transaction, attempt: NewAttempt, sealed: Buffer): Promise<Row | undefined> {
  return tx.query
    .insertInto('payment_attempts')
    .values({
      id: randomUUID(),
      purpose_hash: attempt.purposeHash,
      challenge_id: attempt.challengeId,
      payload_hash: attempt.payloadHash,
      method: attempt.method,
      proof_hash: attempt.proofHash,
      workspace_id: attempt.workspaceId,
      is_new_workspace: attempt.isNewWorkspace,
      amount_cents: attempt.amountCents,
      purpose: attempt.purpose,
      description: attempt.description,
      state: 'settling',
      sealed_payload: sealed,
      created_at: attempt.at,
      asked_at: attempt.at,
      asked: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

function hinderedBy(rival: PaymentAttempt, { challengeId }: NewAttempt): Begun {
  return { type: rival.challengeId === challengeId ? 'same_challenge' : 'same_purpose', attempt: rival }
}

/** What the insert met beside rivals: an attempt that failed, one that has been running for long, or a used proof. */
async function findHindrance(tx: Transaction, attempt: NewAttempt): Promise<Begun> {
  const met = await tx.query
    .selectFrom('payment_attempts')
    .selectAll()
    .where((where) =>
      where.or([
        where('challenge_id', '=', attempt.challengeId),
        where.and([where('purpose_hash', '=', attempt.purposeHash), where('state', '=', 'settling')]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return met === undefined ? { type: 'proof_used' } : hinderedBy(toAttempt(met), attempt)
}

function toAttempt(row: Row): PaymentAttempt {
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

const forgetStatement = `
delete from payment_attempts
where id in (
  select id
  from payment_attempts
  where ended_at <= $1::timestamptz - $2 * interval '1 day'
    and (state = 'failed' or done_at <= $1::timestamptz - $2 * interval '1 day')
  order by ended_at
  limit 1000
  for update skip locked
)`
