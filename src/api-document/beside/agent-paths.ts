import type { Described } from './described.ts'
import { form, general, json, refused, tooLarge } from './refusals.ts'

export const agentPaths: readonly Described[] = [
  {
    path: '/agent/identity',
    method: 'post',
    operationId: 'register_agent',
    tag: 'Tokens for agents',
    summary: 'Register as an agent',
    description:
      'With the address of a person, who then confirms; with the word of an identity provider; or anonymously, with a ' +
      'workspace of its own and an access token at once.',
    body: { type: json, schemas: ['AgentIdentityInput'] },
    answers: {
      200: {
        description: 'Registered.',
        content: { [json]: ['AgentForPerson', 'AgentConfirmed', 'AgentAnonymous'] },
      },
      400: refused('The request or the assertion is refused.'),
      401: {
        description: 'A person has to confirm the agent, or to sign in at the provider again.',
        content: { [json]: ['AgentUnconfirmed', 'AgentRefusal'] },
      },
      413: tooLarge,
      ...general,
    },
  },
  {
    path: '/agent/identity/claim',
    method: 'post',
    operationId: 'claim_agent',
    tag: 'Tokens for agents',
    summary: 'Ask for a code with which a person confirms the agent',
    body: { type: json, schemas: ['AgentClaimInput'] },
    answers: {
      200: { description: 'The code, and where the person types it.', content: { [json]: ['AgentClaim'] } },
      400: refused('The request is refused.'),
      401: refused('There is no such claim token.'),
      409: refused('A person has confirmed the agent already.'),
      410: refused('The claim token has expired.'),
      413: tooLarge,
      ...general,
    },
  },
  {
    path: '/oauth2/token',
    method: 'post',
    operationId: 'exchange_token',
    tag: 'Tokens for agents',
    summary: 'Exchange an assertion, a confirmed claim, or a code, for an access token',
    description:
      'RFC 6749 3.2. Agents that register need no client: the grants of RFC 7523 and of the auth.md profile. Programs that ' +
      'sign their person in: codes, refresh tokens, and codes of RFC 8628.',
    body: { type: form, schemas: ['AgentTokenInput'] },
    answers: {
      200: {
        description: 'An access token, and the next assertion or refresh token.',
        content: { [json]: ['AgentToken', 'ProgramToken'] },
      },
      400: refused('`authorization_pending` and `slow_down` ask to wait; the others end it.'),
      401: refused('There is no such claim token.'),
      410: refused('The claim token has expired.'),
      413: tooLarge,
      ...general,
    },
  },
  {
    path: '/oauth2/revoke',
    method: 'post',
    operationId: 'revoke_token',
    tag: 'Tokens for agents',
    summary: 'End a token',
    description: 'RFC 7009. A token that is unknown has ended too.',
    body: { type: form, schemas: ['AgentRevocationInput'] },
    answers: { 200: { description: 'The token has ended.' }, ...general },
  },
]
