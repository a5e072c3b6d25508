import ipaddr from 'ipaddr.js'

/** CIDR ranges of the proxies whose X-Forwarded-For is believed, parsed. Throws on a text that is no range. */
export type TrustedProxies = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]

const maxHops = 32

export function parseProxies(ranges: readonly string[]): TrustedProxies {
  return ranges.map((range) => (range.includes('/') ? ipaddr.parseCIDR(range) : hostRange(range)))
}

/**
 * The address that per-address limits count: the socket's, or behind trusted proxies the right-most hop that is not
 * one of them. What stands further left was written by the client.
 */
export function clientAddress(socket: string, forwardedFor: string | undefined, proxies: TrustedProxies): string {
  let address = normalize(socket)
  const hops = forwardedFor === undefined ? [] : forwardedFor.split(',').slice(-maxHops)
  for (const hop of hops.toReversed()) {
    if (!isTrusted(address, proxies)) return address
    const next = hop.trim()
    if (!ipaddr.isValid(next)) return address
    address = normalize(next)
  }
  return address
}

const proxyHeaders = /^(?:x-forwarded-.*|forwarded|x-real-ip|via)$/

/**
 * Whether a request was made on this machine, for this machine: a proxy here would forward strangers, and a stranger's
 * page can have its own name lead here. Both ask for a host that is not this machine. A proxy that hides itself is
 * known by `mayBeProxied` alone.
 */
export function isLocal(socket: string, headers: Headers): boolean {
  if ([...headers.keys()].some((name) => proxyHeaders.test(name))) return false
  if (!isOwnName(headers.get('host') ?? 'localhost')) return false
  return ipaddr.isValid(socket) && ipaddr.process(socket).range() === 'loopback'
}

/**
 * Whether a proxy may stand before this process. A simple one on this machine asks as the machine itself would: nginx's
 * `proxy_pass http://127.0.0.1:3000` sends that host, and no header of proxies unless it is told to. So only an operator
 * can say that there is none, by a public address at which this process itself listens.
 */
export function mayBeProxied(own: {
  host: string
  port: number
  publicUrl: string | null
  proxies: readonly string[]
}): boolean {
  if (own.proxies.length > 0 || own.publicUrl === null) return true
  const { protocol, hostname, port } = new URL(own.publicUrl)
  if (isLoopback(hostname)) return false
  const isOwnPort = protocol === 'http:' && Number(port || 80) === own.port
  return !isOwnPort || isLoopback(own.host)
}

function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  if (!ipaddr.isValid(name)) return name.toLowerCase() === 'localhost'
  return ipaddr.process(name).range() === 'loopback'
}

/** `0.0.0.0` and `::` are what a process that listens everywhere says of itself. */
function isOwnName(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return isLoopback(name) || (ipaddr.isValid(name) && ipaddr.process(name).range() === 'unspecified')
}

/** One counter for each IPv4 address and for each /64 of IPv6, the least that one customer has. */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}/64` : parsed.toString()
}

/** IPv4 addresses that came over an IPv6 socket are written as IPv4. */
function normalize(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

function hostRange(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.parse(address)
  return [parsed, parsed instanceof ipaddr.IPv6 ? 128 : 32]
}

function isTrusted(address: string, proxies: TrustedProxies): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return proxies.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits))
}
