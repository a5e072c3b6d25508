// When a location looks for the route to a monitor's target: after a failure that is kept, and once a day while it is up.
import type { ProberBus } from '#bus/bus.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { kindTraits } from '#core/monitors/kind-traits.ts'
import { plainAddress } from '#core/language/ip-address.ts'
import type { ResultStatus } from '#core/results/result.ts'
import type { Time } from '#time/time.ts'
import type { FoundRoute, RouteTraces } from './route-traces.ts'

export type MonitorRoutes = {
  /** To be called when the result of a check was handed on. Returns at once. */
  checked: (checked: CheckedTarget) => void
}

export type CheckedTarget = {
  configuration: CheckConfiguration
  /** Null where the location could not tell. */
  status: ResultStatus | null
  /** Whether evidence was made of its failure. */
  hasEvidence: boolean
  /** At which the check reached its target, or tried to; null where it had none. */
  address: string | null
}

export type MonitorRoutesOptions = {
  location: string
  bus: Pick<ProberBus, 'tellRoute'>
  traces: RouteTraces
  time: Pick<Time, 'steadyMs'>
  /** From 0 to 1. */
  random: () => number
  /** Monitors whose day is remembered; others have no route while they are up. */
  limit?: number
}

const hourMs = 3_600_000
/** The first ones after a start are spread over it. */
const firstWithinMs = hourMs
const dayMs = 24 * hourMs
/** By half of it the time between two differs, so that those of many monitors drift apart. */
const spreadMs = hourMs
/** Where there was no room, and where the monitor was changed: its target may be another one. */
const againMs = 10 * 60_000
/** Some 10 MB. */
const maxMonitors = 100_000
/** Of failures, whose route was told of these monitors already. */
const maxTold = 10_000

/** When the next one is due. */
type Planned = { version: number; dueMs: number }

export function createMonitorRoutes(options: MonitorRoutesOptions): MonitorRoutes {
  const { location, bus, traces, time, random, limit = maxMonitors } = options
  const plan = new Map<string, Planned>()
  let fullUntilMs = 0
  /** Which one was told last, by monitor: one that several share is told once of each. */
  const told = new Map<string, FoundRoute>()

  async function look(configuration: CheckConfiguration, address: string, isFailure: boolean): Promise<void> {
    const { monitorId, mayReachPrivate = false } = configuration
    const found = await traces.find({ address, isFailure, mayReachPrivate })
    if (found === null) {
      const planned = plan.get(monitorId)
      if (!isFailure && planned !== undefined) planned.dueMs = time.steadyMs() + againMs * (1 + random())
      return
    }
    if (isFailure && told.get(monitorId) === found) return
    if (isFailure) remember(monitorId, found)
    const { route, takenMs } = found
    bus.tellRoute(location, { monitorId, isFailure, agoMs: Math.round(time.steadyMs() - takenMs), route })
  }

  function remember(monitorId: string, found: FoundRoute): void {
    told.delete(monitorId)
    const [oldest] = told.keys()
    if (told.size >= maxTold && oldest !== undefined) told.delete(oldest)
    told.set(monitorId, found)
  }

  /** What is not checked any more is forgotten. Looking for it takes a while, so it is done once an hour. */
  function hasRoom(nowMs: number): boolean {
    if (plan.size < limit) return true
    if (nowMs < fullUntilMs) return false
    for (const [monitorId, { dueMs }] of plan) if (dueMs < nowMs - dayMs) plan.delete(monitorId)
    fullUntilMs = nowMs + hourMs
    return plan.size < limit
  }

  /** Plans the next one with the answer. */
  function isDue({ monitorId, version }: CheckConfiguration): boolean {
    const nowMs = time.steadyMs()
    const planned = plan.get(monitorId)
    if (planned === undefined || planned.version !== version) {
      const withinMs = planned === undefined ? firstWithinMs : againMs
      if (planned !== undefined || hasRoom(nowMs)) plan.set(monitorId, { version, dueMs: nowMs + random() * withinMs })
      return false
    }
    if (nowMs < planned.dueMs) return false
    planned.dueMs = nowMs + dayMs + (random() - 0.5) * spreadMs
    return true
  }

  return {
    checked: ({ configuration, status, hasEvidence, address: dialled }) => {
      if (dialled === null || !hasRoute(configuration)) return
      const isFailure = status === 'down'
      if (isFailure ? !hasEvidence : status !== 'up' || !isDue(configuration)) return
      const address = plainAddress(dialled)
      if (address !== null) void look(configuration, address, isFailure)
    },
  }
}

/** Through a proxy the way is the proxy's, and other kinds dial somebody else. */
function hasRoute({ evidence, kind, options }: CheckConfiguration): boolean {
  return evidence !== undefined && kindTraits[kind].dialsTarget && (options['proxy'] ?? null) === null
}
