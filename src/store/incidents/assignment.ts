import { randomUUID } from 'node:crypto'
import type { IncidentEventType } from '#core/incidents/incident.ts'
import { oneLine } from '#core/language/one-line.ts'
import { enqueueNotices } from '#store/contacts/notices.ts'
import type { Reader, Transaction } from '#store/database/database.ts'
import type { IncidentScope } from './incidents.ts'

type Assignment = IncidentScope & {
  /** Null for none. */
  assignee: { personId: string; name: string } | null
  by: { actor: string; personId: string | null }
  at: Date
}

/**
 * Gives the incident to a member, with its event, and tells that member by mail, unless the member took it. False when
 * the member has it already: then nothing is written.
 */
export async function assignIncident(tx: Transaction, { assignee, by, at, ...scope }: Assignment): Promise<boolean> {
  const { workspaceId, incidentId } = scope
  const personId = assignee?.personId ?? null
  const changed = await tx.query
    .updateTable('incidents')
    .set({ assignee_id: personId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', incidentId)
    .where('assignee_id', 'is distinct from', personId)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) return false
  const type: IncidentEventType = 'assigned'
  const who = assignee === null ? 'to no member any more' : `to ${oneLine(assignee.name)}`
  await tx.query
    .insertInto('incident_events')
    .values({
      id: randomUUID(),
      incident_id: incidentId,
      type,
      at,
      message: `Assigned ${who} by ${oneLine(by.actor)}.`,
      actor: by.actor,
      details: JSON.stringify({ person_id: personId }),
    })
    .execute()
  if (personId !== null && personId !== by.personId)
    await enqueueNotices(tx, [{ notice: 'incident_assigned', incident_id: incidentId, person_id: personId }])
  return true
}

export type Assigned = { email: string; title: string; cause: string | null; startedAt: Date; monitorName: string }

/** Null where the person has the incident no more, is no member any more, or the incident is over or gone. */
export async function findAssigned(
  { query }: Reader,
  { incidentId, personId }: { incidentId: string; personId: string },
): Promise<Assigned | null> {
  const row = await query
    .selectFrom('incidents')
    .innerJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'incidents.workspace_id')
        .onRef('members.person_id', '=', 'incidents.assignee_id'),
    )
    .innerJoin('people.user', 'people.user.id', 'members.person_id')
    .innerJoin('workspaces', 'workspaces.id', 'incidents.workspace_id')
    .select(['people.user.email', 'title', 'cause', 'started_at as startedAt', 'monitor_name as monitorName'])
    .where('incidents.id', '=', incidentId)
    .where('members.person_id', '=', personId)
    .where('incidents.status', '<>', 'resolved')
    .where('workspaces.closed_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
