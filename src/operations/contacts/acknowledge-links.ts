import { formTokenOf, isFormToken, readAcknowledgeToken } from '#contacts/acknowledge-links.ts'
import { type LinkedIncident, findLinkedIncident } from '#store/incidents/linked-incidents.ts'
import { acknowledgeIncident } from '#store/incidents/incidents.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Transaction } from '#store/database/database.ts'
import type { Services } from '#operations/pipeline/services.ts'

type Parts = Pick<Services, 'database' | 'secrets'>

/** The state of a link. `unknown`: we did not make it, or its contact has it no more, or its incident is gone. */
export type Acknowledging =
  | { state: 'unknown' | 'expired' }
  | { state: 'open'; name: string; /** For the form of its page. */ formToken: string }
  | { state: 'acknowledged'; name: string; actor: string | null; at: Date }
  | { state: 'over'; name: string; at: Date }

export async function readAcknowledging(
  parts: Parts,
  { token, now }: { token: string; now: Date },
): Promise<Acknowledging> {
  const { database, secrets } = parts
  const link = readAcknowledgeToken(token, secrets)
  if (link === null) return { state: 'unknown' }
  if (link.endsAt <= now) return { state: 'expired' }
  const incident = await findLinkedIncident(database.pool, link)
  return incident === null ? { state: 'unknown' } : stateOf(incident, () => formTokenOf(token, now, secrets))
}

/**
 * Acknowledges the incident, if the form's token is good, and returns the link's state after that. `isRefused`: it was
 * not, and nothing is changed.
 */
export async function useAcknowledging(
  parts: Parts,
  { token, formToken, now }: { token: string; formToken: string; now: Date },
): Promise<Acknowledging & { isRefused: boolean }> {
  const { database, secrets } = parts
  const isRefused = !isFormToken(formToken, { token, now }, secrets)
  const link = readAcknowledgeToken(token, secrets)
  if (!isRefused && link !== null && link.endsAt > now)
    await database.transaction(async (tx) => {
      const incident = await findLinkedIncident(tx.client, link)
      if (incident !== null) await acknowledge(tx, incident, now)
    })
  return { ...(await readAcknowledging(parts, { token, now })), isRefused }
}

/** The audit log's actor: a link tells no more about the person who opened it. */
const actor = 'Link in an alert'

async function acknowledge(tx: Transaction, incident: LinkedIncident, now: Date): Promise<void> {
  const { workspaceId, incidentId, monitorName, contact } = incident
  const by = { actor: contact.name, linkOf: contact }
  if (!(await acknowledgeIncident(tx, { workspaceId, incidentId, at: now, ...by }))) return
  await insertAuditEntry(tx, {
    workspaceId,
    at: now,
    actor: { kind: 'system', id: null, name: actor },
    action: 'acknowledge_incident',
    target: { kind: 'incident', id: incidentId, name: monitorName },
    details: { alert_channel_id: contact.id },
  })
}

function stateOf(
  { monitorName: name, status, acknowledged, resolvedAt }: LinkedIncident,
  makeFormToken: () => string,
): Acknowledging {
  if (status === 'open') return { state: 'open', name, formToken: makeFormToken() }
  if (resolvedAt !== null) return { state: 'over', name, at: resolvedAt }
  if (acknowledged === null) throw new Error('An incident is acknowledged, and no event says by whom.')
  return { state: 'acknowledged', name, ...acknowledged }
}
