import type { GroupRole, GroupRoles } from '#core/people/single-sign-on.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

export type IdentityProvider = {
  workspaceId: string
  name: string
  issuer: string
  clientId: string
  /** In the clear. */
  clientSecret: string
  defaultRole: GroupRole
  groupsClaim: string
  groupRoles: GroupRoles
  isRequired: boolean
  createdAt: Date
  updatedAt: Date
}

type Stored = Omit<IdentityProvider, 'clientSecret'> & { clientSecret: Buffer }

export async function findIdentityProvider(
  reader: Reader,
  secrets: Pick<Secrets, 'decrypt'>,
  workspaceId: string,
): Promise<IdentityProvider | null> {
  const row = await selectProviders(reader).where('provider.workspace_id', '=', workspaceId).executeTakeFirst()
  return row === undefined ? null : opened(row, secrets)
}

/** The provider of the open workspace that has proved the domain. */
export async function findProviderOfDomain(
  reader: Reader,
  secrets: Pick<Secrets, 'decrypt'>,
  domain: string,
): Promise<IdentityProvider | null> {
  const row = await selectProviders(reader)
    .innerJoin('sign_in_domains as proved', 'proved.workspace_id', 'provider.workspace_id')
    .where('proved.domain', '=', domain)
    .where('proved.proven_at', 'is not', null)
    .executeTakeFirst()
  return row === undefined ? null : opened(row, secrets)
}

/** In place of the one that the workspace had. */
export async function putIdentityProvider(
  tx: Transaction,
  secrets: Pick<Secrets, 'encrypt'>,
  { workspaceId, createdAt, ...provider }: IdentityProvider,
): Promise<void> {
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  const values = {
    name: provider.name,
    issuer: provider.issuer,
    client_id: provider.clientId,
    client_secret: secrets.encrypt(provider.clientSecret, placeOf(workspaceId)),
    default_role: provider.defaultRole,
    groups_claim: provider.groupsClaim,
    group_roles: JSON.stringify(provider.groupRoles),
    is_required: provider.isRequired,
    updated_at: provider.updatedAt,
  }
  await tx.query
    .insertInto('identity_providers')
    .values({ workspace_id: workspaceId, created_at: createdAt, ...values })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute()
}

/** False when there was none. */
export async function deleteIdentityProvider(tx: Transaction, workspaceId: string): Promise<boolean> {
  const deleted = await tx.query
    .deleteFrom('identity_providers')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

function placeOf(workspaceId: string): Place {
  return { column: 'identity_providers.client_secret', id: workspaceId }
}

function opened(row: Stored, secrets: Pick<Secrets, 'decrypt'>): IdentityProvider {
  return { ...row, clientSecret: secrets.decrypt(row.clientSecret, placeOf(row.workspaceId)) }
}

function selectProviders(reader: Reader) {
  return reader.query
    .selectFrom('identity_providers as provider')
    .innerJoin('workspaces', 'workspaces.id', 'provider.workspace_id')
    .select([
      'provider.workspace_id as workspaceId',
      'provider.name',
      'issuer',
      'client_id as clientId',
      'client_secret as clientSecret',
      'default_role as defaultRole',
      'groups_claim as groupsClaim',
      'group_roles as groupRoles',
      'is_required as isRequired',
      'provider.created_at as createdAt',
      'provider.updated_at as updatedAt',
    ])
    .where('closed_at', 'is', null)
    .$castTo<Stored>()
}
