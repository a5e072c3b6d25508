import type { Net } from './net.ts'

/** The same net, which calls `enter` before the code that asked goes on with an outcome. */
export function entering(net: Net, enter: () => void): Net {
  const told =
    <Asked, Outcome>(ask: (asked: Asked, signal: AbortSignal) => Promise<Outcome>) =>
    async (asked: Asked, signal: AbortSignal): Promise<Outcome> => {
      try {
        return await ask(asked, signal)
      } finally {
        enter()
      }
    }
  const { services, rootAnchors, resumesTls, cookieJar, conceal, git } = net
  return {
    services,
    rootAnchors,
    resumesTls,
    cookieJar,
    conceal,
    http: told(net.http),
    http2: told(net.http2),
    tcp: told(net.tcp),
    dns: told(net.dns),
    tls: told(net.tls),
    whois: told(net.whois),
    dialogue: told(net.dialogue),
    talk: told(net.talk),
    tcpExchange: told(net.tcpExchange),
    findService: told(net.findService),
    ping: told(net.ping),
    route: told(net.route),
    udp: told(net.udp),
    browse: told(net.browse),
    git: { refs: told(git.refs), tree: told(git.tree), blobs: told(git.blobs) },
  }
}
