// How a check of another tool reaches its server and signs in, in options of our web checks.
import type { Where } from './findings.ts'
import { shown } from './monitor-parts.ts'

/** Members of `check_options`. */
export type CheckOptions = Record<string, unknown>

/** With `socks5` some clients look up names themselves; ours leaves that to the proxy, as with `socks5h`. */
const proxySchemes: Readonly<Record<string, string>> = {
  'http:': 'http:',
  'socks:': 'socks5:',
  'socks5:': 'socks5:',
  'socks5h:': 'socks5:',
}

/** Of a proxy's address, which may hold a user name and a password. Where checks do not go by such a one, that is noted. */
export function proxyOptions(address: string, { place, findings }: Where): CheckOptions {
  const url = URL.parse(address.includes('://') ? address : `http://${address}`)
  const scheme = url === null ? undefined : proxySchemes[url.protocol]
  if (url === null || scheme === undefined || url.hostname === '') {
    findings.lost(place, `Checks go by HTTP and SOCKS5 proxies only, so this one goes directly to its target.`)
    return {}
  }
  const name = decoded(url.username)
  return {
    proxy: `${scheme}//${url.host}`,
    ...(name === '' ? {} : { proxy_name: name, proxy_secret: decoded(url.password) }),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export type ClientCredentials = {
  url: string | null
  id: string | null
  secret: string | null
  scope: string | null
  audience?: string | null
  /** Whether the client names itself in the body of its request for a token. Default: in a header. */
  isInBody?: boolean
}

/** OAuth 2 for the client itself (RFC 6749 4.4). What is missing is noted. */
export function clientCredentials(
  { url, id, secret, scope, audience = null, isInBody = false }: ClientCredentials,
  { place, findings }: Where,
): CheckOptions {
  if (url === null || id === null || secret === null) {
    findings.lost(place, 'It names no token endpoint, client or secret, so the check is sent without credentials.')
    return {}
  }
  return {
    sign_in: 'oauth2',
    sign_in_name: id,
    sign_in_secret: secret,
    token_url: url,
    ...(isInBody ? { token_method: 'post' } : {}),
    ...(isThere(scope) ? { token_scope: scope } : {}),
    ...(isThere(audience) ? { token_audience: audience } : {}),
  }
}

function isThere(text: string | null): boolean {
  return text !== null && text !== ''
}

const serverAddress = /^(?:(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?|[\da-f]*:[\da-f:.]*:[\da-f:.]*)$/i

/** Of `8.8.8.8`, `8.8.8.8:53`, `udp://8.8.8.8:53`, or several with commas between them, of which one is asked here. */
export function resolverOptions(servers: string, { place, findings }: Where): CheckOptions {
  const [first = '', ...more] = servers.split(',').map((each) => each.trim())
  const [, scheme = 'udp', bare = ''] = /^(?:(\w+):\/\/)?(.*)$/.exec(first) ?? []
  if (!serverAddress.test(bare)) {
    findings.changed(place, `"${shown(first)}" is no address of a name server, so the location's own are asked.`)
    return {}
  }
  if (more.length > 0) findings.changed(place, `In Perigee, only the name server ${bare} is asked.`)
  if (scheme !== 'udp') findings.changed(place, 'In Perigee, name servers are asked by UDP first.')
  return { resolver: bare }
}

/** Where there are any. */
export function asCheckOptions(options: CheckOptions): { check_options?: CheckOptions } {
  return Object.keys(options).length === 0 ? {} : { check_options: options }
}
