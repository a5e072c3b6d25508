import { createEchoes, type Echoes } from './icmp-echoes.ts'
import { canFping, fpingEchoes } from './icmp-fping.ts'
import type { Family } from './icmp-packet.ts'
import { type IcmpSystem, loadIcmpSystem, type SocketKind } from './icmp-system.ts'
import { datagramWire, rawWire } from './icmp-wire.ts'
import { isOwnTrouble, OwnTrouble } from './own-trouble.ts'

/** Null where this machine does not know the family at all. */
export type FindEchoes = (family: Family) => Promise<Echoes | null>

export type IcmpAccessOptions = {
  /** The ways to try, in this order; default: all. */
  ways?: readonly IcmpWay[]
  /** Name or path of the program; default: fping of the path. */
  fping?: string
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

export type IcmpWay = SocketKind | 'fping'

const allWays = ['datagram', 'raw', 'fping'] as const
/** Permission that was missing is asked for again after this long. */
const retryMs = 60_000

/**
 * One shared socket a family, opened with the first ping. Rejects with `OwnTrouble` where nothing is permitted: that
 * says nothing about the target.
 */
export function createIcmpAccess(options: IcmpAccessOptions = {}): FindEchoes {
  const now = options.now ?? (() => performance.now())
  const found = new Map<Family, { echoes: Promise<Echoes | null>; retryAt: number }>()
  return (family) => {
    const known = found.get(family)
    if (known !== undefined && now() < known.retryAt) return known.echoes
    const entry = { echoes: openEchoes(family, options), retryAt: Infinity }
    found.set(family, entry)
    entry.echoes.catch(() => {
      entry.retryAt = now() + retryMs
    })
    return entry.echoes
  }
}

async function openEchoes(family: Family, options: IcmpAccessOptions): Promise<Echoes | null> {
  const refusals: string[] = []
  const system = await loadIcmpSystem().catch((error: unknown) => {
    refusals.push(`no foreign functions (${String(error)})`)
    return null
  })
  for (const way of options.ways ?? allWays) {
    const opened = await openWay(way, { family, system, fping: options.fping ?? 'fping' })
    if (typeof opened !== 'string') return opened
    if (opened === 'EAFNOSUPPORT') return null
    if (isOwnTrouble(opened)) throw new OwnTrouble(opened, new Error(`No ${way} socket for ICMP.`))
    refusals.push(`${way}: ${opened}`)
  }
  throw new OwnTrouble('EPERM', new Error(refusals.join(', ')), notPermitted)
}

const notPermitted =
  'ICMP is not permitted on this location: set net.ipv4.ping_group_range to admit its group, grant it CAP_NET_RAW, ' +
  'or install fping.'

type Opening = { family: Family; system: IcmpSystem | null; fping: string }

/** Echoes, or the code of why there are none. */
async function openWay(way: IcmpWay, { family, system, fping }: Opening): Promise<Echoes | string> {
  if (way === 'fping') {
    const isUsable = await canFping(fping, family === 4 ? '127.0.0.1' : '::1')
    return isUsable ? fpingEchoes(fping) : 'not installed, or not permitted either'
  }
  if (system === null || (way === 'raw' && process.platform !== 'linux')) return 'ENOSYS'
  const fd = system.open(family, way)
  if (typeof fd === 'string') return fd
  return createEchoes(family, (onPacket) =>
    way === 'datagram' ? datagramWire(fd, family, onPacket) : rawWire(system, { fd, family }, onPacket),
  )
}
