import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { agentScopes } from '#core/people/agent.ts'
import { oauthRules } from '#core/people/oauth.ts'
import { defineOperation, definePersonOperation } from '#operations/pipeline/define-operation.ts'
import { type Judged, judgeAuthorization, letIn } from './oauth-consent.ts'

const requestSchema = z.strictObject({
  client_id: z.string().min(1).max(500),
  redirect_uri: z.string().min(1).max(oauthRules.maxUriLength),
  response_type: z.string().max(100).optional(),
  scope: z.string().max(500).optional(),
  state: z.string().max(oauthRules.maxStateLength).optional(),
  code_challenge: z.string().max(200).optional(),
  code_challenge_method: z.string().max(50).optional(),
  resource: z.string().max(oauthRules.maxUriLength).optional(),
})

const viewSchema = z.strictObject({
  asks: z
    .strictObject({
      client_name: z.string().describe('What the program calls itself.'),
      client_host: z.string().nullable().describe('Where its description was read; null for one that registered.'),
      redirect_host: z.string().describe('Where its code is sent.'),
      scopes: z.array(z.enum(agentScopes)),
      audience: z.enum(['api', 'mcp']).nullable().describe('The part of the service that it asks for; null is all.'),
    })
    .nullable()
    .describe('Null where the request cannot be agreed to.'),
  problem: z.string().nullable().describe('What is wrong with the request.'),
  leave_to: z.string().nullable().describe('Where the person is sent who does not agree, or cannot.'),
})
export type AuthorizationRecord = z.infer<typeof viewSchema>

const readAuthorization = definePersonOperation({
  name: 'read_authorization',
  method: 'GET',
  path: '/authorization',
  tag: 'Console',
  summary: 'Show which program asks a person for what',
  description: "Takes the members of an authorization request (RFC 6749 4.1.1) as the program's address has them.",
  query: { schema: requestSchema },
  errors: [401, 422],
  success: { status: 200, description: 'What is asked.', schema: z.strictObject({ data: viewSchema }) },
  run: async ({ services }, { query }) => ({
    status: 200,
    body: { data: toView(await judgeAuthorization(services, query)) },
  }),
})

/** Of credit that a program may take without asking again, in cents. */
const maxBudgetCents = 100_000_00

const consentSchema = z.strictObject({
  request: requestSchema,
  scopes: z.array(z.enum(agentScopes)).min(1).max(agentScopes.length),
  budget_cents: z.int().min(0).max(maxBudgetCents).default(0),
})

const authorizeProgram = defineOperation({
  name: 'authorize_program',
  method: 'POST',
  path: '/authorization',
  scope: 'write',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  subject: 'agent',
  summary: 'Let a program that asks for access act in this workspace',
  body: { schema: consentSchema, isRequired: true, schemaName: 'Authorization' },
  errors: [400, 401, 403, 422],
  success: {
    status: 200,
    description: 'The program acts in this workspace once it has fetched its tokens.',
    schema: z.strictObject({ data: z.strictObject({ redirect_to: z.string() }) }),
  },
  run: async ({ caller: { person, workspaceId }, services, now, noteChange }, { body }) => {
    if (person === null) throw fail('session_required', 'You have to sign in for this.')
    const judged = await judgeAuthorization(services, body.request)
    if (judged.type !== 'asked') throw fail('bad_request', judged.problem)
    const { scopes, budget_cents: budgetCents } = body
    const redirectTo = await letIn(services, {
      asked: judged.asked,
      scopes: scopes.includes('write') ? agentScopes : ['read'],
      budgetCents,
      person,
      workspaceId,
      now,
      onLetIn: ({ id, name }) => noteChange({ id, name, details: { scopes, budget_cents: budgetCents } }),
    })
    return { status: 200, body: { data: { redirect_to: redirectTo } } }
  },
})

export const authorizationOperations = [readAuthorization, authorizeProgram]

function toView(judged: Judged): AuthorizationRecord {
  switch (judged.type) {
    case 'refused':
      return { asks: null, problem: judged.problem, leave_to: null }
    case 'returned':
      return { asks: null, problem: judged.problem, leave_to: judged.uri }
    case 'asked': {
      const { client, redirectUri, scopes, audience } = judged.asked
      const asks = {
        client_name: client.name,
        client_host: client.id.startsWith('https://') ? new URL(client.id).host : null,
        redirect_host: new URL(redirectUri).host,
        scopes: [...scopes],
        audience,
      }
      return { asks, problem: null, leave_to: judged.denyUri }
    }
  }
}
