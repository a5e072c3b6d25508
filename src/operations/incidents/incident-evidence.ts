import { z } from 'zod'
import { causeSentence } from '#core/incidents/cause-sentence.ts'
import { type IncidentEvidence, incidentEvidenceSchema, maxAddresses, maxOfIncident } from '#core/incidents/evidence.ts'
import type { IncidentRoute } from '#core/incidents/route.ts'
import { findNeighbours, type KeptEvidence, readIncidentEvidence } from '#store/incidents/evidence.ts'
import { type KeptRoute, readIncidentRoutes } from '#store/incidents/routes.ts'
import { placeOfRoute } from './monitor-routes.ts'
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
    const routes = (await readIncidentRoutes(database, secrets, target.id)).map(routeOf)
    const isFull = kept.length >= maxOfIncident
    const data = { cause, disagreement, is_full: isFull, evidence: kept.map(toShown), routes }
    return { status: 200, body: { data } }
  },
})

function toShown({ location, locationName, at, evidence }: KeptEvidence): IncidentEvidence['evidence'][number] {
  const place = { location_code: location, location_name: locationName ?? location, seen_at: at.toISOString() }
  return { ...place, ...evidence }
}

function routeOf({ before, ...taken }: KeptRoute): IncidentRoute {
  const former = before === null ? null : { taken_at: before.takenAt.toISOString(), ...before.route }
  return { ...placeOfRoute(taken), ...taken.route, before: former }
}

export const incidentEvidenceOperations = [show]
