import { labelOf } from '#net/dial/reach.ts'
import { type Proxy, proxyAuthorization, signInFailure } from './proxy.ts'
import { fault, ProxyFault, type ProxyWire } from './proxy-wire.ts'

/** Asks an HTTP proxy for a tunnel (CONNECT, RFC 9110 9.3.6). */
export async function openHttpTunnel(
  wire: ProxyWire,
  proxy: Proxy,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const target = labelOf(host, port)
  const authorization = proxyAuthorization(proxy)
  const signIn = authorization === null ? '' : `proxy-authorization: ${authorization}\r\n`
  wire.send(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${signIn}\r\n`)
  const head = await wire.takeUntil('\r\n\r\n')
  const [, status = '', reason = ''] = /^HTTP\/1\.[01] (\d{3})(?: ([^\r\n]*))?/.exec(head) ?? []
  if (status === '')
    throw fault('proxy_garbled', `${labelOf(proxy.host, proxy.port)} does not answer as an HTTP proxy does`)
  if (status.startsWith('2')) return
  // Some proxies answer a wrong password as a target would.
  if (status === '407' || status === '401') throw new ProxyFault(signInFailure(proxy, status))
  const told = `${status} ${reason.replaceAll(/[^ -~]/g, '?').slice(0, 100)}`.trim()
  if (status === '403' || status === '405')
    throw fault('proxy_refused', `The proxy does not open a way to ${target} (${told})`)
  throw fault('proxy_failed', `The proxy could not connect to ${target} (${told})`)
}
