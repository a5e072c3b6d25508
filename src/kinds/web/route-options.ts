import { z } from 'zod'
import { parseHostPort } from '#core/language/host-port.ts'
import { text } from '#core/language/text.ts'
import { resolver, resolverHosts } from '#kinds/dns/resolver-option.ts'
import type { OptionHost } from '#kinds/kind.ts'
import type { HttpRequest } from '#net/http/http-request.ts'
import type { Proxy } from '#net/proxy/proxy.ts'

/** RFC 1929 has one byte for the length of a name or password. */
const maxCredentialBytes = 255

const credential = text({ min: 1, max: maxCredentialBytes }).refine(
  (given) => Buffer.byteLength(given) <= maxCredentialBytes,
  `Must be at most ${maxCredentialBytes} bytes long.`,
)

/** By which way http, api and all steps of a transaction reach their servers. */
export const routeOptions = {
  ip_version: z
    .enum(['ipv4', 'ipv6'])
    .optional()
    .describe('The only version of IP by which servers are reached. Default: both, IPv6 first.'),
  resolver: resolver.describe(
    'The address of the name server that looks up names. Default: the name servers of the location.',
  ),
  http2: z
    .boolean()
    .optional()
    .describe('Whether servers may choose HTTP/2 within TLS. Else, and without TLS, HTTP/1.1 is spoken. Default false.')
    .meta({ default: false }),
  proxy: text({ min: 1, max: 300 })
    .superRefine(checkProxy)
    .optional()
    .describe(
      'The proxy by which servers are reached, `http://host:port` or `socks5://host:port`. It looks up names itself.',
    )
    .meta({ examples: ['http://proxy.example.com:3128'] }),
  proxy_name: credential
    .refine((given) => !given.includes(':'), 'Must have no colon.')
    .optional()
    .describe('The user name for the proxy.'),
  proxy_secret: credential.optional().describe('The password for the proxy; kept encrypted and never returned.'),
}

export type RouteOptions = z.infer<z.ZodObject<typeof routeOptions>>

export const secretRoutes = ['proxy_secret']

/** A secret may stay without the rest, so that a proxy can be left out and taken up again. */
export function checkRoute(options: RouteOptions, context: z.RefinementCtx): void {
  const { proxy, proxy_name: name, ip_version: version, resolver: server } = options
  const refuse = (option: keyof RouteOptions, message: string): void =>
    context.addIssue({ code: 'custom', path: [option], message })
  if (proxy === undefined) {
    if (name !== undefined) refuse('proxy_name', 'Needs a proxy.')
    return
  }
  if (server !== undefined) refuse('resolver', 'Must be left out: the proxy looks up names itself.')
  if (version !== undefined) refuse('ip_version', 'Must be left out: the proxy chooses by which it reaches servers.')
}

const usualPorts = { http: 80, socks5: 1080 }

function checkProxy(given: string, context: z.RefinementCtx<string>): void {
  const message = proxyProblem(given)
  if (message !== null) context.addIssue({ code: 'custom', message })
}

function proxyProblem(given: string): string | null {
  const url = URL.parse(given)
  if (url === null || !['http:', 'socks5:'].includes(url.protocol) || parseHostPort(url.host) === null)
    return 'Must be the address of a proxy, such as http://proxy.example.com:3128 or socks5://127.0.0.1:1080.'
  if (url.username !== '' || url.password !== '')
    return 'Must not hold a user name or password; they have options of their own, where they are kept encrypted.'
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    return 'Must end after the host and port.'
  return null
}

function proxyOf({ proxy, proxy_name: name, proxy_secret: secret = '' }: RouteOptions): Proxy | undefined {
  if (proxy === undefined) return undefined
  const { protocol: scheme, host: place } = new URL(proxy)
  const protocol = scheme === 'http:' ? 'http' : 'socks5'
  const { host, port } = parseHostPort(place) ?? { host: '', port: null }
  return {
    protocol,
    host,
    port: port ?? usualPorts[protocol],
    credentials: name === undefined ? null : { name, secret },
  }
}

/** What each request of a check is given. */
export function routeOf(options: RouteOptions): Pick<HttpRequest, 'family' | 'http2' | 'resolver' | 'proxy'> {
  const { ip_version: version, http2, resolver: server } = options
  const family = version === undefined ? undefined : version === 'ipv4' ? 4 : 6
  return { family, http2, resolver: server, proxy: proxyOf(options) }
}

/** Hosts that the options name. */
export function routeHosts(options: RouteOptions): OptionHost[] {
  const proxy = proxyOf(options)
  return [...resolverHosts(options), ...(proxy === undefined ? [] : [{ path: ['proxy'], host: proxy.host }])]
}
