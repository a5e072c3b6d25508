import { z } from 'zod'

const monitorsSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.string(),
      url: z.string().nullish(),
      status: z.string(),
      current_status: z.string(),
      last_checked_at: z.string().nullable(),
    }),
  ),
})
const incidentsSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      monitor_id: z.string(),
      status: z.string(),
      title: z.string(),
      cause: z.string().nullable(),
      started_at: z.string(),
    }),
  ),
})

const maxShown = 100

/** What is not up, with the incident that runs, from the bodies of `list_monitors` and `list_incidents`. */
export function describeDown(monitorsBody: unknown, incidentsBody: unknown, at: Date): Record<string, unknown> {
  const { data: monitors } = monitorsSchema.parse(monitorsBody)
  const { data: incidents } = incidentsSchema.parse(incidentsBody)
  const running = new Map(
    incidents.filter(({ status }) => status !== 'resolved').map((incident) => [incident.monitor_id, incident]),
  )
  const troubled = monitors.filter(({ current_status }) => ['down', 'degraded'].includes(current_status))
  return {
    at: at.toISOString(),
    monitors: monitors.length,
    down: troubled.filter(({ current_status }) => current_status === 'down').length,
    degraded: troubled.filter(({ current_status }) => current_status === 'degraded').length,
    shown: Math.min(troubled.length, maxShown),
    data: troubled.slice(0, maxShown).map((monitor) => ({ monitor, incident: running.get(monitor.id) ?? null })),
  }
}
