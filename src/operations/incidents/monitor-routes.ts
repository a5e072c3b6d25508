import { z } from 'zod'
import { maxRouteLocations, type MonitorRoute, monitorRouteSchema } from '#core/incidents/route.ts'
import { findMonitorReportBounds } from '#operations/monitors/monitor-surroundings.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { type KeptRoute, readMonitorRoutes } from '#store/incidents/routes.ts'

const list = defineOperation({
  name: 'list_monitor_routes',
  method: 'GET',
  path: '/monitors/{id}/routes',
  surface: 'programs',
  // As the evidence of incidents, it may show more of a target than viewers are to see.
  scope: 'write',
  tag: 'Results and incidents',
  summary: 'List the newest route to the target of a monitor, by location',
  description:
    'For monitors with `keep_evidence`, of kinds that dial their target: taken once a day while the monitor is up, and ' +
    'after failures. Kept for 30 days.',
  errors: [401, 403, 404],
  success: {
    status: 200,
    description: 'Routes, in the order of the codes of their locations.',
    schema: z.strictObject({ data: z.array(monitorRouteSchema).max(maxRouteLocations) }),
  },
  find: findMonitorReportBounds,
  run: async ({ services: { database, secrets } }, { path }) => {
    const kept = await readMonitorRoutes(database, secrets, path['id'] ?? '')
    return { status: 200, body: { data: kept.map(toShown) } }
  },
})

function toShown(kept: KeptRoute): MonitorRoute {
  return { ...placeOfRoute(kept), is_failure: kept.isFailure, ...kept.route }
}

type Place = { location_code: string; location_name: string; taken_at: string }

export function placeOfRoute({ location, locationName, takenAt }: Omit<KeptRoute, 'route' | 'before'>): Place {
  return { location_code: location, location_name: locationName ?? location, taken_at: takenAt.toISOString() }
}

export const monitorRouteOperations = [list]
