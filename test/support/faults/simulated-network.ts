// A network of locations and targets in simulated time: what a location's own faults and true outages do to packets.
import type { Destination } from '#net/ground/destinations.ts'

/** What fails at a location: its link, what lies behind that, or its name servers. */
export type Fault = 'link' | 'upstream' | 'names'
/** A target that says nothing, or one whose machine refuses. */
export type Outage = 'silent' | 'refused'

type Spell<What> = { what: What; place: number; fromMs: number; toMs: number }
export type Faults = readonly Spell<Fault>[]
export type Outages = readonly Spell<Outage>[]

export type Told = 'accepted' | 'refused' | 'no_route' | 'silent'
export type Looked = 'found' | 'unreachable' | 'silent'

/** As one location sees it. `now` and `wait` are of the simulated clock. */
export type SimulatedNetwork = {
  connect: (address: string, withinMs: number) => Promise<Told>
  look: (withinMs: number) => Promise<Looked>
}

export type World = {
  faults: Faults
  outages: Outages
  targets: readonly Destination[]
  now: () => number
  wait: (ms: number) => Promise<void>
}

const roundTripMs = 40
/** When Linux sends a SYN again: RFC 6298. */
const synsMs = [0, 1_000, 3_000, 7_000]
/** When c-ares asks again. */
const questionsMs = [0, 2_000, 4_000]

export function networkAt(world: World, location: number): SimulatedNetwork {
  const { faults, outages, targets, now, wait } = world
  const has = (fault: Fault): boolean => isDuring(faults, { what: fault, place: location, atMs: now() })
  const isCut = (): boolean => has('link') || has('upstream')
  /** Sends at these times until something comes back. */
  async function send<T>(timesMs: readonly number[], withinMs: number, answer: () => T | null): Promise<T | null> {
    const startedMs = now()
    for (const timeMs of timesMs.filter((each) => each + roundTripMs < withinMs)) {
      await wait(startedMs + timeMs - now())
      if (isCut()) continue
      await wait(roundTripMs)
      const answered = isCut() ? null : answer()
      if (answered !== null) return answered
    }
    await wait(startedMs + withinMs - now())
    return null
  }
  return {
    connect: async (address, withinMs) => {
      if (has('link')) return 'no_route'
      const place = targets.findIndex(({ host }) => host === address)
      const told = await send(synsMs, withinMs, (): Told | null => {
        if (isDuring(outages, { what: 'silent', place, atMs: now() })) return null
        return isDuring(outages, { what: 'refused', place, atMs: now() }) ? 'refused' : 'accepted'
      })
      return told ?? 'silent'
    },
    look: async (withinMs) => {
      if (has('link')) return 'unreachable'
      const found = await send(questionsMs, withinMs, (): Looked | null => (has('names') ? null : 'found'))
      return found ?? 'silent'
    },
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
