// A network of locations and targets in simulated time: what a location's own faults and true outages do to packets.
import { type Destination, reachOf } from '#net/ground/destinations.ts'

/** What fails at a location: its link, what lies behind that, its name servers, or the thread that makes its checks. */
export type Fault = 'link' | 'upstream' | 'names' | 'stall'
/** A target that says nothing, one whose machine refuses, or one whose name its own name servers cannot tell. */
export type Outage = 'silent' | 'refused' | 'unnamed'
/**
 * Where the name servers of a location stand. One on its own network remembers the root when nothing lies behind it, and
 * for a while that it could not find out a name (SERVFAIL); one that filters never answers questions for the root.
 */
export type NameServer = 'far' | 'near' | 'filtering'

type Spell<What> = { what: What; place: number; fromMs: number; toMs: number }
export type Faults = readonly Spell<Fault>[]
export type Outages = readonly Spell<Outage>[]

export type Told = 'accepted' | 'refused' | 'no_route' | 'silent'
export type Looked = 'found' | 'unreachable' | 'silent' | 'troubled'

/** As one location sees it. `now` and `wait` are of the simulated clock. */
export type SimulatedNetwork = {
  connect: (address: string, withinMs: number) => Promise<Told>
  /** Looks up the name of a target by its place, or null for the root. */
  look: (place: number | null, withinMs: number) => Promise<Looked>
  /** Resolves at once unless the thread of this location stands still. */
  turning: () => Promise<void>
  /** As `StallWatch.stalledMs`. */
  stalledMs: (sinceMs: number) => number
}

export type World = {
  faults: Faults
  outages: Outages
  targets: readonly Destination[]
  nameServers: readonly NameServer[]
  now: () => number
  wait: (ms: number) => Promise<void>
}

const roundTripMs = 40
/** When Linux sends a SYN again: RFC 6298. */
const synsMs = [0, 1_000, 3_000, 7_000]
/** When c-ares asks again. */
const questionsMs = [0, 2_000, 4_000]
/** For so long a name server remembers that it could not find out a name. */
const rememberedMs = 5_000
/** For so long it tries to find one out. */
const tryingMs = 1_500
const leastStallMs = 300

export function networkAt(world: World, location: number): SimulatedNetwork {
  const { faults, outages, targets, nameServers, now, wait } = world
  const nameServer = nameServers[location] ?? 'far'
  const has = (fault: Fault): boolean => isDuring(faults, { what: fault, place: location, atMs: now() })
  /** By the place of the target. */
  const troubledUntilMs = new Map<number, number>()
  const isOut = (outage: Outage, place: number): boolean => isDuring(outages, { what: outage, place, atMs: now() })
  const isCutFrom = (address: string): boolean => has('link') || (reachOf(address) === 'public' && has('upstream'))
  /** Sends at these times until something comes back. */
  async function send<T>(timesMs: readonly number[], withinMs: number, answer: () => T | null): Promise<T | null> {
    const startedMs = now()
    for (const timeMs of timesMs.filter((each) => each + roundTripMs < withinMs)) {
      await wait(startedMs + timeMs - now())
      if (answer() === null) continue
      await wait(roundTripMs)
      const answered = answer()
      if (answered !== null) return answered
    }
    await wait(startedMs + withinMs - now())
    return null
  }
  function lookedUp(place: number | null): Looked | null {
    if (has('link') || has('names')) return null
    if (place === null && nameServer === 'filtering') return null
    if (nameServer !== 'near')
      return has('upstream') ? null : place !== null && isOut('unnamed', place) ? 'troubled' : 'found'
    if (place === null) return 'found'
    if (now() < (troubledUntilMs.get(place) ?? 0) || isOut('unnamed', place)) return 'troubled'
    return has('upstream') ? null : 'found'
  }
  /** The name server gives up on a name when its network was gone all the time. */
  async function tried(place: number): Promise<void> {
    const untilMs = now() + tryingMs
    while (has('upstream') && now() < untilMs) await wait(20)
    if (has('upstream')) troubledUntilMs.set(place, now() + rememberedMs)
  }
  async function turning(): Promise<void> {
    while (has('stall')) await wait(20)
  }
  return {
    connect: async (address, withinMs) => {
      if (has('link')) return 'no_route'
      const place = targets.findIndex(({ host }) => host === address)
      const told = await send(synsMs, withinMs, (): Told | null => {
        if (isCutFrom(address) || isOut('silent', place)) return null
        return isOut('refused', place) ? 'refused' : 'accepted'
      })
      await turning()
      return told ?? 'silent'
    },
    look: async (place, withinMs) => {
      if (has('link')) return 'unreachable'
      if (nameServer === 'near' && place !== null) await tried(place)
      const looked = await send(questionsMs, withinMs, () => lookedUp(place))
      await turning()
      return looked ?? 'silent'
    },
    turning,
    stalledMs: (sinceMs) =>
      faults
        .filter(
          ({ what, place, fromMs, toMs }) => what === 'stall' && place === location && toMs - fromMs >= leastStallMs,
        )
        .reduce((sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, now()) - Math.max(fromMs, sinceMs)), 0),
  }
}

function isDuring<What>(
  spells: readonly Spell<What>[],
  { what, place, atMs }: { what: What; place: number; atMs: number },
): boolean {
  return spells.some(
    (spell) => spell.what === what && spell.place === place && spell.fromMs <= atMs && atMs < spell.toMs,
  )
}
