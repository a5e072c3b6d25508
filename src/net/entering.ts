import type { Net } from './net.ts'

/** The same net, which calls `enter` before whoever asked goes on with an outcome. */
export function entering(net: Net, enter: () => void): Net {
  const told =
    <Given extends unknown[], Outcome>(ask: (...given: Given) => Promise<Outcome>) =>
    async (...given: Given): Promise<Outcome> => {
      try {
        return await ask(...given)
      } finally {
        enter()
      }
    }
  const { services, cookieJar, git } = net
  return {
    services,
    cookieJar,
    http: told(net.http),
    tcp: told(net.tcp),
    dns: told(net.dns),
    tls: told(net.tls),
    whois: told(net.whois),
    dialogue: told(net.dialogue),
    tcpExchange: told(net.tcpExchange),
    findService: told(net.findService),
    ping: told(net.ping),
    udp: told(net.udp),
    git: { refs: told(git.refs), tree: told(git.tree), blobs: told(git.blobs) },
  }
}
