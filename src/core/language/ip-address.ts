/** Accepts four decimal numbers without leading zeros and no other spelling. */
export function isIpv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

/** The address as RFC 5952 spells it, lower-case and shortened; null when the text is no IPv6 address. */
export function canonicalIpv6(text: string): string | null {
  if (!/^[0-9A-Fa-f:.]{2,45}$/.test(text) || !text.includes(':')) return null
  const url = URL.parse(`http://[${text}]/`)
  return url === null ? null : url.hostname.slice(1, -1)
}

/**
 * One spelling for each address: IPv4 for an IPv4-mapped one (RFC 4291 2.5.5.2), else as RFC 5952 spells it. Null when
 * the text is no address, or is one of a single link, which names an interface of the machine.
 */
export function plainAddress(text: string): string | null {
  if (isIpv4(text)) return text
  const six = canonicalIpv6(text)
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(six ?? '') ?? []
  if (high === undefined || low === undefined) return six
  return [high, low].flatMap((pair) => [parseInt(pair, 16) >> 8, parseInt(pair, 16) & 0xff]).join('.')
}

/**
 * Whether a plain address leads to the same machine from everywhere. Those of private networks, of a carrier's, of one
 * link and of the machine itself do not (RFC 1918, 6598, 3927, 1122 3.2.1.3); of IPv6 2000::/3 does (RFC 4291 2.4).
 */
export function leadsEverywhere(plain: string): boolean {
  if (!isIpv4(plain)) return /^[23][0-9a-f]{3}:/.test(plain)
  const [first = 0, second = 0] = plain.split('.').map(Number)
  if (first === 0 || first === 10 || first === 127 || first >= 224) return false
  if (first === 100) return second < 64 || second > 127
  if (first === 169) return second !== 254
  if (first === 172) return second < 16 || second > 31
  return first !== 192 || second !== 168
}
