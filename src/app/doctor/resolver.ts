import { bad, type Found, judged, notLookedAt, warning } from '#core/doctor-report.ts'
import { createNet } from '#net/create-net.ts'
import type { DnsOutcome } from '#net/dns/dns.ts'
import { openDnsServers } from '#net/dns/dns-servers.ts'
import type { DoctorCheck } from './doctor-check.ts'

const timeoutMs = 4_000
/** Reserved for examples (RFC 2606), so that every resolver knows whether there is such a name. */
const name = 'example.com'
const mostServers = 3

export const resolver: DoctorCheck = {
  name: 'resolver',
  look: async ({ examined }, signal) => {
    if (examined.unread.has('PERIGEE_DNS_SERVERS'))
      return [notLookedAt('name servers', 'PERIGEE_DNS_SERVERS cannot be read.', 'Correct PERIGEE_DNS_SERVERS.')]
    const { dnsServers } = examined.config
    const servers = openDnsServers(dnsServers, () => performance.now())().slice(0, mostServers)
    if (servers.length === 0)
      return [
        bad('name servers', 'This machine has no name server.', 'Set PERIGEE_DNS_SERVERS, or mend /etc/resolv.conf.'),
      ]
    const labels = servers.map(({ address, port }) => `${address.includes(':') ? `[${address}]` : address}:${port}`)
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const outcomes = await Promise.all(
      labels.map((label) =>
        createNet({ allowPrivate: 'all', dnsServers: [label] }).dns({ name, type: 'A', timeoutMs }, until),
      ),
    )
    return judgeResolver(outcomes.map((outcome, index) => ({ server: labels[index] ?? '', outcome })))
  },
}

const advice = 'See whether the name server runs and can be reached, or name others in PERIGEE_DNS_SERVERS.'

/** One that is silent costs time as long as another one answers. */
export function judgeResolver(asked: readonly { server: string; outcome: DnsOutcome }[]): Found[] {
  const answering = asked.filter(({ outcome }) => outcome.ok).length
  return asked.map(({ server, outcome }) => {
    if (!outcome.ok) {
      const found = `${server} does not answer: ${outcome.failure.message}.`
      return answering === 0 ? bad(server, found, advice) : warning(server, found, advice)
    }
    const { rcode } = outcome.answer
    const isTroubled = !['NOERROR', 'NXDOMAIN'].includes(rcode)
    const isSlow = outcome.latencyMs >= 1_000
    return judged(server, isTroubled || isSlow ? 'warning' : 'good', {
      found: `${server} answered ${isTroubled ? `with ${rcode} ` : ''}within ${outcome.latencyMs} ms.`,
      advice,
    })
  })
}
