import type { Described } from './described.ts'
import { form, general, json, refused, tooLarge } from './refusals.ts'

const tag = 'Tokens for agents'

function query(name: string, description: string, isRequired: boolean) {
  return { name, in: 'query', required: isRequired, description, schema: { type: 'string' } }
}

/** What a program is asked for that signs its person in, or waits for a code that the person types. */
export const oauthPaths: readonly Described[] = [
  {
    path: '/oauth2/authorize',
    method: 'get',
    operationId: 'begin_authorization',
    tag,
    summary: 'Send a person here to let a program in',
    description: 'RFC 6749 4.1.1 with PKCE. Leads the browser to the page where its person decides.',
    parameters: [
      query('client_id', 'Of a program that registered, or the https address of its document.', true),
      query('redirect_uri', 'Where the answer is sent; one that the program registered.', true),
      query('response_type', '`code`', true),
      query('code_challenge', 'SHA-256 of the verifier in base64url (RFC 7636).', true),
      query('code_challenge_method', '`S256`', true),
      query('scope', '`read`, `write`, or both; both without it.', false),
      query('state', 'Comes back with the answer.', false),
      query('resource', 'The part of the service that the token is for (RFC 8707); all without it.', false),
    ],
    answers: {
      302: { description: 'To the page.' },
      400: refused('The query is too long.'),
      default: refused('Something went wrong on the server.'),
    },
  },
  {
    path: '/oauth2/register',
    method: 'post',
    operationId: 'register_program',
    tag,
    summary: 'Register a program that asks people for access',
    description: 'RFC 7591. It gets no secret; a member that it asked for otherwise is answered as it is.',
    body: { type: json, schemas: ['ProgramInput'] },
    answers: {
      201: { description: 'Registered.', content: { [json]: ['Program'] } },
      400: refused('The request is refused.'),
      413: tooLarge,
      ...general,
    },
  },
  {
    path: '/oauth2/device_authorization',
    method: 'post',
    operationId: 'begin_device_authorization',
    tag,
    summary: 'Ask for a code that a person types for a program without a browser',
    description: 'RFC 8628 3.1.',
    body: { type: form, schemas: ['DeviceInput'] },
    answers: {
      200: { description: 'The code, and where the person types it.', content: { [json]: ['Device'] } },
      400: refused('The request is refused.'),
      401: refused('There is no such client.'),
      413: tooLarge,
      ...general,
    },
  },
  {
    path: '/oauth2/introspect',
    method: 'post',
    operationId: 'introspect_token',
    tag,
    summary: 'Ask what a token may do, and until when',
    description: 'RFC 7662. Who asks sends a token of the same workspace in `X-API-Key` or as Bearer.',
    body: { type: form, schemas: ['IntrospectionInput'] },
    answers: {
      200: { description: 'What the token is.', content: { [json]: ['Introspection'] } },
      400: refused('The request is refused.'),
      401: refused('The token of who asks does not work.'),
      413: tooLarge,
      ...general,
    },
  },
]
