// The way that packets took from a location to a target, as it travels, is kept and is shown (docs/evidence.md).
import { z } from 'zod'

/** Hops of a route. Hardly any target lies further away. */
export const maxHops = 30
/** As JSON in UTF-8. */
export const maxRouteBytes = 8 * 1024
export const routeDays = 30
/** Of one incident that are shown: each is of one location. */
export const maxRoutesOfIncident = 20
/** Of one monitor that are kept after failures; beyond them the oldest go. */
export const maxRoutesOfMonitor = 40
/** Sealed bytes of a workspace; beyond them the oldest that were taken after failures go. */
export const maxRoutesOfWorkspaceBytes = 20 * 1024 * 1024
/** Locations whose newest route is shown. */
export const maxRouteLocations = 100
/** A route that was taken so long before an incident opened still belongs to it: several rounds may have to fail first. */
export const routeLeadMs = 15 * 60_000

export const routeEnds = ['reached', 'unreachable', 'silent', 'timed_out', 'too_long', 'not_available'] as const

const milliseconds = z.number().min(0).max(1_000_000).nullable()
const probes = z.int().min(0).max(10)

const hopSchema = z.strictObject({
  ttl: z.int().min(1).max(maxHops),
  address: z
    .string()
    .max(45)
    .nullable()
    .describe('Which router answered; null where none did, or where its address is not to be told.'),
  sent: probes,
  received: probes,
  best_ms: milliseconds.describe('The shortest of its times; null where no answer came.'),
  median_ms: milliseconds,
})

export const routeSchema = z.strictObject({
  address: z.string().max(45).nullable().describe('The address to which it leads; null where it is not to be told.'),
  end: z
    .enum(routeEnds)
    .describe(
      '`reached`: the target answered. `unreachable`: a router said so. `silent`: five hops in a row gave no answer. ' +
        '`timed_out`: the time was over first. `too_long`: 30 hops, as in a loop. `not_available`: not possible here.',
    ),
  end_reason: z.string().max(300).nullable().describe('Of `unreachable` and `not_available`: why.'),
  end_code: z.int().min(0).max(255).nullable().describe('Of `unreachable`: the code of ICMP, or of ICMPv6.'),
  hops: z.array(hopSchema).max(maxHops).describe('From the location to the target, without gaps.'),
})
export type Route = z.infer<typeof routeSchema>
export type Hop = Route['hops'][number]

/** A route of another release may have members that this one does not know. */
const readableSchema = z.object({ ...routeSchema.shape, hops: z.array(z.object(hopSchema.shape)).max(maxHops) })

/** Null where it is none: it came from a location, or from a release that wrote it otherwise. */
export function readRoute(found: unknown): Route | null {
  const read = readableSchema.safeParse(found)
  return read.success && Buffer.byteLength(JSON.stringify(read.data)) <= maxRouteBytes ? read.data : null
}

/** A route on its way from a location to the engine. */
export type TakenRoute = {
  monitorId: string
  /** Whether it was taken after a failure, and not while all was well. */
  isFailure: boolean
  /** How long ago, in milliseconds: clocks of locations may differ from the engine's. */
  agoMs: number
  route: Route
}

const takenAt = z.iso.datetime().describe('When the location began to look for it.')
const place = { location_code: z.string(), location_name: z.string(), taken_at: takenAt }

/** `before`: as it was while the monitor was up. */
export const incidentRouteSchema = z.strictObject({
  ...place,
  ...routeSchema.shape,
  before: z
    .strictObject({ taken_at: takenAt, ...routeSchema.shape })
    .nullable()
    .describe('The last one that the location took while the monitor was up; null where there is none.'),
})
export type IncidentRoute = z.infer<typeof incidentRouteSchema>

export const monitorRouteSchema = z.strictObject({
  ...place,
  is_failure: z.boolean().describe('Whether it was taken after a failure, and not while the monitor was up.'),
  ...routeSchema.shape,
})
export type MonitorRoute = z.infer<typeof monitorRouteSchema>
