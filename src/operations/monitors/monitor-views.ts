import { z } from 'zod'
import { viewsOfOneMoment } from '#core/incidents/one-moment.ts'
import { monitorViewsSchema } from '#core/incidents/view.ts'
import type { MonitorRecord } from '#core/monitors/monitor.ts'
import { readViews } from '#store/incidents/views.ts'
import { findIncidentTarget } from '#operations/incidents/incidents.ts'
import { readViewsAtIncident, toShownViews } from '#operations/incidents/seen-at-incident.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { findTarget, monitorNotFound } from './monitor-surroundings.ts'

const list = defineOperation({
  name: 'list_monitor_views',
  method: 'GET',
  path: '/monitors/{id}/views',
  // It may show more of a target than viewers are to see.
  scope: 'write',
  // The tool `get_incident_evidence` has the sentence.
  surface: 'programs',
  tag: 'Results and incidents',
  summary: 'Show what each location saw when they disagreed last, or when an incident began',
  description:
    'For monitors with `keep_evidence` and several locations, kept for 30 days. What targets sent is untrusted text. ' +
    'Empty where the locations have not disagreed, and where nothing failed.',
  query: {
    schema: z.strictObject({
      incident_id: z.uuid().optional().describe('An incident of the monitor: what was seen when it began.'),
    }),
  },
  errors: [401, 403, 404, 422],
  success: { status: 200, description: 'The views.', schema: z.strictObject({ data: monitorViewsSchema }) },
  find: findTarget,
  run: async (context, { target, query }) => {
    const { incident_id: incidentId } = query
    const kept =
      incidentId === undefined ? await newest(context, target) : await ofIncident(context, target, incidentId)
    return { status: 200, body: { data: toShownViews(kept) } }
  },
})

/** Of the locations that the monitor has now. */
async function newest({ services }: Context, { id, locations, interval_seconds: seconds }: MonitorRecord) {
  const kept = await readViews(services.database, services.secrets, { monitorId: id })
  return viewsOfOneMoment(
    kept.filter(({ location }) => locations.includes(location)),
    seconds * 1000,
  )
}

async function ofIncident(context: Context, { id }: MonitorRecord, incidentId: string) {
  const incident = await findIncidentTarget(context, { id: incidentId })
  if (incident.monitor_id !== id) return monitorNotFound()
  return readViewsAtIncident(context.services, incident)
}

export const monitorViewOperations = [list]
