import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Database, Reader, Transaction } from '#store/database/database.ts'
import { type PaymentAttempt, toAttempt } from './payment-attempts.ts'
import type { PaymentAttempts } from '#store/database/schema.ts'
import type { Secrets } from '#store/database/secrets.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

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
  /** Hash of a proof that is good for one payment only; null where the proof may be used again. */
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

/** Which attempts stand in the way of paying for a request once more. */
export type Rivalry = {
  purposeHash: Buffer
  /** The challenge that the request answers. */
  challengeId: string
  /** Attempts whose work was done at or after this moment are rivals. */
  doneSince: Date
  /** Attempts that are under way, or paid and not done, are rivals if they began after this moment. */
  begunAfter: Date
  /** Attempts that were looked at and are no rivals. */
  besides: readonly string[]
}

/** The newest attempt that is a rival, or null. An attempt that failed is none. */
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

/**
 * Commits an attempt, held by this request, which asks the processor next, unless there is a rival: of several that
 * begin for the same request at once each sees the ones before it. Refuses with `unavailable` where the workspace has
 * closed meanwhile, so that nothing is charged for it.
 */
export function beginAttempt(database: Database, secrets: Secrets, attempt: NewAttempt): Promise<Begun> {
  const id = randomUUID()
  const sealed = secrets.encrypt(JSON.stringify(attempt.sealed), { column: 'payment_attempts.sealed_payload', id })
  return database.transaction(async (tx) => {
    if (!attempt.isNewWorkspace) {
      await lockWorkspace(tx, attempt.workspaceId)
      await assertOpen(tx, attempt.workspaceId)
    }
    await tx.client.query('select pg_advisory_xact_lock($1::bigint)', [String(attempt.purposeHash.readBigInt64BE())])
    const rival = attempt.rivalry === undefined ? null : await findRival(tx, attempt.rivalry)
    if (rival !== null) return hinderedBy(rival, attempt)
    const row = await insertAttempt(tx, attempt, { id, sealed })
    return row === undefined ? findHindrance(tx, attempt) : { type: 'begun', attempt: toAttempt(row) }
  })
}

function insertAttempt(
  tx: Transaction,
  attempt: NewAttempt,
  { id, sealed }: { id: string; sealed: Buffer },
): Promise<Selectable<PaymentAttempts> | undefined> {
  return tx.query
    .insertInto('payment_attempts')
    .values({
      id,
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
