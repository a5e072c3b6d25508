// What programs send and get that sign their person in (docs/agents.md).
import { z } from 'zod'
import { codeGrant, deviceGrant, oauthRules, refreshGrant } from '#core/people/oauth.ts'

const text = z.string()
const client = { client_id: text }
const resource = { resource: text.optional().describe('A part of the service (RFC 8707).') }
const scope = { scope: text.optional().describe('`read`, `write`, or both, separated by a space.') }

/** What the token endpoint takes of these programs. */
export const oauthGrants = [
  z.object({
    grant_type: z.literal(codeGrant),
    ...client,
    code: text,
    code_verifier: text.describe('RFC 7636 4.1'),
    redirect_uri: text.optional(),
    ...resource,
  }),
  z.object({ grant_type: z.literal(refreshGrant), ...client, refresh_token: text, ...scope, ...resource }),
  z.object({ grant_type: z.literal(deviceGrant), ...client, device_code: text }),
] as const

export const oauthInputs = {
  ProgramInput: z.object({
    redirect_uris: z
      .array(text)
      .min(1)
      .max(oauthRules.maxRedirects)
      .optional()
      .describe('https, or http on 127.0.0.1, [::1] or localhost. Left out by programs without a browser.'),
    grant_types: z
      .array(text)
      .optional()
      .describe('What the program will use; needed of one without a browser: the grant of RFC 8628.'),
    client_name: text.max(1000).optional().describe('What people are shown, as a claim of the program.'),
  }),
  DeviceInput: z.object({ ...client, ...scope, ...resource }),
  IntrospectionInput: z.object({ token: text }),
}

export const oauthAnswers = {
  Program: z.strictObject({
    ...client,
    client_id_issued_at: z.int().describe('Seconds since 1970.'),
    client_name: text,
    redirect_uris: z.array(text),
    token_endpoint_auth_method: z.literal('none'),
    grant_types: z.array(text),
    response_types: z.array(text),
  }),
  Device: z.strictObject({
    device_code: text.describe('Secret: the program asks with it.'),
    user_code: text.describe('Eight letters, which the person types.'),
    verification_uri: z.url(),
    verification_uri_complete: z.url().describe('The same with the code.'),
    expires_in: z.int().describe('Seconds.'),
    interval: z.int().describe('Seconds between two questions at the token endpoint.'),
  }),
  ProgramToken: z.strictObject({
    access_token: text,
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds.'),
    scope: text.describe('Separated by spaces.'),
    refresh_token: text.describe('Works once, and brings the next.'),
  }),
  Introspection: z.union([
    z.strictObject({ active: z.literal(false) }),
    z.strictObject({
      active: z.literal(true),
      scope: text,
      token_type: z.literal('Bearer'),
      iss: z.url(),
      sub: z.uuid().describe('The workspace.'),
      username: text.describe('The name of the token, or of its agent.'),
      exp: z.int().optional().describe('Seconds since 1970.'),
    }),
  ]),
}
