import { explainDisagreement } from '#core/incidents/disagreement.ts'
import { type MonitorView, type MonitorViews, viewOf } from '#core/incidents/view.ts'
import { type KeptEvidence, readIncidentEvidence } from '#store/incidents/evidence.ts'
import { type KeptView, readViews } from '#store/incidents/views.ts'
import type { Services } from '#operations/pipeline/services.ts'

export type SeenIncident = { id: string; monitor_id: string }

/** What locations saw when an incident began: those that failed by their evidence, the others by their views. */
export async function viewsAtIncident(
  services: Pick<Services, 'database' | 'secrets'>,
  { id: incidentId, monitor_id: monitorId }: SeenIncident,
  evidence: readonly KeptEvidence[],
): Promise<KeptView[]> {
  const kept = await readViews(services.database, services.secrets, { monitorId, incidentId })
  const failed = firstsOf(evidence).filter(({ at }) => at.getTime() - begunMs(evidence) <= beginningMs)
  const others = kept.filter(({ location }) => !failed.some((each) => each.location === location))
  return [...failed.map(viewOfFailure), ...others].toSorted((one, other) => (one.location < other.location ? -1 : 1))
}

/** A location that failed later than that saw another moment of the incident. */
const beginningMs = 600_000

function begunMs(evidence: readonly KeptEvidence[]): number {
  return Math.min(...evidence.map(({ at }) => at.getTime()))
}

export async function readViewsAtIncident(
  services: Pick<Services, 'database' | 'secrets'>,
  incident: SeenIncident,
): Promise<KeptView[]> {
  const { database, secrets } = services
  return viewsAtIncident(services, incident, await readIncidentEvidence(database, secrets, incident.id))
}

/** Of each location the first piece. */
export function firstsOf(evidence: readonly KeptEvidence[]): KeptEvidence[] {
  return evidence.filter(({ location }, index) => evidence.findIndex((each) => each.location === location) === index)
}

/** How long a failure took stands in its result. */
function viewOfFailure({ evidence, ...seen }: KeptEvidence): KeptView {
  return { ...seen, view: viewOf({ status: 'down', latencyMs: null }, evidence) }
}

export function toShownViews(kept: readonly KeptView[]): MonitorViews {
  const views = kept.map(toShown)
  const seen = kept.map(({ view }, index) => ({ location: views[index]?.location_name ?? '', view }))
  const { sentence, differs } = explainDisagreement(seen)
  return { disagreement: sentence, differs, views }
}

function toShown({ location, locationName, at, view }: KeptView): MonitorView {
  const place = { location_code: location, location_name: locationName ?? location, seen_at: at.toISOString() }
  return { ...place, ...view }
}
