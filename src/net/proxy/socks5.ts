// SOCKS version 5 (RFC 1928), with user name and password (RFC 1929).
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { labelOf } from '#net/dial/reach.ts'
import { type Proxy, signInFailure } from './proxy.ts'
import { fault, ProxyFault, type ProxyWire } from './proxy-wire.ts'

const version = 5
const openMethod = 0
const passwordMethod = 2
const noMethod = 0xff
const passwordVersion = 1
const connectCommand = 1
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 }

/** Asks for a connection to a target, whose name the proxy looks up. */
export async function openSocks(
  wire: ProxyWire,
  proxy: Proxy,
  { host, port }: { host: string; port: number },
): Promise<void> {
  await signIn(wire, proxy)
  wire.send(Buffer.from([version, connectCommand, 0, ...addressBytes(host), port >> 8, port & 0xff]))
  const [spoken, reply = 0, , type = 0] = await wire.take(4)
  if (spoken !== version) throw garbled(proxy)
  if (reply !== 0) throw refused(reply, labelOf(host, port))
  // The address that the proxy dials from tells nothing.
  await wire.take((await addressLength(wire, type, proxy)) + 2)
}

async function signIn(wire: ProxyWire, proxy: Proxy): Promise<void> {
  const { credentials } = proxy
  const methods = credentials === null ? [openMethod] : [openMethod, passwordMethod]
  wire.send(Buffer.from([version, methods.length, ...methods]))
  const [spoken, method = noMethod] = await wire.take(2)
  if (spoken !== version) throw garbled(proxy)
  if (method === openMethod) return
  if (method === noMethod) throw new ProxyFault(signInFailure(proxy, null))
  if (method !== passwordMethod || credentials === null) throw garbled(proxy)
  const name = Buffer.from(credentials.name, 'utf8')
  const secret = Buffer.from(credentials.secret, 'utf8')
  wire.send(Buffer.from([passwordVersion, name.length, ...name, secret.length, ...secret]))
  const [, status] = await wire.take(2)
  if (status !== 0) throw new ProxyFault(signInFailure(proxy, null))
}

function addressBytes(host: string): number[] {
  if (isIP(host) !== 0) {
    const type = isIP(host) === 4 ? addressTypes.ipv4 : addressTypes.ipv6
    return [type, ...ipaddr.parse(host).toByteArray()]
  }
  const name = Buffer.from(host, 'latin1')
  if (name.length > 255) throw fault('proxy_failed', `The name ${host.slice(0, 80)}… is too long for a SOCKS proxy`)
  return [addressTypes.name, name.length, ...name]
}

async function addressLength(wire: ProxyWire, type: number, proxy: Proxy): Promise<number> {
  if (type === addressTypes.ipv4) return 4
  if (type === addressTypes.ipv6) return 16
  if (type !== addressTypes.name) throw garbled(proxy)
  const [length = 0] = await wire.take(1)
  return length
}

/** RFC 1928 6. */
const replies: Record<number, string> = {
  1: 'it failed',
  3: 'the network cannot be reached',
  4: 'the host cannot be reached',
  5: 'the connection was refused',
  6: 'the host is too far away',
  7: 'it does not know the command',
  8: 'it does not know such addresses',
}
const notAllowed = 2

function refused(reply: number, target: string): ProxyFault {
  if (reply === notAllowed) return fault('proxy_refused', `The proxy's rules do not allow a connection to ${target}`)
  return fault('proxy_failed', `The proxy could not connect to ${target}: ${replies[reply] ?? `reply ${reply}`}`)
}

function garbled({ host, port }: Proxy): ProxyFault {
  return fault('proxy_garbled', `${labelOf(host, port)} does not answer as a SOCKS5 proxy does`)
}
