import type { Socket } from 'node:net'
import { publicServices } from '#core/monitors/outside-services.ts'
import { createNet } from '#net/create-net.ts'
import type { Net } from '#net/net.ts'
import { type Handler, httpServer } from './http-server.ts'
import { rawServer } from './raw-server.ts'

export type Registry = {
  net: Net
  /** The questions so far, as `rdap /path` and `whois line`. */
  asked: string[]
  rdapPort: number
  whoisPort: number
}

export type RegistryPlay = {
  /** Answers questions about domains; the list of servers, which names this one for `.test`, is answered for it. */
  rdap?: Handler
  /** Replaces that list. */
  bootstrap?: Handler
  /** The answer to a line, or what is done with its connection. */
  whois?: string | ((line: string, socket: Socket) => void)
}

/** Stand-ins for IANA, an RDAP server and a WHOIS server, and a net that knows them. What is not played is silent. */
export async function playRegistry(play: RegistryPlay): Promise<Registry> {
  const asked: string[] = []
  const rdap = await httpServer((request, response) => {
    asked.push(`rdap ${request.url}`)
    if (request.url !== '/dns.json') return play.rdap?.(request, response)
    if (play.bootstrap !== undefined) return play.bootstrap(request, response)
    const services = [
      [['example'], ['http://127.0.0.1:1/other']],
      [['test'], [`http://127.0.0.1:${rdap.port}/rdap`]],
    ]
    response.end(JSON.stringify({ version: '1.0', publication: '2026-11-20T19:00:02Z', services }))
  })
  const whois = await rawServer((socket) => {
    socket.once('data', (bytes: Buffer) => {
      const line = bytes.toString().trimEnd()
      asked.push(`whois ${line}`)
      if (typeof play.whois === 'string') socket.end(play.whois)
      else play.whois?.(line, socket)
    })
  })
  const services = {
    ...publicServices,
    rdapBootstrapUrl: `http://127.0.0.1:${rdap.port}/dns.json`,
    whoisHost: { host: '127.0.0.1', port: whois.port },
  }
  const net = createNet({ allowPrivate: 'all', services })
  return { net, asked, rdapPort: rdap.port, whoisPort: whois.port }
}
