// What a soak must not show, as rules over what was seen.
import type { Arrival } from './stand-ins.ts'
import type { Seen, SeenOutage } from './witness.ts'

/** Milliseconds, and whatever grows. */
export type Sample = { atMs: number; value: number }

export type StoredIncident = { id: string; monitor: number; startedAt: number; resolvedAt: number | null }
export type StoredDelivery = { id: string; incident: string; contact: string; type: string; state: string }

/**
 * Rounds in a row that have to fail. A run of so many failing answers is an incident; a shorter one may be none, and one
 * that the target saw none of must be none.
 */
export const failureThreshold = 2

const hourMs = 3_600_000
/** A shorter time says nothing of an hour: heaps breathe by as much as may be gained. */
const leastFittedMs = 10 * 60_000
/** Of one incident, each contact is told both in this order. */
const types = ['monitor.down', 'monitor.up']

/** Growth an hour by a line that fits the second half of the samples best; null where that is too short to say. */
export function growthAnHour(samples: readonly Sample[]): number | null {
  const half = samples.slice(Math.floor(samples.length / 2))
  const [first, last] = [half[0]?.atMs ?? 0, half.at(-1)?.atMs ?? 0]
  if (last - first < leastFittedMs) return null
  const meanAt = meanOf(half.map(({ atMs }) => atMs))
  const meanValue = meanOf(half.map(({ value }) => value))
  const together = half.reduce((sum, { atMs, value }) => sum + (atMs - meanAt) * (value - meanValue), 0)
  const alone = half.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0)
  return (together / alone) * hourMs
}

/**
 * Results that are missing of what the target was asked, and such of which it knows nothing, by monitor. A request that
 * came soon after the one before repeats that round, or is of the next one where a machine that stood still asked late:
 * it may have a result of its own.
 */
export function comparedResults(
  seen: readonly Seen[],
  stored: readonly number[],
): { lost: number; unasked: number; first: string } {
  const lost = seen.map(({ rounds }, monitor) => Math.max(0, rounds - (stored[monitor] ?? 0)))
  const unasked = seen.map(({ rounds, repeats }, monitor) => Math.max(0, (stored[monitor] ?? 0) - rounds - repeats))
  const worst = seen.findIndex((_, monitor) => lost[monitor] !== 0 || unasked[monitor] !== 0)
  return {
    lost: sumOf(lost),
    unasked: sumOf(unasked),
    first: `monitor ${worst} was asked in ${seen[worst]?.rounds} rounds, of which ${stored[worst]} are stored`,
  }
}

/** Incidents of targets that answered well, and failures that are no incident, each in a sentence. */
export function judgeIncidents(seen: readonly Seen[], incidents: readonly StoredIncident[]): string[] {
  const byMonitor = Map.groupBy(incidents, ({ monitor }) => monitor)
  const wrong = incidents
    .filter((incident) => !(seen[incident.monitor]?.outages ?? []).some((outage) => belongs(incident, outage)))
    .map((incident) => `A false incident: ${JSON.stringify(incident)} of ${JSON.stringify(seen[incident.monitor])}.`)
  const missing = seen.flatMap(({ outages }, monitor) =>
    outages
      .filter(({ failures }) => failures >= failureThreshold)
      .filter((outage) => (byMonitor.get(monitor) ?? []).filter((incident) => belongs(incident, outage)).length !== 1)
      .map((outage) => `An outage that is not one incident: monitor ${monitor}, ${JSON.stringify(outage)}.`),
  )
  const open = incidents
    .filter(({ resolvedAt }) => resolvedAt === null)
    .map((incident) => `An incident that is not over: ${JSON.stringify(incident)}.`)
  return [...wrong, ...missing, ...open]
}

/**
 * Deliveries that are missing, and messages that came again although they had been taken: the service lived all the
 * time, so that it knew of each answer.
 */
export function judgeDeliveries(
  of: { incidents: readonly StoredIncident[]; contacts: readonly string[] },
  deliveries: readonly StoredDelivery[],
  arrivals: readonly Arrival[],
): string[] {
  const found: string[] = []
  const arrived = new Map(arrivals.map((arrival) => [arrival.id, arrival]))
  const byPlace = Map.groupBy(deliveries, ({ incident, contact, type }) => `${incident} ${contact} ${type}`)
  for (const { id } of of.incidents)
    for (const contact of of.contacts)
      for (const type of types) {
        const states = (byPlace.get(`${id} ${contact} ${type}`) ?? []).map(({ state }) => state)
        if (states.join() !== 'delivered')
          found.push(`${type} of ${id} to ${contact}: ${states.join() || 'no delivery'}.`)
      }
  for (const { id, state } of deliveries) {
    const { taken = 0 } = arrived.get(id) ?? {}
    if (state === 'delivered' && taken === 0) found.push(`${id} counts as delivered and never arrived.`)
    if (taken > 1) found.push(`${id} came ${taken} times although it had been taken.`)
  }
  const known = new Set(deliveries.map(({ id }) => id))
  for (const { id } of arrivals) if (!known.has(id)) found.push(`${id} arrived and is of no delivery.`)
  return found
}

/** A round is scheduled a little before its request comes. */
function belongs({ startedAt, resolvedAt }: StoredIncident, { firstAt, lastAt }: SeenOutage): boolean {
  return startedAt <= lastAt && (resolvedAt ?? Infinity) >= firstAt
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}
