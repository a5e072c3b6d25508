import { invalidFields } from '#core/language/error.ts'
import {
  type IdentityProviderInput,
  type IdentityProviderRecord,
  type OpenIdProviderInput,
  type SamlProviderInput,
  samlProviderInputSchema,
} from '#core/people/single-sign-on.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { readCertificate } from '#identity/saml/certificates.ts'
import { createSaml } from '#identity/saml/saml.ts'
import type { ProviderMetadata } from '#identity/saml/saml-metadata.ts'
import type { IdentityProvider, OpenIdProvider, SamlIdentityProvider } from '#store/people/identity-providers.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { mayBePlain } from './provider-client.ts'

type Guard = Pick<Services, 'isForbiddenAddress'>

type Asked = { workspaceId: string; before: IdentityProvider | null; now: Date }

/** The provider that an owner asks for. Refuses what cannot be used, by its field. */
export async function providerOf(
  input: IdentityProviderInput,
  { workspaceId, before, now }: Asked,
  guard: Guard,
): Promise<IdentityProvider> {
  const common = {
    workspaceId,
    name: input.name,
    defaultRole: input.default_role,
    groupsClaim: input.groups_claim,
    groupRoles: input.group_roles,
    isRequired: input.is_required,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
  return input.protocol === 'saml'
    ? { ...common, ...(await samlOf(input, guard)) }
    : { ...common, ...openIdOf(input, before, guard) }
}

export function toProviderRecord(provider: IdentityProvider): IdentityProviderRecord {
  const { name, issuer } = provider
  const rules = {
    default_role: provider.defaultRole,
    groups_claim: provider.groupsClaim,
    group_roles: provider.groupRoles,
    is_required: provider.isRequired,
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  }
  if (provider.protocol === 'openid_connect')
    return { protocol: provider.protocol, name, issuer, client_id: provider.clientId, ...rules }
  return {
    protocol: provider.protocol,
    name,
    issuer,
    sign_on_url: provider.signOnUrl,
    certificates: provider.certificates,
    subject_attribute: provider.subjectAttribute,
    email_attribute: provider.emailAttribute,
    ...rules,
  }
}

function openIdOf(
  input: OpenIdProviderInput,
  before: IdentityProvider | null,
  guard: Guard,
): Pick<OpenIdProvider, 'protocol' | 'issuer' | 'clientId' | 'clientSecret'> {
  assertReachable(input.issuer, guard)
  const { issuer, client_id: clientId } = input
  return { protocol: 'openid_connect', issuer, clientId, clientSecret: secretOf(input, before) }
}

/** Plain http is for providers on a private network, where the installation may reach that. */
function assertReachable(issuer: string, guard: Guard): void {
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'http:' && !mayBePlain(guard)) throw invalidFields({ issuer: ['Must be https.'] })
  if (guard.isForbiddenAddress(hostname))
    throw invalidFields({ issuer: ['Is an address that may not be reached from here.'] })
}

/** A secret that is kept goes to the provider that it was given for, and to no other. */
function secretOf(input: OpenIdProviderInput, before: IdentityProvider | null): string {
  if (input.client_secret !== undefined) return input.client_secret
  if (before?.protocol === 'openid_connect' && before.issuer === input.issuer && before.clientId === input.client_id)
    return before.clientSecret
  throw invalidFields({ client_secret: ['Is required for another issuer or client.'] })
}

type SamlPart = Pick<
  SamlIdentityProvider,
  'protocol' | 'issuer' | 'signOnUrl' | 'certificates' | 'subjectAttribute' | 'emailAttribute'
>

/** Nothing is asked of the provider: only the browsers of its people have to reach it. */
async function samlOf(input: SamlProviderInput, guard: Guard): Promise<SamlPart> {
  const described = input.metadata_xml === undefined ? null : await describedBy(input.metadata_xml)
  const issuer = input.issuer ?? described?.entityId ?? missing('issuer')
  const signOnUrl = input.sign_on_url ?? described?.signOnUrl ?? missing('sign_on_url')
  const certificates = input.certificates?.map(certificateOf) ?? described?.certificates ?? missing('certificates')
  if (new URL(signOnUrl).protocol === 'http:' && !mayBePlain(guard))
    throw invalidFields({ sign_on_url: ['Must be https.'] })
  return {
    protocol: 'saml',
    issuer,
    signOnUrl,
    certificates: [...new Set(certificates)],
    subjectAttribute: input.subject_attribute,
    emailAttribute: input.email_attribute,
  }
}

function missing(field: string): never {
  throw invalidFields({ [field]: ['Is required where no metadata says it.'] })
}

/** What a document says is held to the rules of what is entered. */
async function describedBy(xml: string): Promise<ProviderMetadata> {
  const described = await explained('metadata_xml', () => createSaml().readMetadata(xml))
  const { entityId: issuer, signOnUrl: sign_on_url, certificates } = described
  const { error } = samlProviderInputSchema.safeParse({
    protocol: 'saml',
    name: 'a',
    issuer,
    sign_on_url,
    certificates,
  })
  if (error === undefined) return described
  const { path, message } = error.issues[0] ?? { path: [], message: '' }
  throw invalidFields({ metadata_xml: [`${path.join('.')}: ${message}`] })
}

function certificateOf(pem: string): string {
  try {
    return readCertificate(pem)
  } catch (error) {
    throw asFields('certificates', error)
  }
}

async function explained<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asFields(field, error)
  }
}

function asFields(field: string, error: unknown): unknown {
  return error instanceof ProviderTrouble ? invalidFields({ [field]: [error.message] }) : error
}
