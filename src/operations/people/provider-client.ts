import { samlServiceOf, signOnRedirect } from '#core/people/single-sign-on.ts'
import type { ProviderClient } from '#identity/openid-connect.ts'
import type { SamlProvider, SamlService } from '#identity/saml/saml.ts'
import type { OpenIdProvider, SamlIdentityProvider } from '#store/people/identity-providers.ts'
import type { Services } from '#operations/pipeline/services.ts'

/** How the service is known to the provider of a workspace. */
export function providerClientOf(
  { workspaceId, issuer, clientId, clientSecret, updatedAt }: OpenIdProvider,
  { publicUrl }: Pick<Services, 'publicUrl'>,
): ProviderClient {
  const redirectUri = signOnRedirect(publicUrl, workspaceId)
  return { issuer, clientId, clientSecret, redirectUri, version: updatedAt.toISOString() }
}

/** The same for a provider of SAML. */
export function samlSidesOf(
  { workspaceId, issuer, groupsClaim, ...provider }: SamlIdentityProvider,
  { publicUrl }: Pick<Services, 'publicUrl'>,
): { service: SamlService; provider: SamlProvider } {
  const { signOnUrl, certificates, subjectAttribute, emailAttribute } = provider
  return {
    service: samlServiceOf(publicUrl, workspaceId),
    provider: {
      entityId: issuer,
      signOnUrl,
      certificates,
      subjectAttribute,
      emailAttribute,
      groupsAttribute: groupsClaim,
    },
  }
}

/** Whether providers may be asked by plain http: where the operator admits this very machine as a target. */
export function mayBePlain({ isForbiddenAddress }: Pick<Services, 'isForbiddenAddress'>): boolean {
  return !isForbiddenAddress('127.0.0.1')
}
