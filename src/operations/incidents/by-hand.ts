import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { incidentInputSchema, maxRunningByHand } from '#core/incidents/by-hand.ts'
import { incidentSchema } from '#core/incidents/incident.ts'
import { fail, invalidFields } from '#core/language/error.ts'
import { holdContacts } from '#store/contacts/hold-contacts.ts'
import { countRunningByHand, openByHand, resolveByHand } from '#store/incidents/by-hand.ts'
import { lockWorkspace } from '#store/workspaces/workspaces.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { findIncidentTarget } from './incidents.ts'

const common = {
  method: 'POST',
  scope: 'write',
  // People and their programs report incidents; the tools of a model have no room for it.
  surface: 'programs',
  subject: 'incident',
  tag: 'Results and incidents',
} as const
const one = z.strictObject({ data: incidentSchema })

const create = defineOperation({
  ...common,
  name: 'create_incident',
  path: '/incidents',
  summary: 'Report an incident that no check can see',
  description:
    `It is alerted, acknowledged and listed like an outage, but no check resolves it, and it does not count in ` +
    `uptime, reports and objectives. A workspace can have at most ${maxRunningByHand} ongoing ones.`,
  body: { schema: incidentInputSchema, isRequired: true, schemaName: 'IncidentInput' },
  errors: [401, 403, 422],
  success: { status: 201, description: 'The incident.', schema: one },
  run: async (context, { body: { monitor_id: monitorId, title, cause, alert_channel_ids: contactIds } }) => {
    const { caller, services, now, noteChange } = context
    const { workspaceId, actor } = caller
    const incidentId = randomUUID()
    noteChange({ id: incidentId, name: title })
    await services.database.transaction(async (tx) => {
      await lockWorkspace(tx, workspaceId)
      if ((await countRunningByHand(tx, workspaceId)) >= maxRunningByHand)
        throw fail(
          'limit_reached',
          `A workspace can have at most ${maxRunningByHand} ongoing incidents made by hand. Resolve one first.`,
        )
      const known = new Set(await holdContacts(tx, workspaceId, contactIds ?? []))
      const unknown = (contactIds ?? []).filter((id) => !known.has(id))
      if (unknown.length > 0)
        throw invalidFields({ alert_channel_ids: [`No contact of this workspace: ${unknown.join(', ')}.`] })
      const opening = { workspaceId, incidentId, monitorId, title, cause, contactIds, actor, at: now }
      if ((await openByHand(tx, opening)) === null)
        throw invalidFields({ monitor_id: ['This workspace has no such monitor.'] })
    })
    return { status: 201, body: { data: await findIncidentTarget(context, { id: incidentId }) } }
  },
})

const resolve = defineOperation({
  ...common,
  name: 'resolve_incident',
  path: '/incidents/{id}/resolve',
  summary: 'Resolve an incident that was made by hand',
  description:
    'Contacts that were alerted are told of the end. A resolved incident is returned as it is; one that checks ' +
    'opened is resolved by checks: 422 `not_by_hand`.',
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The incident as it is now.', schema: one },
  find: findIncidentTarget,
  run: async (context, { target }) => {
    const { caller, services, now, noteChange } = context
    const { workspaceId, actor } = caller
    if (!target.by_hand)
      throw fail('not_by_hand', 'This incident was opened by checks. It is resolved automatically when they succeed.')
    await services.database.transaction(async (tx) => {
      if (!(await resolveByHand(tx, { workspaceId, incidentId: target.id, actor, at: now }))) noteChange('nothing')
    })
    return { status: 200, body: { data: await findIncidentTarget(context, { id: target.id }) } }
  },
})

export const incidentByHandOperations = [create, resolve]
