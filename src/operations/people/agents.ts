import { z } from 'zod'
import { agentScopes, agentTypes, maxBudgetCents } from '#core/people/agent.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import {
  type Registration,
  deleteRegistration,
  listRegistrations,
  setBudget,
} from '#store/people/agent-registrations.ts'
import { type ClaimOutcome, type ClaimView, completeClaim, readClaimAttempt } from './claims.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation, definePersonOperation } from '#operations/pipeline/define-operation.ts'
import { contentsSchema, toContents } from '#operations/workspaces/workspace-takeover.ts'

const agentSchema = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  type: z.enum(agentTypes),
  provider: z.string().nullable().describe('Who vouched for it, as this installation calls it.'),
  redirect_host: z.string().nullable().describe('Where a program that was let in took its code; null for others.'),
  email: z.string().nullable().describe('Whose it is.'),
  scopes: z.array(z.enum(agentScopes)),
  budget_cents: z.int().nullable().describe("What it may take of the workspace's credit; null is all of it."),
  spent_cents: z.int().describe('What it took of it so far.'),
  created_at: z.iso.datetime(),
  claimed_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
})
export type AgentRecord = z.infer<typeof agentSchema>

const listAgents = defineOperation({
  name: 'list_agents',
  method: 'GET',
  path: '/agents',
  scope: 'read',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  summary: 'List the agents that act in the workspace',
  errors: [401, 403],
  success: { status: 200, description: 'Newest first.', schema: z.strictObject({ data: z.array(agentSchema) }) },
  run: async ({ caller, services }) => {
    const agents = await listRegistrations(services.database, caller.workspaceId)
    return { status: 200, body: { data: agents.map((agent) => toRecord(agent, services)) } }
  },
})

const changeSchema = z.strictObject({
  budget_cents: z
    .int()
    .min(0)
    .max(maxBudgetCents)
    .nullable()
    .describe("What it may take of the workspace's credit, all that it took so far included; null is all of it."),
})

const updateAgent = defineOperation({
  name: 'update_agent',
  method: 'PATCH',
  path: '/agents/{id}',
  scope: 'write',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  subject: 'agent',
  summary: 'Change what an agent may spend',
  description: 'The change counts from its next purchase on. A budget below what was spent ends its spending.',
  body: { schema: changeSchema, isRequired: true, schemaName: 'AgentChange' },
  errors: [400, 401, 403, 404, 422],
  success: { status: 200, description: 'The agent.', schema: z.strictObject({ data: agentSchema }) },
  run: async ({ caller, services, noteChange }, { path, body }) => {
    const of = { workspaceId: caller.workspaceId, id: path['id'] ?? '' }
    await services.database.transaction(async (tx) => {
      const changed = await setBudget(tx, { ...of, cents: body.budget_cents })
      if (changed === null) throw notHere()
      noteChange({ id: of.id, name: changed.name, details: { budget_cents: body.budget_cents } })
    })
    const agents = await listRegistrations(services.database, of.workspaceId)
    const agent = agents.find(({ id }) => id === of.id)
    if (agent === undefined) throw notHere()
    return { status: 200, body: { data: toRecord(agent, services) } }
  },
})

const disconnectAgent = defineOperation({
  name: 'disconnect_agent',
  method: 'DELETE',
  path: '/agents/{id}',
  scope: 'write',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  subject: 'agent',
  summary: 'Disconnect an agent: its tokens and assertions end at once',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The agent was disconnected.' },
  run: async ({ caller, services, noteChange }, { path }) => {
    const { workspaceId } = caller
    await services.database.transaction(async (tx) => {
      const gone = await deleteRegistration(tx, { workspaceId, id: path['id'] ?? '' })
      if (gone === null) throw notHere()
      noteChange({ name: gone.name })
    })
    return { status: 204, body: undefined }
  },
})

const asksSchema = z.strictObject({
  agent_name: z.string(),
  type: z.enum(agentTypes),
  provider: z.string().nullable(),
  email: z.string(),
  scopes: z.array(z.string()),
  advisories: z.array(z.enum(['first_agent', 'first_of_provider', 'nobody_vouches', 'moves_workspace'])),
  workspace: contentsSchema.nullable().describe('What moves into the workspace of whoever confirms.'),
  requested_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  tries_left: z.int(),
})

const claimViewSchema = z.strictObject({
  state: z.enum(['open', 'expired', 'locked', 'done', 'wrong_person']),
  asks: asksSchema.nullable().describe('Null unless the link is open, and the person its own.'),
})
export type ClaimViewRecord = z.infer<typeof claimViewSchema>

const tokenSchema = z.string().min(1).max(200)

