import { z } from 'zod'
import { type WorkspaceRecord, workspaceInputSchema, workspaceSchema } from '#core/people/access.ts'
import { fail } from '#core/language/error.ts'
import type { Transaction } from '#store/database/database.ts'
import { type Membership, countOwned, listMemberships, ownedLimit } from '#store/people/members.ts'
import { listWorkspacesClosedTo } from '#store/people/provider-subjects.ts'
import { lockPerson } from '#store/people/people.ts'
import { deleteWorkspace } from '#store/workspaces/workspace-removal.ts'
import { readSetting } from '#store/installation/settings.ts'
import { renameWorkspace } from '#store/workspaces/workspaces.ts'
import { foundWorkspace } from './founding.ts'
import { type PersonContext } from '#operations/pipeline/operation.ts'
import { defineOperation, definePersonOperation } from '#operations/pipeline/define-operation.ts'

const inConsole = { tag: 'Console', surface: 'console', role: 'owner', subject: 'workspace' } as const
const oneWorkspace = z.strictObject({ data: workspaceSchema })

const list = definePersonOperation({
  name: 'list_workspaces',
  method: 'GET',
  path: '/workspaces',
  tag: 'Console',
  summary: 'List the workspaces that the person is a member of, in the order of joining',
  errors: [401],
  success: { status: 200, description: 'Workspaces.', schema: z.strictObject({ data: z.array(workspaceSchema) }) },
  run: async ({ caller, services }) => {
    const { person, sessionId } = caller
    const memberships = await listMemberships(services.database, person.id)
    const closed = new Set(await listWorkspacesClosedTo(services.database, { personId: person.id, sessionId }))
    return { status: 200, body: { data: memberships.map((one) => toRecord(one, closed.has(one.workspaceId))) } }
  },
})

const create = definePersonOperation({
  name: 'create_workspace',
  method: 'POST',
  path: '/workspaces',
  tag: 'Console',
  summary: 'Create a workspace on the plan "free", owned by the person',
  description: `A person can own at most ${ownedLimit}. Where sign-up is by invitation only, only owners can create more.`,
  body: { schema: workspaceInputSchema, isRequired: true, schemaName: 'WorkspaceInput' },
  errors: [401, 403, 422],
  success: { status: 201, description: 'The workspace.', schema: oneWorkspace },
  run: async (context, { body: { name } }) => {
    const id = await context.services.database.transaction((tx) => createOwned(tx, context, name))
    return { status: 201, body: { data: { id, name, plan: 'free', role: 'owner' } } }
  },
})

const rename = defineOperation({
  ...inConsole,
  name: 'rename_workspace',
  method: 'PATCH',
  path: '/workspace',
  scope: 'write',
  summary: 'Rename the workspace',
  body: { schema: workspaceInputSchema, isRequired: true, schemaName: 'WorkspaceInput' },
  errors: [401, 403, 422],
  success: { status: 200, description: 'The workspace.', schema: oneWorkspace },
  run: async ({ caller, services, noteChange }, { body: { name } }) => {
    const { workspaceId } = caller
    noteChange({ id: workspaceId })
    const plan = await services.database.transaction((tx) => renameWorkspace(tx, { workspaceId, name }))
    return { status: 200, body: { data: { id: workspaceId, name, plan, role: 'owner' } } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'delete_workspace',
  method: 'DELETE',
  path: '/workspace',
  scope: 'write',
  summary: 'Delete the workspace with everything in it',
  description:
    'Its monitors stop, its tokens end, and remaining credit is lost; receipts of payments are kept. The ' +
    "installation's own workspace cannot be deleted.",
  errors: [401, 403, 422],
  success: { status: 204, description: 'The workspace was deleted.' },
  run: async ({ caller: { workspaceId }, services, now, noteChange }) => {
    // The log of the workspace goes with it.
    noteChange('nothing')
    const changes = await services.database.transaction(async (tx) => {
      if ((await readSetting(tx, 'owner_workspace')) === workspaceId)
        throw fail('limit_reached', "The installation's own workspace cannot be deleted.")
      return deleteWorkspace(tx, { workspaceId, at: now })
    })
    for (const change of changes) services.announceChange(change)
    return { status: 204, body: undefined }
  },
})

export const workspaceOperations = [list, create, rename, remove]

async function createOwned(
  tx: Transaction,
  { caller: { person }, services, now }: PersonContext,
  name: string,
): Promise<string> {
  await lockPerson(tx, person.id)
  const owned = await countOwned(tx, person.id)
  if (services.signUp === 'invited' && owned === 0)
    throw fail('insufficient_role', 'On this installation, only people who own a workspace can create another one.')
  if (owned >= ownedLimit) throw fail('limit_reached', `A person can own at most ${ownedLimit} workspaces.`)
  return foundWorkspace(tx, { name, plan: 'free', owner: { id: person.id, name: person.name }, at: now })
}

function toRecord({ workspaceId, name, plan, role }: Membership, asksForProvider: boolean): WorkspaceRecord {
  return { id: workspaceId, name, plan, role, ...(asksForProvider ? { asks_for_provider: true } : {}) }
}
