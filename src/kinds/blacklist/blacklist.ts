import { z } from 'zod'
import { parseDomainName, parseDomainTarget } from '#core/language/domain-name.ts'
import { isIpv4 } from '#core/language/ip-address.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import { askThrough } from '#kinds/dns/ask-dns.ts'
import { findSubjects, type Subjects } from './blacklist-subjects.ts'
import { checkZone, type Listing, lookUp, type ZoneHealth } from './blacklist-zone.ts'
import { secretProblem } from '#kinds/dns/domain-target.ts'
import { type Check, defineKind } from '#kinds/kind.ts'

/** Leaves room for the subject in a name of 253 characters. */
const maxZoneLength = 190

const options = z
  .strictObject({
    dnsbl_zone: z
      .string()
      .max(maxZoneLength)
      .refine((zone) => parseDomainName(zone) !== null, 'Must be a domain name, such as zen.example.org.')
      .describe("The list's query zone, as its provider names it: a domain name, in which names are looked up."),
    lookup: z
      .enum(['domain', 'mail_servers', 'host'])
      .default('domain')
      .describe(
        "What is looked up: the domain itself (for lists of domains), the IPv4 addresses of its mail servers, or the host's own IPv4 addresses (both for lists of addresses). Default domain.",
      ),
  })
  .describe('A DNS blacklist that must not list a domain, its mail servers or a host.')
type BlacklistOptions = z.infer<typeof options>

type BlacklistObservation = {
  latencyMs: number
  subjects: Subjects
  listings: Listing[]
  health: ZoneHealth
}

/** Whether a domain, its mail servers or a host stand on a DNS blacklist (RFC 5782). */
export const blacklist = defineKind<BlacklistOptions, BlacklistObservation>({
  name: 'blacklist',
  options,
  secretOptions: [],
  targetProblem: (url) =>
    parseTarget(url) === null
      ? 'Must be a domain name or an IPv4 address, such as example.com or 198.51.100.7.'
      : secretProblem(url),
  observe: async ({ url, timeoutMs, options: { dnsbl_zone: given, lookup } }, net, signal) => {
    const startedAt = performance.now()
    const [target, zone] = [parseTarget(url), parseDomainName(given)]
    if (target === null || zone === null) throw new TypeError(`"${url}" or "${given}" is no target of kind blacklist`)
    const ask = askThrough(net, timeoutMs, signal)
    const [subjects, health] = await Promise.all([
      findSubjects(lookup, target, ask),
      checkZone(zone, lookup === 'domain' ? 'domain' : 'address', ask),
    ])
    const names = subjects.ok ? subjects.subjects : []
    const listings = await Promise.all(names.map((name) => lookUp(name, zone, ask)))
    return { subjects, listings, health, latencyMs: Math.round(performance.now() - startedAt) }
  },
  judge: judgeBlacklist,
})

function parseTarget(url: string): string | null {
  return isIpv4(url) ? url : parseDomainTarget(url)
}

/** Down when something is listed; degraded when the list, or what to look up, could not be asked for. */
function judgeBlacklist(
  { subjects, listings, health, latencyMs }: BlacklistObservation,
  check: Pick<Check<BlacklistOptions>, 'options'>,
): Verdict {
  const zone = parseDomainName(check.options.dnsbl_zone) ?? ''
  const base = { statusCode: null, latencyMs, phases: { ...noPhases, dnsMs: latencyMs } }
  if (!subjects.ok)
    return { ...base, status: subjects.severity, error: subjects.problem, details: { zone, checked: 0, listed: [] } }
  const listed = listings.filter((listing) => listing.state === 'listed')
  const details = {
    zone,
    checked: listings.length,
    ...(subjects.skipped > 0 ? { skipped: subjects.skipped } : {}),
    listed: listed.map(({ subject, codes, reason }) => ({ address: subject, codes, reason })),
    ...(!health.hasTestEntry ? { test_entry: 'missing' } : {}),
  }
  if (health.problem !== null) return { ...base, status: 'degraded', error: health.problem, details }
  if (listed.length > 0) return { ...base, status: 'down', error: listedText(listed, zone), details }
  const unknown = listings.find((listing) => listing.state === 'unknown')
  if (unknown?.state === 'unknown') return { ...base, status: 'degraded', error: unknown.problem, details }
  return { ...base, status: 'up', error: null, details }
}

function listedText(listed: readonly Extract<Listing, { state: 'listed' }>[], zone: string): string {
  const [first, ...others] = listed
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const reason = first.reason === null ? '' : `: ${first.reason}`
  return `${first.subject}${more} ${others.length === 0 ? 'is' : 'are'} listed on ${zone} (${first.codes.join(', ')})${reason}`
}
