import { signOnRedirect } from '#core/people/single-sign-on.ts'
import type { ProviderClient } from '#identity/openid-connect.ts'
import type { IdentityProvider } from '#store/people/identity-providers.ts'
import type { Services } from '#operations/pipeline/services.ts'

/** How the service is known to the provider of a workspace. */
export function providerClientOf(
  { workspaceId, issuer, clientId, clientSecret, updatedAt }: IdentityProvider,
  { publicUrl }: Pick<Services, 'publicUrl'>,
): ProviderClient {
  const redirectUri = signOnRedirect(publicUrl, workspaceId)
  return { issuer, clientId, clientSecret, redirectUri, version: updatedAt.toISOString() }
}

/** Whether providers may be asked by plain http: where the operator admits this very machine as a target. */
export function mayBePlain({ isForbiddenAddress }: Pick<Services, 'isForbiddenAddress'>): boolean {
  return !isForbiddenAddress('127.0.0.1')
}
