import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Which private ranges may be dialled: all, none, or the listed CIDR ranges (docs/decisions/targets-and-kinds.md,
 * "Private addresses").
 */
export type AllowPrivate = 'all' | 'none' | readonly string[]

export type Guard = {
  /** Whether a literal address may be dialled. Every address is checked right before it is dialled. */
  isAllowed: (address: string) => boolean
  /**
   * Whether a host is a literal address that may not be dialled; false for names, whose addresses are judged when
   * dialled.
   */
  isForbiddenAddress: (host: string) => boolean
}

/** Throws a RangeError that names the entry when a range is not CIDR. */
export function createGuard(allowPrivate: AllowPrivate): Guard {
  if (allowPrivate === 'all') return { isAllowed: (address) => isIP(address) !== 0, isForbiddenAddress: () => false }
  const ranges = allowPrivate === 'none' ? [] : allowPrivate.map(parseRange)
  function isAllowed(address: string): boolean {
    if (isIP(address) === 0) return false
    const parsed = ipaddr.process(address)
    return parsed.range() === 'unicast' || ranges.some((range) => contains(range, parsed))
  }
  return {
    isAllowed,
    isForbiddenAddress: (host) => {
      const address = withoutBrackets(host)
      return isIP(address) !== 0 && !isAllowed(address)
    },
  }
}

/** Turns `[::1]`, as URLs write it, into `::1`. */
export function withoutBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

function parseRange(text: string): Range {
  if (!ipaddr.isValidCIDR(text)) throw new RangeError(`"${text}" is not an address range such as 10.0.0.0/8`)
  return ipaddr.parseCIDR(text)
}

function contains([base, bits]: Range, address: Address): boolean {
  if (base instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(base, bits)
  return address instanceof ipaddr.IPv6 && address.match(base, bits)
}
