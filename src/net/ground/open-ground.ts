import { Resolver } from 'node:dns'
import type { Net } from '#net/net.ts'
import type { Destination, Destinations } from './destinations.ts'
import { gatewayReader } from './gateways.ts'
import { createGround, type Ground } from './ground.ts'
import { newTrace, type Traffic } from './trace.ts'

export type OpenGroundOptions = {
  /** Reaches whatever checks reach, private addresses included where some checks may. */
  net: Pick<Net, 'tcp'>
  /** What `net` tells. */
  traffic: Pick<Traffic, 'during'>
  destinations: Destinations
  configured: readonly Destination[]
  /** Whether the root name servers of the Internet may be asked where hardly anything else answers. */
  usesRoots: boolean
  /** As in `NetOptions`. */
  dnsServers: readonly string[]
}

const answerMs = 3_000

/**
 * Root name servers, which anyone may ask and which hundreds of machines all over the Internet answer for:
 * https://www.internic.net/domain/named.root. RFC 7766 has them accept connections.
 */
export const rootServers: readonly Destination[] = [
  '192.5.5.241',
  '193.0.14.129',
  '199.7.83.42',
  '2001:500:2f::f',
  '2001:7fd::1',
].map((host) => ({ host, port: 53 }))

/** The ground of a network as a prober uses it. */
export function openGround(options: OpenGroundOptions): Ground {
  const { destinations, configured, usesRoots, dnsServers } = options
  return createGround({
    destinations,
    configured,
    roots: usesRoots ? rootServers : [],
    gateways: gatewayReader(),
    connect: (reference) => knock(options, reference),
    resolverAnswers: createResolverProbe(dnsServers),
  })
}

/**
 * Has a trace of its own, which tells where a name leads and whether anything spoke, and whose connections are no
 * references. A machine that lacks sockets hears no answer either.
 */
async function knock(
  { net, traffic }: Pick<OpenGroundOptions, 'net' | 'traffic'>,
  { host, port }: Destination,
): Promise<readonly string[] | null> {
  const trace = newTrace()
  const signal = AbortSignal.timeout(answerMs)
  try {
    await traffic.during(trace, () => net.tcp({ host, port, expectedText: null, maxBytes: 1 }, signal))
  } catch {}
  return trace.heardMs === null ? null : [...trace.addresses]
}

/**
 * Asks the name servers for those of the root, which every resolver knows. A refusal is no answer: one whose own network
 * is gone refuses or fails (SERVFAIL), too.
 */
function createResolverProbe(dnsServers: readonly string[]): () => Promise<boolean> {
  const resolver = new Resolver({ timeout: answerMs, tries: 1 })
  if (dnsServers.length > 0) resolver.setServers([...dnsServers])
  return () =>
    new Promise((resolve) => {
      resolver.resolveNs('.', (error) => resolve(error === null || answers.has(error.code ?? '')))
    })
}

/** c-ares' codes for answers without records: NOERROR and NXDOMAIN. */
const answers: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND'])
