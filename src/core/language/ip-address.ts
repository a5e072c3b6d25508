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
