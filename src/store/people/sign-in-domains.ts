import { randomBytes, randomUUID } from 'node:crypto'
import { fail } from '#core/language/error.ts'
import { signOnLimits } from '#core/people/single-sign-on.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

/** `token` is what the TXT record of the domain has to name. */
export type SignInDomain = { id: string; domain: string; token: string; createdAt: Date; provenAt: Date | null }

type InWorkspace = { workspaceId: string; id: string }

const tokenBytes = 16

/** In the order of adding. */
export async function listSignInDomains(reader: Reader, workspaceId: string): Promise<SignInDomain[]> {
  return selectDomains(reader)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(signOnLimits.domains)
    .execute()
}

export async function findSignInDomain(reader: Reader, { workspaceId, id }: InWorkspace): Promise<SignInDomain | null> {
  const found = await selectDomains(reader)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found ?? null
}

/** Whether the workspace has proved the domain. */
export async function hasProved(
  reader: Reader,
  { workspaceId, domain }: { workspaceId: string; domain: string },
): Promise<boolean> {
  const found = await selectDomains(reader)
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', domain)
    .where('proven_at', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

/** One that the workspace has already stays as it is. Refuses with `limit_reached`. */
export async function insertSignInDomain(
  tx: Transaction,
  { workspaceId, domain, at }: { workspaceId: string; domain: string; at: Date },
): Promise<SignInDomain> {
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  const domains = await listSignInDomains(tx, workspaceId)
  const present = domains.find((one) => one.domain === domain)
  if (present !== undefined) return present
  if (domains.length >= signOnLimits.domains)
    throw fail('limit_reached', `A workspace has at most ${signOnLimits.domains} domains. Remove one first.`)
  const token = randomBytes(tokenBytes).toString('base64url')
  const made = { id: randomUUID(), domain, token, createdAt: at, provenAt: null }
  await tx.query
    .insertInto('sign_in_domains')
    .values({ id: made.id, workspace_id: workspaceId, domain, token, created_at: at })
    .execute()
  return made
}

/** False when another workspace has proved the same domain. Of two at once one gets it. */
export async function proveSignInDomain(
  tx: Transaction,
  { workspaceId, id, at }: InWorkspace & { at: Date },
): Promise<boolean> {
  await tx.client.query(`select pg_advisory_xact_lock(hashtext('sign-in domains'))`)
  const proved = await tx.client.query(
    `update sign_in_domains as mine
    set proven_at = $3
    where id = $1
      and workspace_id = $2
      and not exists (
        select
        from sign_in_domains as other
        where other.domain = mine.domain
          and other.proven_at is not null
          and other.id <> mine.id
      )`,
    [id, workspaceId, at],
  )
  return proved.rowCount === 1
}

/** Null when the workspace has no such domain. */
export async function deleteSignInDomain(tx: Transaction, { workspaceId, id }: InWorkspace): Promise<string | null> {
  const deleted = await tx.query
    .deleteFrom('sign_in_domains')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('domain')
    .executeTakeFirst()
  return deleted?.domain ?? null
}

function selectDomains(reader: Reader) {
  return reader.query
    .selectFrom('sign_in_domains')
    .select(['id', 'domain', 'token', 'created_at as createdAt', 'proven_at as provenAt'])
    .$castTo<SignInDomain>()
}
