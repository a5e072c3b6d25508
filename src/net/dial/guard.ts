import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { canonicalIpv6 } from '#core/language/ip-address.ts'
import { kept } from '#core/language/kept.ts'

/**
 * Which private ranges may be dialled: all, none, or the listed CIDR ranges (docs/decisions/targets-and-kinds.md,
 * "Private addresses").
 */
export type AllowPrivate = 'all' | 'none' | readonly string[]

export type Guard = {
  /** Whether a literal address may be dialled. Every address is checked right before it is dialled. */
  isAllowed: (address: string) => boolean
  /** Whether this service itself listens there. */
  isOwnPort: (address: string, port: number) => boolean
  /**
   * Whether a host is a literal address that may not be dialled; false for names, whose addresses are judged when
   * dialled.
   */
  isForbiddenAddress: (host: string) => boolean
  /** Whether a refusal keeps to itself to which address a name leads. */
  hidesInternal: boolean
  /** The rules for an address to which a public one redirects; null where they are the same. */
  afterPublic: Guard | null
}

export type GuardOptions = {
  /** CIDR ranges that nothing admits. */
  denied?: readonly string[]
  /** Default: false. */
  hidesInternal?: boolean
  /** Ports of this service that are not dialled at any address of this machine. Default: none. */
  ownPorts?: readonly number[]
  /** Default: null. */
  afterPublic?: Guard | null
}

/** Each check asks of each of its addresses, and the answer is always the same. */
const maxJudged = 10_000

/** Throws a RangeError that names the entry when a range is not CIDR. */
export function createGuard(
  allowPrivate: AllowPrivate,
  { denied = [], hidesInternal = false, ownPorts = [], afterPublic = null }: GuardOptions = {},
): Guard {
  const admitted = allowPrivate === 'all' || allowPrivate === 'none' ? [] : allowPrivate.map(parseRange)
  const excluded = denied.map(parseRange)
  const isAllowed = kept((text: string): boolean => {
    const address = parseAddress(text)
    if (address === null) return false
    const meant = [address, ...translated(address)]
    if (meant.some((each) => excluded.some((range) => contains(range, each)))) return false
    return allowPrivate === 'all' || isPublic(address) || admitted.some((range) => contains(range, address))
  }, maxJudged)
  return {
    isAllowed,
    isForbiddenAddress: (host) => {
      const address = withoutBrackets(host)
      return isIP(address) !== 0 && !isAllowed(address)
    },
    isOwnPort: (address, port) => ownPorts.includes(port) && isOfThisMachine(address),
    hidesInternal,
    afterPublic,
  }
}

/**
 * What may be dialled once an address has answered, null before any did: nothing from outside leads a check into the own
 * network, though the monitor may reach it.
 */
export function guardAfter(guard: Guard, cameFrom: string | null): Guard {
  if (guard.afterPublic === null || cameFrom === null || !isPublicAddress(cameFrom)) return guard
  return guard.afterPublic
}

/** Whether a literal address is one that no special-purpose registry names. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== null && isPublic(address)
}

function isOfThisMachine(text: string): boolean {
  const address = parseAddress(text)?.toString()
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return own.some((each) => parseAddress(each.address)?.toString() === address)
}

/** Ranges that say something of the network in which an address is seen (RFC 1918, 3927, 4193, 4291, 6598). */
const internalRanges: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** Whether a text is an address of a private network, of a carrier's, or of one link. */
export function isInternalAddress(text: string): boolean {
  const address = parseAddress(text)
  return address !== null && internalRanges.has(address.range())
}

/** Where a machine reaches itself: by loopback, and by the unspecified addresses, which systems dial as loopback. */
const ownRanges = ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'].map(parseRange)

/** Whether checks may reach what listens for this machine alone. Denied ranges are left out of account. */
export function admitsLoopback(allowPrivate: AllowPrivate): boolean {
  if (allowPrivate === 'all' || allowPrivate === 'none') return allowPrivate === 'all'
  return allowPrivate.map(parseRange).some((range) => ownRanges.some((own) => overlap(range, own)))
}

/** Of two ranges that overlap, one contains the other. */
function overlap(one: Range, other: Range): boolean {
  return contains(one, other[0]) || contains(other, one[0])
}

/** Turns `[::1]`, as URLs write it, into `::1`. */
export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** The one part of IPv6 from which addresses are given out (RFC 4291 2.4, the IANA registry of IPv6 address space). */
const globalUnicast = parseRange('2000::/3')

/** The agent of the host that machines of a public cloud have (Microsoft's documentation of 168.63.129.16). */
const hostAgent = '168.63.129.16'

/** Public is what none of IANA's registries of special-purpose addresses names; `range` knows those (RFC 6890). */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return address.toString() !== hostAgent
  return contains(globalUnicast, address) && !isIsatap(address)
}

/** An interface id of ISATAP holds the IPv4 address to which a router delivers (RFC 5214 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

const translating = ['64:ff9b::/96', '::/96'].map(parseRange)
const sixToFour = parseRange('2002::/16')

/** The IPv4 address to which routers bring packets for an IPv6 address: NAT64, IPv4-compatible, ISATAP, 6to4. */
function translated(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return []
  const bytes = address.toByteArray()
  if (contains(sixToFour, address)) return [new ipaddr.IPv4(bytes.slice(2, 6))]
  const isLast = isIsatap(address) || translating.some((range) => contains(range, address))
  return isLast ? [new ipaddr.IPv4(bytes.slice(12))] : []
}

/**
 * Null for what is no address. An IPv4-mapped address is the IPv4 address that is dialled for it. `::10.0.0.1` is
 * IPv4-compatible (RFC 4291 2.5.5.1); ipaddr.js would read it as mapped, so it gets the other spelling first.
 */
function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null
  const [plain = ''] = text.split('%')
  return ipaddr.process(canonicalIpv6(plain) ?? plain)
}

function parseRange(text: string): Range {
  const [base = '', prefix = ''] = text.split('/')
  const address = ipaddr.isValidCIDR(text) ? parseAddress(base) : null
  if (address === null) throw new RangeError(`"${text}" is not an address range such as 10.0.0.0/8`)
  const isMapped = address instanceof ipaddr.IPv4 && base.includes(':')
  // Of a mapped range as wide as all of IPv4 or wider, all of IPv4 remains.
  return [address, isMapped ? Math.max(0, Number(prefix) - 96) : Number(prefix)]
}

function contains([base, bits]: Range, address: Address): boolean {
  if (base instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(base, bits)
  return address instanceof ipaddr.IPv6 && address.match(base, bits)
}
