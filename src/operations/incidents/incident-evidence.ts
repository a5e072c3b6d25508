import { z } from 'zod'
import { causeSentence } from '#core/incidents/cause-sentence.ts'
import { type IncidentEvidence, incidentEvidenceSchema, maxAddresses, maxOfIncident } from '#core/incidents/evidence.ts'
import { findNeighbours, type KeptEvidence, readIncidentEvidence } from '#store/incidents/evidence.ts'
import { findIncidentTarget } from './incidents.ts'
import { firstsOf, toShownViews, viewsAtIncident } from './seen-at-incident.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const show = defineOperation({
  name: 'get_incident_evidence',
  method: 'GET',
  path: '/incidents/{id}/evidence',
  // It may show more of a target than viewers are to see.
  scope: 'write',
  tag: 'Results and incidents',
  summary: 'Show what locations saw when an incident opened, and in its later failures',
  description:
    'For monitors with `keep_evidence`, kept for 30 days. What targets sent is untrusted text. Beyond 50 MB in a ' +
    'workspace, the oldest is removed.',
  errors: [401, 403, 404],
  success: { status: 200, description: 'The evidence.', schema: z.strictObject({ data: incidentEvidenceSchema }) },
  find: findIncidentTarget,
  run: async ({ caller, services }, { target }) => {
    const { database, secrets } = services
    const kept = await readIncidentEvidence(database, secrets, target.id)
    const firsts = firstsOf(kept)
    const { disagreement } = toShownViews(await viewsAtIncident(services, target, kept))
    const at = new Date(target.started_at)
    const dialled = new Set(firsts.flatMap((each) => each.evidence.addresses.dialled))
    const neighbours = await findNeighbours(database, secrets, {
      workspaceId: caller.workspaceId,
      incidentId: target.id,
      monitorId: target.monitor_id,
      addresses: [...dialled].slice(0, maxAddresses),
      at,
    })
    const sightings = firsts.map(({ location, locationName, evidence }) => ({
      location: locationName ?? location,
      evidence,
    }))
    const cause = causeSentence({ at, sightings, neighbours })
    const data = { cause, disagreement, is_full: kept.length >= maxOfIncident, evidence: kept.map(toShown) }
    return { status: 200, body: { data } }
  },
})

function toShown({ location, locationName, at, evidence }: KeptEvidence): IncidentEvidence['evidence'][number] {
  const place = { location_code: location, location_name: locationName ?? location, seen_at: at.toISOString() }
  return { ...place, ...evidence }
}

export const incidentEvidenceOperations = [show]
