import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import {
  type IdentityProviderInput,
  type IdentityProviderRecord,
  identityProviderInputSchema,
  identityProviderSchema,
  signOnRedirect,
  singleSignOnSchema,
} from '#core/people/single-sign-on.ts'
import { createOpenIdConnect } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import {
  type IdentityProvider,
  deleteIdentityProvider,
  findIdentityProvider,
  putIdentityProvider,
} from '#store/people/identity-providers.ts'
import { hasOwnWayIn } from '#store/people/provider-subjects.ts'
import { listSignInDomains } from '#store/people/sign-in-domains.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Call, Caller, Context } from '#operations/pipeline/operation.ts'
import { mayBePlain, providerClientOf } from './provider-client.ts'
import { toDomainRecord } from './sign-in-domains.ts'

const inConsole = { tag: 'Console', surface: 'console', role: 'owner', subject: 'identity_provider' } as const

const read = defineOperation({
  ...inConsole,
  name: 'get_single_sign_on',
  method: 'GET',
  path: '/single-sign-on',
  scope: 'read',
  summary: 'Read how people sign in by an identity provider: the provider and the domains whose people it may sign in',
  errors: [401, 403],
  success: { status: 200, description: 'Single sign-on.', schema: z.strictObject({ data: singleSignOnSchema }) },
  run: async ({ caller: { workspaceId }, services }) => {
    const { database, secrets, publicUrl } = services
    const provider = await findIdentityProvider(database, secrets, workspaceId)
    const domains = await listSignInDomains(database, workspaceId)
    const data = {
      redirect_uri: signOnRedirect(publicUrl, workspaceId),
      provider: provider === null ? null : toRecord(provider),
      domains: domains.map(toDomainRecord),
    }
    return { status: 200, body: { data } }
  },
})

const put = defineOperation({
  ...inConsole,
  name: 'set_identity_provider',
  method: 'PUT',
  path: '/single-sign-on/provider',
  scope: 'write',
  summary: 'Name the identity provider of the workspace, by OpenID Connect',
  description: 'A workspace has one provider at most. The secret may be left out where issuer and client stay.',
  body: { schema: identityProviderInputSchema, isRequired: true, schemaName: 'IdentityProviderInput' },
  errors: [401, 403, 422],
  success: {
    status: 200,
    description: 'The provider as it is now.',
    schema: z.strictObject({ data: identityProviderSchema }),
  },
  find: findProvider,
  run: async (
    { caller: { workspaceId, person }, services: { database, secrets, ...services }, now, noteChange },
    { body, target },
  ) => {
    noteChange({ id: workspaceId })
    assertReachable(body.issuer, services)
    if (body.is_required) await assertOwnWayIn(database, person)
    const provider = {
      workspaceId,
      name: body.name,
      issuer: body.issuer,
      clientId: body.client_id,
      clientSecret: secretOf(body, target),
      defaultRole: body.default_role,
      groupsClaim: body.groups_claim,
      groupRoles: body.group_roles,
      isRequired: body.is_required,
      createdAt: target?.createdAt ?? now,
      updatedAt: now,
    }
    await database.transaction((tx) => putIdentityProvider(tx, secrets, provider))
    return { status: 200, body: { data: toRecord(provider) } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'delete_identity_provider',
  method: 'DELETE',
  path: '/single-sign-on/provider',
  scope: 'write',
  summary: 'Delete the identity provider of the workspace',
  description: 'Nobody signs in by it any more. People, their sessions and the domains stay.',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The workspace has no provider any more.' },
  find: findProvider,
  run: async ({ caller: { workspaceId }, services: { database }, noteChange }, { target }) => {
    if (target === null) throw noProvider()
    noteChange({ id: workspaceId, name: target.name })
    await database.transaction(async (tx) => {
      if (!(await deleteIdentityProvider(tx, workspaceId))) throw noProvider()
    })
    return { status: 204, body: undefined }
  },
})

const examine = defineOperation({
  ...inConsole,
  name: 'try_identity_provider',
  method: 'POST',
  path: '/single-sign-on/provider/try',
  scope: 'write',
  summary: 'Ask the identity provider of the workspace for its metadata and keys',
  changesNothing: true,
  takesLong: true,
  errors: [401, 403, 404],
  success: {
    status: 200,
    description: 'Whether people can be sent there.',
    schema: z.strictObject({
      data: z.strictObject({ problem: z.string().nullable().describe('In a sentence; null where nothing is wrong.') }),
    }),
  },
  find: findProvider,
  run: async ({ services }, { target }) => {
    if (target === null) throw noProvider()
    const { examine: ask } = createOpenIdConnect({ net: services.carriers.net, mayBePlain: mayBePlain(services) })
    const problem = await ask(providerClientOf(target, services)).then(
      () => null,
      (error: unknown) => {
        if (error instanceof ProviderTrouble) return error.message
        throw error
      },
    )
    return { status: 200, body: { data: { problem } } }
  },
})

export const singleSignOnOperations = [read, put, remove, examine]

function findProvider({ caller, services }: Call): Promise<IdentityProvider | null> {
  return findIdentityProvider(services.database, services.secrets, caller.workspaceId)
}

function noProvider(): Error {
  return fail('not_found', 'This workspace has no identity provider.')
}

/** Plain http is for providers on a private network, where the installation may reach that. */
function assertReachable(
  issuer: string,
  { isForbiddenAddress }: Pick<Context['services'], 'isForbiddenAddress'>,
): void {
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'http:' && !mayBePlain({ isForbiddenAddress })) throw invalidFields({ issuer: ['Must be https.'] })
  if (isForbiddenAddress(hostname))
    throw invalidFields({ issuer: ['Is an address that may not be reached from here.'] })
}

/** Who makes the provider the only way for members keeps another one, for the day on which the provider is away. */
async function assertOwnWayIn(database: Context['services']['database'], person: Caller['person']): Promise<void> {
  if (person === null || (await hasOwnWayIn(database, person.id))) return
  throw invalidFields({ is_required: ['Add a passkey or a password to your own account first.'] })
}

/** A secret that is kept goes to the provider that it was given for, and to no other. */
function secretOf(input: IdentityProviderInput, before: IdentityProvider | null): string {
  if (input.client_secret !== undefined) return input.client_secret
  if (before !== null && before.issuer === input.issuer && before.clientId === input.client_id)
    return before.clientSecret
  throw invalidFields({ client_secret: ['Is required for another issuer or client.'] })
}

function toRecord(provider: IdentityProvider): IdentityProviderRecord {
  return {
    name: provider.name,
    issuer: provider.issuer,
    client_id: provider.clientId,
    default_role: provider.defaultRole,
    groups_claim: provider.groupsClaim,
    group_roles: provider.groupRoles,
    is_required: provider.isRequired,
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  }
}
