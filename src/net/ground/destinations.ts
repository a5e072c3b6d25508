import ipaddr from 'ipaddr.js'
import { kept } from '#core/language/kept.ts'
import { familyOf } from './trace.ts'

/** How far away an address lies: on this machine, on its own networks, or on the Internet. */
export type Reach = 'machine' | 'private' | 'public'

/** Names only where the operator gave one. */
export type Destination = { host: string; port: number }

/** Where this process's own connections were accepted of late: proof that the network works, found without a setting. */
export type Destinations = {
  accepted: (address: string, port: number) => void
  /** Some of them in random order, each in another network: a /16 of IPv4, a /32 of IPv6. */
  pick: (reach: Reach, count: number) => Destination[]
  /** Whether an address of this family has ever accepted a connection, by how far away it lies. */
  hasWorked: (family: 4 | 6, reach: Reach) => boolean
}

const freshMs = 600_000
/** Enough to choose from; the oldest are forgotten first. */
const maxRemembered = 256
const maxReaches = 10_000

type Remembered = Destination & { reach: Reach; network: string; atMs: number }

export function createDestinations(random: () => number = Math.random, now = () => performance.now()): Destinations {
  const remembered = new Map<string, Remembered>()
  const worked = new Set<string>()
  return {
    accepted: (address, port) => {
      const key = `${address} ${port}`
      const known = remembered.get(key)
      if (known !== undefined) {
        known.atMs = now()
        return
      }
      const reach = reachOf(address)
      worked.add(`${familyOf(address)} ${reach}`)
      if (reach === 'machine') return
      const oldest = remembered.size >= maxRemembered ? remembered.keys().next().value : undefined
      if (oldest !== undefined) remembered.delete(oldest)
      remembered.set(key, { host: address, port, reach, network: networkOf(address), atMs: now() })
    },
    pick: (reach, count) => {
      const networks = new Map<string, Remembered>()
      const fresh = [...remembered.values()].filter((each) => each.reach === reach && now() - each.atMs < freshMs)
      for (const each of shuffled(fresh, random)) if (!networks.has(each.network)) networks.set(each.network, each)
      return [...networks.values()].slice(0, count).map(({ host, port }) => ({ host, port }))
    },
    hasWorked: (family, reach) => worked.has(`${family} ${reach}`),
  }
}

/** Kept, because each check asks it of each of its addresses. */
export const reachOf = kept((address: string): Reach => {
  if (!ipaddr.isValid(address)) return 'public'
  const range = ipaddr.process(address).range()
  if (range === 'loopback' || range === 'unspecified') return 'machine'
  return range === 'unicast' ? 'public' : 'private'
}, maxReaches)

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
