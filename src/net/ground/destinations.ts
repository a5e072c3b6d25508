import ipaddr from 'ipaddr.js'
import { kept } from '#core/language/kept.ts'
import { familyOf } from './trace.ts'

/** How far away an address lies: on this machine, on its own networks, or on the Internet. */
export type Reach = 'machine' | 'private' | 'public'

/** Names only where the operator gave one. */
export type Destination = { host: string; port: number }

/** Where this process's own connections were accepted of late: proof that the network works, found without a setting. */
export type Destinations = {
  /** `share` is the share key of the check that was accepted there. */
  accepted: (address: string, port: number, share: string) => void
  /**
   * Some of them in random order, by turns of different shares, each in another network: a /16 of IPv4, a /32 of IPv6.
   * Addresses of `avoided` only where too few others are known, and two of one network only where all are of one.
   */
  pick: (reach: Reach, count: number, avoided?: ReadonlySet<string>) => Destination[]
  /** Whether an address of this family has ever accepted a connection, by how far away it lies. */
  hasWorked: (family: 4 | 6, reach: Reach) => boolean
}

const freshMs = 600_000
/** Enough to choose from; the oldest are forgotten first, and a share with many targets pushes out no other's. */
const maxShares = 32
const maxOfShare = 64
const maxReaches = 10_000
/** One reference says nothing of its own failure. */
const leastPicked = 2

type Remembered = Destination & { reach: Reach; network: string; share: string; atMs: number }

export function createDestinations(random: () => number = Math.random, now = () => performance.now()): Destinations {
  const shares = new Map<string, Map<string, Remembered>>()
  const worked = new Set<string>()

  function ofShare(share: string): Map<string, Remembered> {
    const known = shares.get(share)
    if (known !== undefined) return known
    forgetOldest(shares, maxShares)
    const added = new Map<string, Remembered>()
    shares.set(share, added)
    return added
  }

  return {
    accepted: (address, port, share) => {
      const remembered = ofShare(share)
      const key = `${address} ${port}`
      const known = remembered.get(key)
      if (known !== undefined) {
        known.atMs = now()
        return
      }
      const reach = reachOf(address)
      worked.add(`${familyOf(address)} ${reach}`)
      if (reach === 'machine') return
      forgetOldest(remembered, maxOfShare)
      remembered.set(key, { host: address, port, reach, network: networkOf(address), share, atMs: now() })
    },
    pick: (reach, count, avoided = none) => {
      const all = Array.from(shares.values(), (remembered) => [...remembered.values()]).flat()
      const fresh = all.filter((each) => each.reach === reach && now() - each.atMs < freshMs)
      const mixed = shuffled(fresh, random)
      const preferred = byTurns(mixed.filter(({ host }) => !avoided.has(host)))
      const others = byTurns(mixed.filter(({ host }) => avoided.has(host)))
      return chosen([...preferred, ...others], count).map(({ host, port }) => ({ host, port }))
    },
    hasWorked: (family, reach) => worked.has(`${family} ${reach}`),
  }
}

const none: ReadonlySet<string> = new Set()

function forgetOldest(map: Map<string, unknown>, max: number): void {
  const oldest = map.size >= max ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
}

/** The first of each share, then the second of each, and so on. */
function byTurns(destinations: readonly Remembered[]): Remembered[] {
  const turns = new Map<string, number>()
  const placed = destinations.map((each) => {
    const turn = turns.get(each.share) ?? 0
    turns.set(each.share, turn + 1)
    return { each, turn }
  })
  return placed.toSorted((one, other) => one.turn - other.turn).map(({ each }) => each)
}

function chosen(candidates: readonly Remembered[], count: number): Remembered[] {
  const networks = new Map<string, Remembered>()
  for (const each of candidates) if (!networks.has(each.network)) networks.set(each.network, each)
  const apart = [...networks.values()]
  if (apart.length >= leastPicked) return apart.slice(0, count)
  const neighbour = candidates.find(({ host }) => apart.every((each) => each.host !== host))
  return (neighbour === undefined ? apart : [...apart, neighbour]).slice(0, count)
}

/** Kept, because each check asks it of each of its addresses. */
export const reachOf = kept((address: string): Reach => {
  if (!ipaddr.isValid(address)) return 'public'
  const range = ipaddr.process(address).range()
  if (range === 'loopback' || range === 'unspecified') return 'machine'
  return range === 'unicast' ? 'public' : 'private'
}, maxReaches)

/** How far away the farthest of these addresses lies; null where there is none. */
export function farthestOf(addresses: Iterable<string>): Reach | null {
  let farthest: Reach | null = null
  for (const address of addresses) {
    const reach = reachOf(address)
    if (reach === 'public') return reach
    if (farthest !== 'private') farthest = reach
  }
  return farthest
}

/** Addresses of one network fail together, when their provider does. Hosts of private networks count one by one. */
function networkOf(address: string): string {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return address
  return parsed
    .toByteArray()
    .slice(0, parsed.kind() === 'ipv4' ? 2 : 4)
    .join('.')
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const keyed = list.map((each) => ({ each, key: random() }))
  return keyed.toSorted((one, other) => one.key - other.key).map(({ each }) => each)
}
