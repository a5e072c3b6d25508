import { createEchoes, type Echoes } from './icmp-echoes.ts'
import { canFping, fpingEchoes } from './icmp-fping.ts'
import type { Family } from './icmp-packet.ts'
import { type IcmpSystem, loadIcmpSystem, type SocketKind } from './icmp-system.ts'
import { datagramWire, rawWire } from './icmp-wire.ts'
import { isOwnTrouble, MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'

/** Null where this machine does not know the address family at all. */
export type FindEchoes = (family: Family) => Promise<Echoes | null>

export type IcmpAccessOptions = {
  /** The ways to try, in this order; default: all of them. */
  ways?: readonly IcmpWay[]
  /** Name or path of the program; default: the fping of the search path. */
  fping?: string
  /** Rejects where this platform has no foreign function interface; default: the real one. */
  loadSystem?: () => Promise<IcmpSystem>
  /** Milliseconds of a clock that never goes back. */
  now?: () => number
}

export type IcmpWay = SocketKind | 'fping'

const allWays = ['datagram', 'raw', 'fping'] as const
/** A missing permission is asked for again after this time. */
const retryMs = 60_000

/**
 * One shared socket for each address family, opened with the first ping. Rejects with `MissingMeans` where no way is
 * permitted, and with `OwnTrouble` while sockets are short: neither says anything about the target.
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
  const system = await (options.loadSystem ?? loadIcmpSystem)().catch((error: unknown) => {
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
  throw new MissingMeans(system === null ? notPossible : notPermitted, new Error(refusals.join(', ')))
}

const notPermitted =
  'Ping is not permitted at this location: its operator has to set net.ipv4.ping_group_range so that it admits the ' +
  "service's group, grant the service CAP_NET_RAW, or install fping"
/** Without the foreign function interface no permission helps, so the text asks for fping alone. */
const notPossible =
  'Ping is not possible at this location: its operator has to install fping, because the service cannot open ICMP ' +
  'sockets on this platform'

type Opening = { family: Family; system: IcmpSystem | null; fping: string }

/** Echoes, or the code that says why there are none. */
async function openWay(way: IcmpWay, { family, system, fping }: Opening): Promise<Echoes | string> {
  if (way === 'fping') return openFping(fping, family)
  if (system === null || (way === 'raw' && process.platform !== 'linux')) return 'ENOSYS'
  const fd = system.open(family, way)
  if (typeof fd === 'string') return fd
  return createEchoes(family, (onPacket) =>
    way === 'datagram' ? datagramWire(fd, family, onPacket) : rawWire(system, { fd, family }, onPacket),
  )
}

/** A machine without IPv6 cannot even ping itself by it; where IPv4 works, the program is all right. */
async function openFping(program: string, family: Family): Promise<Echoes | string> {
  if (await canFping(program, family === 4 ? '127.0.0.1' : '::1')) return fpingEchoes(program)
  if (family === 6 && (await canFping(program, '127.0.0.1'))) return 'EAFNOSUPPORT'
  return 'not installed, or not permitted either'
}
