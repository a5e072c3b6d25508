import type { IncidentEvidence } from '../../api/overview.ts'

export type IncidentRoute = IncidentEvidence['routes'][number]
type Hop = IncidentRoute['hops'][number]

/** One hop, after the failure and before it; null where that route has no such hop. */
export type HopPair = { ttl: number; now: Hop | null; before: Hop | null }

export type RouteComparison = {
  hops: readonly HopPair[]
  /** The last hop that answered; null where none did. */
  lastAnswering: Hop | null
  /** The first hop with another router than before; null where none is known to have one. */
  differsAt: HopPair | null
  /**
   * The first hop from which on probes were lost up to the end; null where the end answered all of them. Routers answer
   * few probes, so that what one loses and those behind it do not is no loss of the way.
   */
  losesFrom: Hop | null
  /** Whether it fell silent behind the same hop before: many targets and firewalls answer no probes. */
  wasSilentThere: boolean
}

export function compareRoutes(route: IncidentRoute): RouteComparison {
  const { hops: found, before } = route
  const former = before?.end === 'not_available' ? [] : (before?.hops ?? [])
  const hops = Array.from({ length: Math.max(found.length, former.length) }, (_, index) => ({
    ttl: index + 1,
    now: found[index] ?? null,
    before: former[index] ?? null,
  }))
  const lastAnswering = found.findLast(answers) ?? null
  const formerLast = former.findLast(answers) ?? null
  const isSame = (formerLast?.ttl ?? 0) === (lastAnswering?.ttl ?? 0)
  return {
    hops,
    lastAnswering,
    differsAt: hops.find(isAnother) ?? null,
    losesFrom: route.end === 'reached' ? firstOfLoss(found) : null,
    wasSilentThere: route.end === 'silent' && before?.end === 'silent' && isSame,
  }
}

function answers({ received }: Hop): boolean {
  return received > 0
}

function isAnother({ now, before }: HopPair): boolean {
  const [address, former] = [now?.address ?? null, before?.address ?? null]
  return address !== null && former !== null && address !== former
}

function firstOfLoss(hops: readonly Hop[]): Hop | null {
  const lastWhole = hops.findLastIndex(({ sent, received }) => received >= sent)
  return hops[lastWhole + 1] ?? null
}
