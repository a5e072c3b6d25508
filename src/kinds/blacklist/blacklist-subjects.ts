import { isIpv4 } from '#core/language/ip-address.ts'
import type { Ask } from '#kinds/dns/ask-dns.ts'
import { findRecords } from '#kinds/dns/dns-records.ts'
import { registrableDomain } from '#kinds/dns/registrable-domain.ts'

export type Lookup = 'domain' | 'mail_servers' | 'host'

/** The names and IPv4 addresses to look up in a list; or, in words, why there are none. */
export type Subjects =
  | { ok: true; subjects: string[]; skipped: number }
  | { ok: false; severity: 'down' | 'degraded'; problem: string }

const maxSubjects = 20
const maxMailServers = 10

/** What a lookup is about. `target` is a domain name or, for `host`, an IPv4 address. */
export async function findSubjects(lookup: Lookup, target: string, ask: Ask): Promise<Subjects> {
  if (lookup === 'host' && isIpv4(target)) return limited([target])
  if (isIpv4(target)) return refuse('down', `${target} is an address, which only lookup "host" can look up`)
  switch (lookup) {
    case 'domain': {
      const organisation = await registrableDomain(target)
      return limited(organisation === null ? [target] : [target, organisation])
    }
    case 'host':
      return addressesOf([target], ask, `${target} has no IPv4 address`)
    case 'mail_servers':
      return mailServerAddresses(target, ask)
  }
}

/** RFC 5321 5.1: without MX records a domain is its own mail server; RFC 7505: one that takes no mail says so. */
async function mailServerAddresses(domain: string, ask: Ask): Promise<Subjects> {
  const asked = await ask(domain, 'MX')
  if (!asked.ok) return refuse('down', asked.problem)
  if (asked.answer.rcode === 'NXDOMAIN') return refuse('down', missing(domain))
  const servers = findRecords(asked.answer, domain, 'MX').records.toSorted((a, b) => a.preference - b.preference)
  if (servers.some(({ exchange }) => exchange === '.'))
    return refuse('degraded', `${domain} takes no mail (null MX), so there is nothing to look up`)
  const names = servers.slice(0, maxMailServers).map(({ exchange }) => exchange)
  return addressesOf(names.length === 0 ? [domain] : names, ask, `${domain} has no mail server with an IPv4 address`)
}

/** A host that cannot be resolved is left out, as long as another one has an address. */
async function addressesOf(hosts: readonly string[], ask: Ask, none: string): Promise<Subjects> {
  const asked = await Promise.all(hosts.map((host) => ask(host, 'A')))
  const addresses = asked.flatMap((each, index) =>
    each.ok ? findRecords(each.answer, hosts[index] ?? '', 'A').records.map(({ address }) => address) : [],
  )
  if (addresses.length > 0) return limited(addresses)
  const failed = asked.find((each) => !each.ok)
  if (failed?.ok === false) return refuse('down', failed.problem)
  const [host, another] = hosts
  const isGone = another === undefined && asked[0]?.ok === true && asked[0].answer.rcode === 'NXDOMAIN'
  return isGone ? refuse('down', missing(host ?? '')) : refuse('degraded', `${none}, so there is nothing to look up`)
}

function limited(all: readonly string[]): Subjects {
  const subjects = [...new Set(all)].toSorted()
  return { ok: true, subjects: subjects.slice(0, maxSubjects), skipped: Math.max(0, subjects.length - maxSubjects) }
}

function missing(name: string): string {
  return `The name ${name} does not exist (NXDOMAIN)`
}

function refuse(severity: 'down' | 'degraded', problem: string): Subjects {
  return { ok: false, severity, problem }
}
