/** A host as URLs write it, but IPv6 without brackets, and its port. */
export type HostPort = { host: string; port: number | null }

/**
 * Parses `host`, `host:port`, `[v6]` and `[v6]:port`; null for any other text. Names become lower-case ASCII, and odd
 * spellings of addresses (0x7f.1, 2130706433) become plain ones as in a URL, so that the guard against private
 * addresses recognises them.
 */
export function parseHostPort(text: string): HostPort | null {
  const found = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\\[\]%]+)(?::(\d{1,5}))?$/.exec(text)
  const url = found?.[1] === undefined ? null : URL.parse(`http://${found[1]}`)
  if (found === null || url === null || url.hostname === '') return null
  const port = found[2] === undefined ? null : Number(found[2])
  if (port !== null && (port < 1 || port > 65_535)) return null
  return { host: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname, port }
}

/** The port of an address of the web (RFC 9110 4.2). */
export function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}
