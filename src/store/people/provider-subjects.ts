import { randomUUID } from 'node:crypto'
import type { Database, Reader, Transaction } from '#store/database/database.ts'

/** As whom a provider knows a person (OpenID Connect Core 1.0 2, `iss` and `sub`). */
export type ProviderSubject = { issuer: string; subject: string }

export type HeldSubject = ProviderSubject & { id: string; createdAt: Date; lastUsedAt: Date | null }

const maxListed = 100

/** The person whom a provider knows by this; null for one who has no account here. */
export async function findPersonOfSubject(
  reader: Reader,
  { issuer, subject }: ProviderSubject,
): Promise<{ id: string; name: string } | null> {
  const found = await reader.query
    .selectFrom('provider_subjects')
    .innerJoin('people.user as person', 'person.id', 'person_id')
    .select(['person.id', 'person.name'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .$castTo<{ id: string; name: string }>()
    .executeTakeFirst()
  return found ?? null
}

/** False when the provider's person has an account already. */
export async function insertSubject(
  tx: Transaction,
  { issuer, subject, personId, at }: ProviderSubject & { personId: string; at: Date },
): Promise<boolean> {
  const made = await tx.query
    .insertInto('provider_subjects')
    .values({ id: randomUUID(), person_id: personId, issuer, subject, created_at: at })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirst()
  return made.numInsertedOrUpdatedRows === 1n
}

export async function touchSubject(tx: Transaction, { issuer, subject }: ProviderSubject, at: Date): Promise<void> {
  await tx.query
    .updateTable('provider_subjects')
    .set({ last_used_at: at })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** In the order of linking. */
export async function listSubjects(reader: Reader, personId: string): Promise<HeldSubject[]> {
  return reader.query
    .selectFrom('provider_subjects')
    .select(['id', 'issuer', 'subject', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxListed)
    .$castTo<HeldSubject>()
    .execute()
}

/** False when the person has no such link. */
export async function deleteSubject(
  reader: Reader,
  { personId, id }: { personId: string; id: string },
): Promise<boolean> {
  const deleted = await reader.query
    .deleteFrom('provider_subjects')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** Notes that a session began by the provider of a workspace. */
export async function insertProviderSession(
  reader: Reader,
  { sessionId, workspaceId }: { sessionId: string; workspaceId: string },
): Promise<void> {
  await reader.query
    .insertInto('provider_sessions')
    .values({ session_id: sessionId, workspace_id: workspaceId })
    .execute()
}

/** Whether members who own nothing come to the workspace by its provider alone, and the session began otherwise. */
export async function isClosedTo(
  reader: Reader,
  { workspaceId, sessionId }: { workspaceId: string; sessionId: string },
): Promise<boolean> {
  const closed = await reader.query
    .selectFrom('identity_providers')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .where('is_required', '=', true)
    .where((condition) =>
      condition.not(
        condition.exists(
          condition
            .selectFrom('provider_sessions')
            .select('session_id')
            .where('session_id', '=', sessionId)
            .where('workspace_id', '=', workspaceId),
        ),
      ),
    )
    .executeTakeFirst()
  return closed !== undefined
}

/**
 * The workspaces to which a session does not lead, although its person is a member there: they ask for a sign-in by
 * their provider. Owners are never kept out.
 */
export async function listWorkspacesClosedTo(
  { pool }: Pick<Database, 'pool'>,
  { sessionId, personId }: { sessionId: string; personId: string },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select member.workspace_id as id
    from members as member
    join identity_providers as provider using (workspace_id)
    where member.person_id = $2
      and member.role <> 'owner'
      and provider.is_required
      and not exists (
        select
        from provider_sessions as begun
        where begun.session_id = $1
          and begun.workspace_id = member.workspace_id
      )
    order by id
    limit ${maxListed}`,
    [sessionId, personId],
  )
  return rows.map(({ id }) => id)
}

/** Whether a person could sign in without any provider and without a mail: by a password or a passkey. */
export async function hasOwnWayIn({ pool }: Pick<Database, 'pool'>, personId: string): Promise<boolean> {
  const { rows } = await pool.query<{ has: boolean }>(
    `select exists (select from people.passkey where "userId" = $1)
      or exists (select from people.account where "userId" = $1 and password is not null) as has`,
    [personId],
  )
  return rows[0]?.has === true
}
