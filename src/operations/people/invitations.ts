import { dayMs } from '#core/language/utc-day.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { addressProblem } from '#contacts/email.ts'
import {
  type InvitationRecord,
  invitationInputSchema,
  invitationSchema,
  invitationTokenSchema,
  workspaceSchema,
} from '#core/people/access.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { consoleLink } from '#core/people/person-mail.ts'
import type { Transaction } from '#store/database/database.ts'
import {
  type Invitation,
  invitationDays,
  invitationLimit,
  insertInvitation,
  listInvitations,
  takeInvitation,
} from '#store/people/invitations.ts'
import { listMembers, listMemberships, memberLimit } from '#store/people/members.ts'
import { enqueuePersonMail } from '#store/people/person-mails.ts'
import { hashToken } from '#store/database/secrets.ts'
import { takeMail } from '#operations/contacts/asking-mails.ts'
import { acceptInvitation } from './joining.ts'
import { maySeeMailedLinks } from './mailed-links.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation, definePersonOperation } from '#operations/pipeline/define-operation.ts'

const inConsole = { tag: 'Console', surface: 'console', role: 'owner', subject: 'invitation' } as const
const tokenBytes = 32

const list = defineOperation({
  ...inConsole,
  name: 'list_invitations',
  method: 'GET',
  path: '/invitations',
  scope: 'read',
  summary: 'List open invitations, newest first',
  errors: [401, 403],
  success: { status: 200, description: 'Invitations.', schema: z.strictObject({ data: z.array(invitationSchema) }) },
  run: async ({ caller, services, now }) => {
    const invitations = await listInvitations(services.database, { workspaceId: caller.workspaceId, now })
    return { status: 200, body: { data: invitations.map(toRecord) } }
  },
})

const create = defineOperation({
  ...inConsole,
  name: 'create_invitation',
  method: 'POST',
  path: '/invitations',
  scope: 'write',
  summary: 'Invite a person by mail',
  description:
    'The mail has a link that works once, for 7 days, and only for the person with that address. A new invitation ' +
    'to the same address replaces the one before. If the installation sends no mail, `link` is shown once to an ' +
    'owner of the installation, who passes it on; others see no link.',
  body: { schema: invitationInputSchema, isRequired: true, schemaName: 'InvitationInput' },
  errors: [401, 403, 422],
  success: {
    status: 201,
    description: 'The invitation.',
    schema: z.strictObject({ data: invitationSchema, link: z.url().optional() }),
  },
  run: async (context, { body }) => {
    const email = body.email.toLowerCase()
    const problem = addressProblem(email)
    if (problem !== null) throw invalidFields({ email: [problem] })
    const { database, publicUrl } = context.services
    const isShown = await maySeeMailedLinks(context)
    const token = randomBytes(tokenBytes).toString('base64url')
    const invitation = await database.transaction((tx) => invite(tx, context, { email, role: body.role, token }))
    const shown = isShown ? { link: consoleLink(publicUrl, 'invitation', { token }) } : {}
    return { status: 201, body: { data: toRecord(invitation), ...shown } }
  },
})

const revoke = defineOperation({
  ...inConsole,
  name: 'revoke_invitation',
  method: 'DELETE',
  path: '/invitations/{id}',
  scope: 'write',
  summary: 'Revoke an invitation and its link',
  errors: [401, 403, 404],
  success: { status: 204, description: 'The invitation was revoked.' },
  run: async ({ caller, services, noteChange }, { path: { id = '' } }) => {
    await services.database.transaction(async (tx) => {
      const taken = await takeInvitation(tx, { id, workspaceId: caller.workspaceId })
      if (taken === null) throw fail('not_found', 'There is no such invitation in this workspace.')
      noteChange({ name: taken.email })
    })
    return { status: 204, body: undefined }
  },
})

const accept = definePersonOperation({
  name: 'accept_invitation',
  method: 'POST',
  path: '/invitations/accept',
  tag: 'Console',
  summary: 'Accept an invitation',
  description: '403 `wrong_person` when it was sent to another address than that of the person who is signed in.',
  body: { schema: invitationTokenSchema, isRequired: true, schemaName: 'InvitationToken' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The workspace.', schema: z.strictObject({ data: workspaceSchema }) },
  run: async ({ caller: { person }, services, now }, { body: { token } }) => {
    const { workspaceId } = await acceptInvitation(services.database, { token, person, now })
    const joined = (await listMemberships(services.database, person.id)).find((one) => one.workspaceId === workspaceId)
    if (joined === undefined) throw fail('not_found', 'This workspace no longer exists.')
    const { name, plan, role } = joined
    return { status: 200, body: { data: { id: workspaceId, name, plan, role } } }
  },
})

export const invitationOperations = [list, create, revoke, accept]

async function invite(
  tx: Transaction,
  { caller, services, now, noteChange }: Context,
  { email, role, token }: Pick<Invitation, 'email' | 'role'> & { token: string },
): Promise<Invitation> {
  const { workspaceId, person } = caller
  const members = await listMembers(tx, workspaceId)
  if (members.some((member) => member.email === email)) throw invalidFields({ email: ['Already belongs to a member.'] })
  if (members.length >= memberLimit) throw fail('limit_reached', `A workspace can have at most ${memberLimit} members.`)
  const invitedBy = person?.email ?? caller.actor
  const times = { createdAt: now, expiresAt: new Date(now.getTime() + invitationDays * dayMs) }
  const invitation = await insertInvitation(tx, {
    workspaceId,
    email,
    role,
    invitedBy,
    ...times,
    tokenHash: hashToken(token),
  })
  if (invitation === null)
    throw fail('limit_reached', `A workspace can have at most ${invitationLimit} open invitations. Revoke one first.`)
  noteChange({ id: invitation.id, name: email, details: { role } })
  await takeMail(tx, { workspaceId, destination: email }, now)
  const content = { mail: 'invitation', to: email, token, invited_by: invitedBy } as const
  await enqueuePersonMail(tx, services.secrets, { expires_at: times.expiresAt.toISOString(), content })
  return invitation
}

function toRecord({ id, email, role, invitedBy, createdAt, expiresAt }: Invitation): InvitationRecord {
  return {
    id,
    email,
    role,
    invited_by: invitedBy,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  }
}
