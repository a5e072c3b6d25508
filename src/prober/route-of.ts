import type { Hop, Route } from '#core/incidents/route.ts'
import { plainAddress } from '#core/language/ip-address.ts'
import type { RouteOutcome } from '#net/route/route.ts'

type TracedHop = Extract<RouteOutcome, { type: 'traced' }>['hops'][number]
type IsShown = (address: string) => boolean

/** As it is told; null where there was no address to look for. Addresses that are not to be told are left out. */
export function routeOf(outcome: RouteOutcome, isShown: IsShown): Route | null {
  if (outcome.type === 'failed') return null
  const address = shown(outcome.address, isShown)
  if (outcome.type === 'not_available')
    return { address, end: 'not_available', end_reason: outcome.reason, end_code: null, hops: [] }
  const { end, reason, code, hops } = outcome
  return { address, end, end_reason: reason, end_code: code, hops: hops.map((hop) => hopOf(hop, isShown)) }
}

function hopOf({ ttl, address, sent, received, rttsMs }: TracedHop, isShown: IsShown): Hop {
  const sorted = rttsMs.toSorted((one, other) => one - other)
  const at = (index: number): number | null => rounded(sorted[index])
  return {
    ttl,
    address: shown(address, isShown),
    sent,
    received,
    best_ms: at(0),
    median_ms: at((sorted.length - 1) >> 1),
  }
}

function shown(address: string | null, isShown: IsShown): string | null {
  return address === null || !isShown(address) ? null : plainAddress(address)
}

/** To a hundredth of a millisecond. */
function rounded(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.round(ms * 100) / 100
}
