import { z } from 'zod'
import { assigneeInputSchema } from '#core/incidents/comment.ts'
import { incidentSchema } from '#core/incidents/incident.ts'
import { invalidFields } from '#core/language/error.ts'
import { assignIncident } from '#store/incidents/assignment.ts'
import { findMember } from '#store/people/members.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findIncidentTarget } from './incidents.ts'

const assign = defineOperation({
  name: 'assign_incident',
  method: 'PUT',
  path: '/incidents/{id}/assignee',
  scope: 'write',
  surface: 'programs',
  subject: 'incident',
  tag: 'Results and incidents',
  summary: 'Assign an incident to a member',
  description:
    'The assignee is shown with the incident everywhere, and gets a mail unless they took it themselves. Alerts ' +
    'continue; acknowledge the incident to stop them.',
  body: { schema: assigneeInputSchema, isRequired: true, schemaName: 'AssigneeInput' },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The incident as it is now.', schema: z.strictObject({ data: incidentSchema }) },
  find: findIncidentTarget,
  run: async (context, { target, body: { person_id: personId } }) => {
    const { caller, services, now, noteChange } = context
    const { workspaceId, actor, person } = caller
    const assignee = await memberOf(context, personId)
    const by = { actor, personId: person?.id ?? null }
    await services.database.transaction(async (tx) => {
      if (!(await assignIncident(tx, { workspaceId, incidentId: target.id, assignee, by, at: now })))
        noteChange('nothing')
    })
    return { status: 200, body: { data: await findIncidentTarget(context, { id: target.id }) } }
  },
})

export const assignmentOperations = [assign]

async function memberOf({ caller, services }: Context, personId: string | null) {
  if (personId === null) return null
  const member = await findMember(services.database, { workspaceId: caller.workspaceId, personId })
  if (member === null) throw invalidFields({ person_id: ['This workspace has no such member.'] })
  return member
}