const readAttempt = definePersonOperation({
  name: 'read_claim_attempt',
  method: 'GET',
  path: '/claim-attempt',
  tag: 'Console',
  summary: 'Show who asks for what with a claim link',
  query: { schema: z.strictObject({ claim_attempt_token: tokenSchema }) },
  errors: [401, 422],
  success: {
    status: 200,
    description: 'Where the link stands.',
    schema: z.strictObject({ data: claimViewSchema }),
  },
  run: async ({ caller, services, now }, { query }) => {
    const link = { attemptToken: query.claim_attempt_token, person: caller.person, now }
    return { status: 200, body: { data: toView(await readClaimAttempt(services, link)) } }
  },
})

const completion = z.strictObject({ claim_attempt_token: tokenSchema, user_code: z.string().min(1).max(20) })

const complete = defineOperation({
  name: 'complete_claim',
  method: 'POST',
  path: '/claim-attempt/complete',
  scope: 'write',
  surface: 'console',
  role: 'owner',
  tag: 'Console',
  subject: 'agent',
  summary: 'Confirm an agent by its code, and let it act in this workspace',
  description: 'An anonymous agent brings all that its own workspace has.',
  body: { schema: completion, isRequired: true, schemaName: 'ClaimCompletion' },
  errors: [401, 403, 409, 410, 422],
  success: {
    status: 200,
    description: 'The agent acts in this workspace.',
    schema: z.strictObject({
      data: z.strictObject({ id: z.uuid(), name: z.string(), type: z.enum(agentTypes) }),
    }),
  },
  run: async (context, { body }) => ({
    status: 200,
    body: { data: claimedAgent(await tryComplete(context, body)) },
  }),
})

export const agentOperations = [listAgents, updateAgent, disconnectAgent, readAttempt, complete]

function notHere(): Error {
  return fail('not_found', 'There is no such agent in this workspace.')
}

async function tryComplete(
  { caller, services, now, noteChange }: Context,
  body: z.infer<typeof completion>,
): Promise<ClaimOutcome> {
  const { person, workspaceId } = caller
  if (person === null) throw fail('session_required', 'You have to sign in for this.')
  const outcome = await completeClaim(services, {
    attemptToken: body.claim_attempt_token,
    userCode: body.user_code,
    person,
    workspaceId,
    now,
    onRefused: () => noteChange('nothing'),
    onClaimed: ({ id, name, type }) => noteChange({ id, name, details: { type } }),
  })
  return outcome
}

function claimedAgent(outcome: ClaimOutcome): Extract<ClaimOutcome, { type: 'claimed' }>['agent'] {
  switch (outcome.type) {
    case 'claimed':
      return outcome.agent
    case 'wrong_code': {
      const { triesLeft } = outcome
      const rest = triesLeft === 0 ? 'The link is locked; ask the agent for another one.' : `Tries left: ${triesLeft}.`
      throw invalidFields({ user_code: [`This is not the code that the agent shows. ${rest}`] })
    }
    case 'wrong_person':
      throw fail('wrong_person', 'This link is for another email address. Sign in with the one the agent was given.')
    case 'done':
      throw fail('claimed_or_in_flight', 'This agent is already confirmed.')
    case 'locked':
      throw fail('claim_expired', 'The wrong code was entered five times. Ask the agent for a new link.')
    case 'expired':
      throw fail('claim_expired', 'This link has expired. Ask the agent for a new one.')
  }
}

function toRecord(agent: Registration, { agentIssuers }: Context['services']): AgentRecord {
  return {
    id: agent.id,
    name: agent.name,
    type: agent.type,
    provider: agentIssuers.find(({ issuer }) => issuer === agent.identity?.issuer)?.name ?? null,
    redirect_host: agent.client?.redirectHost ?? null,
    email: agent.email,
    scopes: [...agent.scopes],
    budget_cents: agent.budgetCents,
    spent_cents: agent.spentCents,
    created_at: agent.createdAt.toISOString(),
    claimed_at: agent.claimedAt?.toISOString() ?? null,
    last_used_at: agent.lastUsedAt?.toISOString() ?? null,
  }
}

function toView({ state, asks }: ClaimView): ClaimViewRecord {
  if (asks === null) return { state, asks: null }
  return {
    state,
    asks: {
      agent_name: asks.agentName,
      type: asks.type,
      provider: asks.providerName,
      email: asks.email,
      scopes: [...asks.scopes],
      advisories: asks.advisories,
      workspace: asks.workspace === null ? null : toContents(asks.workspace),
      requested_at: asks.requestedAt.toISOString(),
      expires_at: asks.expiresAt.toISOString(),
      tries_left: asks.triesLeft,
    },
  }
}
