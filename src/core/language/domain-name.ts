/**
 * A domain name as DNS questions have it: lower-case ASCII without the final dot. International letters become
 * Punycode; labels may begin with an underscore (`_dmarc`). Null when the text is no domain name, as for an IP address.
 */
export function parseDomainName(text: string): string | null {
  const plain = text.endsWith('.') ? text.slice(0, -1) : text
  const ascii = isAscii(plain) ? plain.toLowerCase() : toAscii(plain)
  return ascii !== null && isDomainName(ascii) && !endsInNumber(ascii) ? ascii : null
}

/** The domain of a target. The target may also be a URL, because that is what people have at hand. */
export function parseDomainTarget(text: string): string | null {
  if (!/^https?:\/\//i.test(text)) return parseDomainName(text)
  const url = URL.parse(text)
  return url === null ? null : parseDomainName(url.hostname)
}

/** RFC 1035 2.3.4: labels of 1 to 63 characters, 253 in all. */
export function isDomainName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label, index) => isLabel(label) || (label === '*' && index === 0))
}

/** No top-level domain is a number: a name that ends in one is an address, perhaps mistyped (URL Standard 3.5). */
function endsInNumber(name: string): boolean {
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name)
}

function isLabel(label: string): boolean {
  return /^[A-Za-z0-9_-]{1,63}$/.test(label)
}

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

function toAscii(text: string): string | null {
  if (/[\s\p{C}:/?#@\\[\]%]/u.test(text)) return null
  return URL.parse(`http://${text}`)?.hostname ?? null
}
