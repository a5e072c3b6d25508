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
      unknown_since: z.string().nullish(),
    }),
  ),
})
type Monitor = z.infer<typeof monitorsSchema>['data'][number]
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

/**
 * What is not up, down before degraded, with the incident that runs, and last what nobody can tell: from `list_monitors`
 * and `list_incidents`.
 */
export function describeDown(monitorsBody: unknown, incidentsBody: unknown, at: Date): Record<string, unknown> {
  const { data: monitors } = monitorsSchema.parse(monitorsBody)
  const { data: incidents } = incidentsSchema.parse(incidentsBody)
  const running = new Map(
    incidents.filter(({ status }) => status !== 'resolved').map((incident) => [incident.monitor_id, incident]),
  )
  const inState = (state: string) => monitors.filter(({ current_status: current }) => current === state)
  const [down, degraded] = [inState('down'), inState('degraded')]
  const told = [...down, ...degraded]
  const unknown = monitors.filter(isUnknown)
  const shown = [...told, ...unknown.filter((monitor) => !told.includes(monitor))].slice(0, maxShown)
  return {
    at: at.toISOString(),
    monitors: monitors.length,
    down: down.length,
    degraded: degraded.length,
    /** Their status is what was known last. */
    unknown: unknown.length,
    shown: shown.length,
    data: shown.map((monitor) => ({ monitor, incident: running.get(monitor.id) ?? null })),
  }
}

function isUnknown({ unknown_since: since }: Monitor): boolean {
  return since !== null && since !== undefined
}
