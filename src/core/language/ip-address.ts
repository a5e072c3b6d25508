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
 * Whether a text is an address of a private network (RFC 1918, RFC 4193), of a carrier's (RFC 6598) or of one link (RFC
 * 3927, RFC 4291), which says something of the network it is seen in.
 */
export function isInternalAddress(text: string): boolean {
  if (isIpv4(text)) return isInternalIpv4(text.split('.').map(Number))
  const address = canonicalIpv6(text)
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address ?? '') ?? []
  if (high !== undefined && low !== undefined)
    return isInternalIpv4(
      [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]),
    )
  return address !== null && /^(?:f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(address)
}

function isInternalIpv4([first = 0, second = 0]: readonly number[]): boolean {
  switch (first) {
    case 10:
      return true
    case 100:
      return second >= 64 && second < 128
    case 169:
      return second === 254
    case 172:
      return second >= 16 && second < 32
    case 192:
      return second === 168
    default:
      return false
  }
}
