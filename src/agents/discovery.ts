import { agentScopes, assertionGrant, assertionType, claimGrant, registrationTypes } from '#core/people/agent.ts'
import { codeGrant, deviceGrant, refreshGrant } from '#core/people/oauth.ts'
import { addressesOf } from './addresses.ts'

/** RFC 9728 2. `resource` is the very address that the document's own was made from (3.3). */
export function protectedResource(publicUrl: string, resource: string): Record<string, unknown> {
  const { issuer, recipe } = addressesOf(publicUrl)
  return {
    resource,
    resource_name: 'Perigee',
    resource_documentation: recipe,
    authorization_servers: [issuer],
    scopes_supported: agentScopes,
    bearer_methods_supported: ['header'],
  }
}

/**
 * RFC 8414 2 with the block of the auth.md profile, v0.6.0. `takesAnonymous`: agents may begin in a workspace of their
 * own. `takesClientDocuments`: a program may be a document at an address of its own.
 */
export function authorizationServer(
  publicUrl: string,
  { takesAnonymous, takesClientDocuments }: { takesAnonymous: boolean; takesClientDocuments: boolean },
): Record<string, unknown> {
  const addresses = addressesOf(publicUrl)
  return {
    ...protectedResource(publicUrl, addresses.issuer),
    issuer: addresses.issuer,
    authorization_endpoint: addresses.authorization,
    authorization_response_iss_parameter_supported: true,
    code_challenge_methods_supported: ['S256'],
    device_authorization_endpoint: addresses.device,
    registration_endpoint: addresses.clients,
    client_id_metadata_document_supported: takesClientDocuments,
    token_endpoint: addresses.token,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint: addresses.revocation,
    revocation_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint: addresses.introspection,
    introspection_endpoint_auth_methods_supported: ['bearer'],
    jwks_uri: addresses.keys,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [assertionGrant, claimGrant, codeGrant, refreshGrant, deviceGrant],
    service_documentation: addresses.recipe,
    agent_auth: {
      skill: addresses.recipe,
      identity_endpoint: addresses.identity,
      claim_endpoint: addresses.claim,
      // Names of earlier versions of the profile.
      registration_endpoint: addresses.identity,
      register_uri: addresses.identity,
      claim_uri: addresses.claim,
      identity_types_supported: registrationTypes.filter((type) => takesAnonymous || type !== 'anonymous'),
      identity_assertion: { assertion_types_supported: [assertionType] },
      credential_types_supported: ['access_token'],
    },
  }
}
