// What agents send and get on the way to a token, and the documents that lead them there (docs/agents.md).
import { z } from 'zod'
import { agentScopes, assertionGrant, assertionType, claimGrant } from '#core/people/agent.ts'
import { oauthAnswers, oauthGrants, oauthInputs } from './oauth-schemas.ts'

const text = z.string()
const scopes = z.array(z.enum(agentScopes))

const claimBlock = z.strictObject({
  user_code: text.describe('Six digits, which the person types.'),
  verification_uri: z.url().describe('Where the person types them.'),
  expires_in: z.int().describe('Seconds.'),
  interval: z.int().describe('Seconds between two questions at the token endpoint.'),
})

const token = {
  access_token: text.describe('Works where an API token does.'),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds.'),
  scope: text.describe('Separated by spaces.'),
}

const assertion = {
  identity_assertion: text.describe('What is exchanged for the next access token; every exchange brings a newer one.'),
  assertion_expires: z.iso.datetime(),
}

const registration = { registration_id: text }

const claimable = {
  ...registration,
  claim_url: z.url(),
  claim_token: text.describe('Secret, and shown once.'),
  claim_token_expires: z.iso.datetime(),
  post_claim_scopes: scopes.describe('What the agent may do once a person has confirmed it.'),
}

const refusal = {
  error: text,
  error_description: text.describe('For people.'),
  message: text.describe('The same, as other errors of the API have it.'),
}

const input = {
  AgentIdentityInput: z.discriminatedUnion('type', [
    z.object({ type: z.literal('service_auth'), login_hint: z.string().describe('An e-mail address of the person.') }),
    z.object({
      type: z.literal('identity_assertion'),
      assertion_type: z.literal(assertionType),
      assertion: z.string().describe('An ID-JAG of a provider that the service trusts.'),
    }),
    z.object({ type: z.literal('anonymous') }),
  ]),
  AgentClaimInput: z.object({
    claim_token: z.string().min(1).max(200),
    email: z.string().optional().describe('Of the person who takes over an anonymous workspace.'),
  }),
  AgentTokenInput: z.discriminatedUnion('grant_type', [
    z.object({ grant_type: z.literal(assertionGrant), assertion: z.string() }),
    z.object({ grant_type: z.literal(claimGrant), claim_token: z.string() }),
    ...oauthGrants,
  ]),
  AgentRevocationInput: z.object({
    token: z.string().describe('An access token; an assertion or a refresh token ends all that its agent has.'),
  }),
}

const output = {
  AgentForPerson: z.strictObject({ ...claimable, registration_type: z.literal('service_auth'), claim: claimBlock }),
  AgentConfirmed: z.strictObject({
    ...registration,
    registration_type: z.literal('identity_assertion'),
    ...assertion,
    scopes,
  }),
  AgentAnonymous: z.strictObject({
    ...claimable,
    registration_type: z.literal('anonymous'),
    ...token,
    ...assertion,
    pre_claim_scopes: scopes.describe('What the agent may do now.'),
    workspace: z.strictObject({ id: z.uuid(), name: text }),
  }),
  AgentUnconfirmed: z.strictObject({
    ...refusal,
    error: z.literal('interaction_required'),
    ...claimable,
    registration_type: z.literal('identity_assertion'),
    claim: claimBlock,
  }),
  AgentRefusal: z.strictObject({
    ...refusal,
    max_age: z.int().optional().describe('With `login_required`: seconds since the person has signed in, at most.'),
  }),
  AgentClaim: z.strictObject({
    ...registration,
    claim_attempt_id: text,
    status: z.literal('initiated'),
    expires_at: z.iso.datetime(),
    claim_attempt: claimBlock,
  }),
  AgentToken: z.strictObject({ ...token, ...assertion }),
  KeySet: z.strictObject({
    keys: z.array(
      z.strictObject({ kid: text, kty: text, crv: text, x: text, y: text, alg: text, use: text }).describe('RFC 7517'),
    ),
  }),
}

const protectedResource = {
  resource: z.url(),
  resource_name: text,
  resource_documentation: z.url(),
  authorization_servers: z.array(z.url()),
  scopes_supported: scopes,
  bearer_methods_supported: z.array(text),
}

const metadata = {
  ProtectedResource: z.strictObject(protectedResource).describe('RFC 9728 2'),
  AuthorizationServer: z
    .strictObject({
      ...protectedResource,
      issuer: z.url(),
      authorization_endpoint: z.url(),
      authorization_response_iss_parameter_supported: z.literal(true),
      code_challenge_methods_supported: z.array(text),
      device_authorization_endpoint: z.url(),
      registration_endpoint: z.url(),
      client_id_metadata_document_supported: z.boolean(),
      token_endpoint: z.url(),
      token_endpoint_auth_methods_supported: z.array(text),
      revocation_endpoint: z.url(),
      revocation_endpoint_auth_methods_supported: z.array(text),
      introspection_endpoint: z.url(),
      introspection_endpoint_auth_methods_supported: z.array(text),
      jwks_uri: z.url(),
      response_modes_supported: z.array(text),
      response_types_supported: z.array(text),
      grant_types_supported: z.array(text),
      service_documentation: z.url(),
      agent_auth: z.strictObject({
        skill: z.url(),
        identity_endpoint: z.url(),
        claim_endpoint: z.url(),
        registration_endpoint: z.url(),
        register_uri: z.url(),
        claim_uri: z.url(),
        identity_types_supported: z.array(text),
        identity_assertion: z.strictObject({ assertion_types_supported: z.array(text) }),
        credential_types_supported: z.array(text),
      }),
    })
    .describe('RFC 8414 2, with the block of the auth.md profile.'),
}

/** By their names in the document: what is sent, and what is answered. */
export const agentInputs: Readonly<Record<string, z.ZodType>> = { ...input, ...oauthInputs }
export const agentAnswers: Readonly<Record<string, z.ZodType>> = { ...output, ...oauthAnswers, ...metadata }
