import { z } from 'zod'
import { type MemberRecord, memberChangeSchema, memberSchema } from '#core/people/access.ts'
import { type AppError, fail } from '#core/language/error.ts'
import { type Member, changeRole, findMember, listMembers, removeMember } from '#store/people/members.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const inConsole = { tag: 'Console', surface: 'console', subject: 'member' } as const
const oneMember = z.strictObject({ data: memberSchema })

const list = defineOperation({
  ...inConsole,
  name: 'list_members',
  method: 'GET',
  path: '/members',
  scope: 'read',
  summary: 'List the members of the workspace in the order of joining',
  errors: [401],
  success: { status: 200, description: 'Members.', schema: z.strictObject({ data: z.array(memberSchema) }) },
  run: async ({ caller, services }) => {
    const members = await listMembers(services.database, caller.workspaceId)
    return { status: 200, body: { data: members.map(toRecord) } }
  },
})

const change = defineOperation({
  ...inConsole,
  name: 'change_member_role',
  method: 'PATCH',
  path: '/members/{id}',
  scope: 'write',
  role: 'owner',
  summary: 'Give a member another role',
  description: 'The last owner stays an owner: 422 `last_owner`.',
  body: { schema: memberChangeSchema, isRequired: true, schemaName: 'MemberChange' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The member.', schema: oneMember },
  find: findTarget,
  run: async ({ caller, services, noteChange }, { target, body: { role } }) => {
    noteChange({ details: { from: target.role, role } })
    const scope = { workspaceId: caller.workspaceId, personId: target.personId }
    await services.database.transaction(async (tx) => {
      assertDone(await changeRole(tx, { ...scope, role }))
    })
    return { status: 200, body: { data: toRecord({ ...target, role }) } }
  },
})

const remove = defineOperation({
  ...inConsole,
  name: 'remove_member',
  method: 'DELETE',
  path: '/members/{id}',
  // A member who may only read may leave.
  scope: 'read',
  summary: 'Remove a member, or leave the workspace',
  description: 'Owners can remove anyone, others only themselves. The last owner stays: 422 `last_owner`.',
  errors: [401, 403, 404, 422],
  success: { status: 204, description: 'The person is no longer a member.' },
  find: findTarget,
  run: async ({ caller, services, noteChange }, { target }) => {
    const isSelf = target.personId === caller.person?.id
    if (!isSelf && caller.role !== 'owner') throw onlyOwners()
    noteChange({ details: { role: target.role } })
    const scope = { workspaceId: caller.workspaceId, personId: target.personId }
    await services.database.transaction(async (tx) => {
      assertDone(await removeMember(tx, scope))
    })
    return { status: 204, body: undefined }
  },
})

export const memberOperations = [list, change, remove]

async function findTarget({ caller, services }: Context, { id = '' }: Record<string, string>): Promise<Member> {
  const member = await findMember(services.database, { workspaceId: caller.workspaceId, personId: id })
  return member ?? memberNotFound()
}

function assertDone(outcome: 'changed' | 'removed' | 'last_owner' | null): void {
  if (outcome === null) memberNotFound()
  if (outcome === 'last_owner')
    throw fail('last_owner', 'A workspace needs at least one owner. Make another member an owner first.')
}

function memberNotFound(): never {
  throw fail('not_found', 'There is no such member in this workspace.')
}

function onlyOwners(): AppError {
  return fail('insufficient_role', 'Only owners of the workspace can remove other members.')
}

function toRecord({ personId, name, email, role, joinedAt }: Member): MemberRecord {
  return { id: personId, name, email, role, joined_at: joinedAt.toISOString() }
}
