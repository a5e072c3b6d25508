import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import {
  identityProviderInputSchema,
  identityProviderSchema,
  samlServiceOf,
  signOnRedirect,
  singleSignOnSchema,
} from '#core/people/single-sign-on.ts'
import { createOpenIdConnect } from '#identity/openid-connect.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { haveExpired } from '#identity/saml/certificates.ts'
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
import { providerOf, toProviderRecord } from './provider-input.ts'
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
    const { entityId, consumerUrl } = samlServiceOf(publicUrl, workspaceId)
    const data = {
      redirect_uri: signOnRedirect(publicUrl, workspaceId),
      saml: { entity_id: entityId, consumer_url: consumerUrl },
      provider: provider === null ? null : toProviderRecord(provider),
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
  summary: 'Name the identity provider of the workspace, by OpenID Connect or SAML 2.0',
  description:
    'A workspace has one provider at most. The secret may be left out where issuer and client stay. ' +
    'Without `protocol` it is OpenID Connect.',
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
    if (body.is_required) await assertOwnWayIn(database, person)
    const provider = await providerOf(body, { workspaceId, before: target, now }, services)
    await database.transaction((tx) => putIdentityProvider(tx, secrets, provider))
    return { status: 200, body: { data: toProviderRecord(provider) } }
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
  description: 'One of SAML is asked nothing: only whether the dates of all its certificates have passed is told.',
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
  run: async ({ services, now }, { target }) => {
    if (target === null) throw noProvider()
    return { status: 200, body: { data: { problem: await problemOf(target, { services, now }) } } }
  },
})

export const singleSignOnOperations = [read, put, remove, examine]

function findProvider({ caller, services }: Call): Promise<IdentityProvider | null> {
  return findIdentityProvider(services.database, services.secrets, caller.workspaceId)
}

async function problemOf(
  provider: IdentityProvider,
  { services, now }: Pick<Context, 'services' | 'now'>,
): Promise<string | null> {
  if (provider.protocol === 'saml')
    return haveExpired(provider.certificates, now)
      ? 'The certificates of the provider have expired. It may have new ones, which are to be entered here.'
      : null
  const { examine: ask } = createOpenIdConnect({ net: services.carriers.net, mayBePlain: mayBePlain(services) })
  try {
    await ask(providerClientOf(provider, services))
    return null
  } catch (error) {
    if (error instanceof ProviderTrouble) return error.message
    throw error
  }
}

function noProvider(): Error {
  return fail('not_found', 'This workspace has no identity provider.')
}

/** Who makes the provider the only way for members keeps another one, for the day on which the provider is away. */
async function assertOwnWayIn(database: Context['services']['database'], person: Caller['person']): Promise<void> {
  if (person === null || (await hasOwnWayIn(database, person.id))) return
  throw invalidFields({ is_required: ['Add a passkey or a password to your own account first.'] })
}
