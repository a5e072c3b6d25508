import type { GroupRole, GroupRoles } from '#core/people/single-sign-on.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'
import { assertOpen, lockWorkspace } from '#store/workspaces/workspaces.ts'

type Common = {
  workspaceId: string
  name: string
  /** The entity ID of a provider of SAML. */
  issuer: string
  defaultRole: GroupRole
  groupsClaim: string
  groupRoles: GroupRoles
  isRequired: boolean
  createdAt: Date
  updatedAt: Date
}

export type OpenIdProvider = Common & {
  protocol: 'openid_connect'
  clientId: string
  /** In the clear. */
  clientSecret: string
}

export type SamlIdentityProvider = Common & {
  protocol: 'saml'
  signOnUrl: string
  /** In PEM. */
  certificates: string[]
  /** Null for the NameID. */
  subjectAttribute: string | null
  /** Null for the usual names. */
  emailAttribute: string | null
}

export type IdentityProvider = OpenIdProvider | SamlIdentityProvider

type Stored = Common & {
  protocol: IdentityProvider['protocol']
  clientId: string | null
  clientSecret: Buffer | null
  signOnUrl: string | null
  certificates: string[] | null
  subjectAttribute: string | null
  emailAttribute: string | null
}

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
  provider: IdentityProvider,
): Promise<void> {
  const { workspaceId, createdAt } = provider
  await lockWorkspace(tx, workspaceId)
  await assertOpen(tx, workspaceId)
  const values = {
    name: provider.name,
    issuer: provider.issuer,
    default_role: provider.defaultRole,
    groups_claim: provider.groupsClaim,
    group_roles: JSON.stringify(provider.groupRoles),
    is_required: provider.isRequired,
    updated_at: provider.updatedAt,
    ...valuesOfProtocol(provider, secrets),
  }
  await tx.query
    .insertInto('identity_providers')
    .values({ workspace_id: workspaceId, created_at: createdAt, ...values })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute()
}

/** Each protocol leaves nothing of the other. */
function valuesOfProtocol(provider: IdentityProvider, secrets: Pick<Secrets, 'encrypt'>) {
  const { protocol, workspaceId } = provider
  if (protocol === 'saml')
    return {
      protocol,
      client_id: null,
      client_secret: null,
      sign_on_url: provider.signOnUrl,
      certificates: provider.certificates,
      subject_attribute: provider.subjectAttribute,
      email_attribute: provider.emailAttribute,
    }
  return {
    protocol,
    client_id: provider.clientId,
    client_secret: secrets.encrypt(provider.clientSecret, placeOf(workspaceId)),
    sign_on_url: null,
    certificates: null,
    subject_attribute: null,
    email_attribute: null,
  }
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

/** The constraint `identity_providers_whole` keeps what each protocol has. */
function opened(row: Stored, secrets: Pick<Secrets, 'decrypt'>): IdentityProvider {
  const { protocol, clientId, clientSecret, signOnUrl, certificates, subjectAttribute, emailAttribute, ...common } = row
  if (protocol === 'saml' && signOnUrl !== null && certificates !== null)
    return { ...common, protocol, signOnUrl, certificates, subjectAttribute, emailAttribute }
  if (protocol === 'openid_connect' && clientId !== null && clientSecret !== null)
    return { ...common, protocol, clientId, clientSecret: secrets.decrypt(clientSecret, placeOf(row.workspaceId)) }
  throw new Error('An identity provider lacks what its protocol needs.')
}

function selectProviders(reader: Reader) {
  return reader.query
    .selectFrom('identity_providers as provider')
    .innerJoin('workspaces', 'workspaces.id', 'provider.workspace_id')
    .select([
      'provider.workspace_id as workspaceId',
      'provider.name',
      'protocol',
      'issuer',
      'client_id as clientId',
      'client_secret as clientSecret',
      'sign_on_url as signOnUrl',
      'certificates',
      'subject_attribute as subjectAttribute',
      'email_attribute as emailAttribute',
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
