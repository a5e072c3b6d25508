import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  maxPolicies,
  policyChangeSchema,
  policyInputSchema,
  type PolicyRecord,
  policySchema,
} from '#core/contacts/escalation.ts'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import { holdSchedules } from '#store/contacts/on-call-schedules.ts'
import { holdContacts } from '#store/contacts/hold-contacts.ts'
import {
  deletePolicy,
  findPolicy,
  insertPolicy,
  listPolicies,
  updatePolicy,
} from '#store/contacts/escalation-policies.ts'
import type { Transaction } from '#store/database/database.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const tag = 'Account'
const one = z.strictObject({ data: policySchema })

const list = defineOperation({
  name: 'list_escalation_policies',
  method: 'GET',
  path: '/escalation-policies',
  scope: 'read',
  tag,
  summary: 'List the escalation policies of the workspace',
  errors: [401],
  success: {
    status: 200,
    description: 'Policies, oldest first.',
    schema: z.strictObject({ data: z.array(policySchema) }),
  },
  run: async ({ caller, services }) => ({
    status: 200,
    body: { data: await listPolicies(services.database, caller.workspaceId) },
  }),
})

const create = defineOperation({
  name: 'create_escalation_policy',
  method: 'POST',
  path: '/escalation-policies',
  scope: 'write',
  subject: 'escalation_policy',
  tag,
  summary: 'Add an escalation policy: who is alerted about an outage, and in which order',
  description:
    'Its steps run one after the other until the incident ends or a person acknowledges it. A contact that is off, ' +
    'unconfirmed, failing or in quiet hours counts as not alerted; if a step alerts no one, the next one follows ' +
    'at once. With a policy, an outage is alerted only by its steps, and at once to the contacts that the monitor ' +
    'names, by id or by tag. If no contact of the policy can be alerted, all contacts of the workspace are.',
  body: { schema: policyInputSchema, isRequired: true, schemaName: 'EscalationPolicyInput' },
  makes: 'escalation_policies',
  errors: [401, 403, 422],
  success: { status: 201, description: 'The policy.', schema: one },
  run: async ({ caller: { workspaceId }, services, noteChange }, { body }) => {
    const id = randomUUID()
    noteChange({ id })
    await services.database.transaction(async (tx) => {
      await assertKnown(tx, workspaceId, body)
      if (!(await insertPolicy(tx, { ...body, id, workspaceId })))
        throw fail('limit_reached', `A workspace can have at most ${maxPolicies} escalation policies.`)
    })
    return { status: 201, body: { data: { id, ...body } } }
  },
})

const read = defineOperation({
  name: 'get_escalation_policy',
  method: 'GET',
  path: '/escalation-policies/{id}',
  scope: 'read',
  tag,
  summary: 'Get an escalation policy',
  errors: [401, 404],
  success: { status: 200, description: 'The policy.', schema: one },
  find: findTarget,
  run: async (_context, { target }) => ({ status: 200, body: { data: target } }),
})

const update = defineOperation({
  name: 'update_escalation_policy',
  method: 'PATCH',
  path: '/escalation-policies/{id}',
  scope: 'write',
  subject: 'escalation_policy',
  tag,
  summary: 'Change an escalation policy',
  description:
    'Omitted fields stay; `steps` are replaced as a whole. Ongoing incidents continue with the changed policy at ' +
    'their next step.',
  body: { schema: policyChangeSchema, isRequired: true, schemaName: 'EscalationPolicyChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The policy.', schema: one },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services }, { body, target }) => {
    const of = { workspaceId, id: target.id }
    const changed = await services.database.transaction(async (tx) => {
      await assertKnown(tx, workspaceId, { steps: body.steps, held: target.steps })
      return (await updatePolicy(tx, of, body)) ? findPolicy(tx, of) : null
    })
    return { status: 200, body: { data: changed ?? notFound() } }
  },
})

const remove = defineOperation({
  name: 'delete_escalation_policy',
  method: 'DELETE',
  path: '/escalation-policies/{id}',
  scope: 'write',
  subject: 'escalation_policy',
  tag,
  summary: 'Delete an escalation policy',
  description:
    'Monitors that name it then have the policy of their tags, the default one, or none. Outages that it was ' +
    'alerting continue without it: if no contact was alerted yet, all contacts of the workspace are, at once.',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The policy was deleted.' },
  find: findTarget,
  run: async ({ caller: { workspaceId }, services }, { target: { id } }) => {
    await services.database.transaction((tx) => deletePolicy(tx, { workspaceId, id }))
    return { status: 204, body: undefined }
  },
})

export const escalationPolicyOperations = [list, create, read, update, remove]

async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<PolicyRecord> {
  return (await findPolicy(services.database, { workspaceId: caller.workspaceId, id })) ?? notFound()
}

type Steps = PolicyRecord['steps']
type Member = 'contact_ids' | 'schedule_ids'

/** What was deleted meanwhile may stay in steps, so that a policy can be sent back as it was read. */
async function assertKnown(
  tx: Transaction,
  workspaceId: string,
  { steps = [], held = [] }: { steps?: Steps | undefined; held?: Steps },
): Promise<void> {
  const wanted = (member: Member): string[] => [...new Set(steps.flatMap((step) => step[member]))]
  const known: Record<Member, Set<string>> = {
    contact_ids: new Set(await holdContacts(tx, workspaceId, wanted('contact_ids'))),
    schedule_ids: new Set(await holdSchedules(tx, workspaceId, wanted('schedule_ids'))),
  }
  const fields: Fields = {}
  for (const member of ['contact_ids', 'schedule_ids'] as const) {
    for (const step of held) for (const id of step[member]) known[member].add(id)
    for (const [index, step] of steps.entries()) {
      const unknown = step[member].filter((id) => !known[member].has(id))
      const what = member === 'contact_ids' ? 'contact' : 'on-call schedule'
      if (unknown.length > 0)
        fields[`steps.${index}.${member}`] = [`No ${what} of this workspace: ${unknown.join(', ')}.`]
    }
  }
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}

function notFound(): never {
  throw fail('not_found', 'There is no such escalation policy in this workspace.')
}
