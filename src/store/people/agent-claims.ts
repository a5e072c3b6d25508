import { sql } from 'kysely'
import { type Attempt, claimRules } from '#core/people/claim.ts'
import type { Reader, Transaction } from '#store/database/database.ts'

/** The one link and code of a registration that may be used. */
export type ClaimAttempt = Attempt & {
  id: string
  registrationId: string
  codeHash: Buffer
  /** Who may use it, in lower case. */
  email: string
  createdAt: Date
}

export type NewAttempt = Omit<ClaimAttempt, 'wrongCodes'> & { tokenHash: Buffer }

/** Takes the place of an earlier attempt, whose link and code are worth nothing from now on. Polling starts anew. */
export async function replaceAttempt(tx: Transaction, attempt: NewAttempt): Promise<void> {
  const values = {
    id: attempt.id,
    token_hash: attempt.tokenHash,
    code_hash: attempt.codeHash,
    email: attempt.email,
    wrong_codes: 0,
    created_at: attempt.createdAt,
    expires_at: attempt.expiresAt,
  }
  await tx.query
    .insertInto('agent_claim_attempts')
    .values({ registration_id: attempt.registrationId, ...values })
    .onConflict((conflict) => conflict.column('registration_id').doUpdateSet(values))
    .execute()
  await tx.query
    .updateTable('agent_registrations')
    .set({ email: attempt.email, polled_at: null, poll_seconds: claimRules.intervalSeconds })
    .where('id', '=', attempt.registrationId)
    .execute()
}

export async function findAttempt(
  reader: Reader,
  key: { tokenHash: Buffer } | { registrationId: string },
): Promise<ClaimAttempt | null> {
  const query = reader.query.selectFrom('agent_claim_attempts').selectAll()
  const row = await (
    'tokenHash' in key
      ? query.where('token_hash', '=', key.tokenHash)
      : query.where('registration_id', '=', key.registrationId)
  ).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    registrationId: row.registration_id,
    codeHash: row.code_hash,
    email: row.email,
    wrongCodes: row.wrong_codes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

/** Returns how many there were with this one. Under `lockRegistration`. */
export async function countWrongCode(tx: Transaction, registrationId: string): Promise<number> {
  const { wrong_codes: wrongCodes } = await tx.query
    .updateTable('agent_claim_attempts')
    .set({ wrong_codes: sql<number>`wrong_codes + 1` })
    .where('registration_id', '=', registrationId)
    .returning('wrong_codes')
    .executeTakeFirstOrThrow()
  return wrongCodes
}

/** A poll that was told to wait, with the interval of the next one. Under `lockRegistration`. */
export async function notePoll(
  tx: Transaction,
  { registrationId, at, pollSeconds }: { registrationId: string; at: Date; pollSeconds: number },
): Promise<void> {
  await tx.query
    .updateTable('agent_registrations')
    .set({ polled_at: at, poll_seconds: pollSeconds })
    .where('id', '=', registrationId)
    .execute()
}

/** Takes the success of a claim, for good. False when it was taken before, or there is none. */
export async function spendClaim(tx: Transaction, registrationId: string, at: Date): Promise<boolean> {
  const spent = await tx.query
    .updateTable('agent_registrations')
    .set({ spent_at: at })
    .where('id', '=', registrationId)
    .where('claimed_at', 'is not', null)
    .where('spent_at', 'is', null)
    .executeTakeFirst()
  return spent.numUpdatedRows === 1n
}

export type Claim = { registrationId: string; personId: string; workspaceId: string; at: Date }

/**
 * Gives the agent to a workspace. False when a person has claimed it already. Its attempt stays, to show that it is
 * done.
 */
export async function markClaimed(tx: Transaction, claim: Claim): Promise<boolean> {
  const marked = await tx.query
    .updateTable('agent_registrations')
    .set({ claimed_at: claim.at, claimed_by: claim.personId, workspace_id: claim.workspaceId })
    .where('id', '=', claim.registrationId)
    .where('claimed_at', 'is', null)
    .executeTakeFirst()
  return marked.numUpdatedRows === 1n
}

/** From now on the provider's word for this identity stands for this agent, and no more for an earlier one. */
export async function linkIdentity(
  tx: Transaction,
  link: { registrationId: string; issuer: string; subject: string; tenant: string },
): Promise<void> {
  const { registrationId, ...identity } = link
  await tx.query
    .insertInto('agent_identities')
    .values({ ...identity, registration_id: registrationId })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject', 'tenant']).doUpdateSet({ registration_id: registrationId }),
    )
    .execute()
}

/** Remembers a provider's assertion until it could not be used any more. False when it was used before. */
export async function noteSeen(
  tx: Transaction,
  seen: { issuer: string; jtiHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const noted = await tx.query
    .insertInto('agent_seen_assertions')
    .values({ issuer: seen.issuer, jti_hash: seen.jtiHash, expires_at: seen.expiresAt })
    .onConflict((conflict) => conflict.columns(['issuer', 'jti_hash']).doNothing())
    .executeTakeFirst()
  return noted.numInsertedOrUpdatedRows === 1n
}
