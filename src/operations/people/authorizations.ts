import { z } from 'zod'
import { fail } from '#core/language/error.ts'
import { agentScopes, maxBudgetCents } from '#core/people/agent.ts'
import { oauthRules } from '#core/people/oauth.ts'
import { defineOperation, definePersonOperation } from '#operations/pipeline/define-operation.ts'
import { type DeviceView, decideDevice, readDevice } from './oauth-device.ts'
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

const typedSchema = z.string().min(1).max(20)

const deviceSchema = z.strictObject({
  state: z.enum(['open', 'expired', 'done']),
  asks: viewSchema.shape.asks
    .unwrap()
    .omit({ redirect_host: true })
    .nullable()
    .describe('Null unless the code is open.'),
  problem: z.string().nullable().describe('Why the program cannot be shown.'),
})
export type DeviceAuthorizationRecord = z.infer<typeof deviceSchema>

const readDeviceAuthorization = definePersonOperation({
  name: 'read_device_authorization',
  method: 'GET',
  path: '/device-authorization',
  tag: 'Console',
  summary: 'Show which program without a browser shows a code, and what it asks for',
  query: { schema: z.strictObject({ user_code: typedSchema }) },
  errors: [401, 422],
  success: { status: 200, description: 'What is asked.', schema: z.strictObject({ data: deviceSchema }) },
  run: async ({ services, now }, { query }) => ({
    status: 200,
    body: { data: toDevice(await readDevice(services, { typed: query.user_code, now })) },
  }),
})

const decisionSchema = z.strictObject({
  user_code: typedSchema,
  is_let_in: z.boolean(),
  scopes: consentSchema.shape.scopes.default([...agentScopes]),
  budget_cents: consentSchema.shape.budget_cents,
})

const authorizeDevice = defineOperation({
  name: 'authorize_device',
  method: 'POST',
  path: '/device-authorization',
  scope: 'write',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  subject: 'agent',
  summary: 'Let a program that shows a code act in this workspace, or refuse it',
  body: { schema: decisionSchema, isRequired: true, schemaName: 'DeviceAuthorization' },
  errors: [400, 401, 403, 410, 422],
  success: { status: 204, description: 'The program is told when it asks next.' },
  run: async ({ caller: { person, workspaceId }, services, now, noteChange }, { body }) => {
    if (person === null) throw fail('session_required', 'You have to sign in for this.')
    const { user_code: typed, is_let_in: isLetIn, scopes, budget_cents: budgetCents } = body
    const agreed = { scopes: scopes.includes('write') ? agentScopes : (['read'] as const), budgetCents }
    const isDecided = await decideDevice(services, {
      typed,
      agreed: isLetIn ? agreed : null,
      person,
      workspaceId,
      now,
      onDecided: (agent) =>
        noteChange(agent === null ? 'nothing' : { ...agent, details: { scopes, budget_cents: budgetCents } }),
    })
    if (!isDecided) throw fail('claim_expired', 'This code has expired, or was used. Ask the program for a new one.')
    return { status: 204, body: undefined }
  },
})

export const authorizationOperations = [readAuthorization, authorizeProgram, readDeviceAuthorization, authorizeDevice]

function hostOf(clientId: string): string | null {
  return clientId.startsWith('https://') ? new URL(clientId).host : null
}

function toDevice({ state, asks, problem }: DeviceView): DeviceAuthorizationRecord {
  if (asks === null) return { state, asks: null, problem }
  const { client, scopes, audience } = asks
  return {
    state,
    asks: { client_name: client.name, client_host: hostOf(client.id), scopes: [...scopes], audience },
    problem,
  }
}

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
        client_host: hostOf(client.id),
        redirect_host: new URL(redirectUri).host,
        scopes: [...scopes],
        audience,
      }
      return { asks, problem: null, leave_to: judged.denyUri }
    }
  }
}
