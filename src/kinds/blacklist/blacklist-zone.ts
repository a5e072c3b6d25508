import { isIpv4 } from '#core/language/ip-address.ts'
import type { Ask } from '#kinds/dns/ask-dns.ts'
import { findRecords } from '#kinds/dns/dns-records.ts'
import { readable } from '#kinds/readable.ts'

/** What a list says about one name or address; codes are its answers, such as 127.0.0.2. */
export type Listing =
  | { state: 'listed'; subject: string; codes: string[]; reason: string | null }
  | { state: 'clear'; subject: string }
  | { state: 'unknown'; subject: string; problem: string }

/** Looks one name or IPv4 address up. RFC 5782. */
export async function lookUp(subject: string, zone: string, ask: Ask): Promise<Listing> {
  const name = `${isIpv4(subject) ? subject.split('.').toReversed().join('.') : subject}.${zone}`
  const asked = await ask(name, 'A')
  if (!asked.ok) return { state: 'unknown', subject, problem: `${zone} could not be asked: ${asked.problem}` }
  const codes = findRecords(asked.answer, name, 'A')
    .records.map(({ address }) => address)
    .toSorted()
  if (codes.length === 0) return { state: 'clear', subject }
  const problem = codes.map((code) => codeProblem(code, zone, isIpv4(subject))).find((each) => each !== null)
  if (problem !== undefined) return { state: 'unknown', subject, problem }
  return { state: 'listed', subject, codes, reason: await reasonOf(name, ask) }
}

async function reasonOf(name: string, ask: Ask): Promise<string | null> {
  const asked = await ask(name, 'TXT')
  const [record] = asked.ok ? findRecords(asked.answer, name, 'TXT').records : []
  const text = record === undefined ? '' : readable(record.text, 200)
  return text === '' ? null : text
}

/** Why an answer is no listing; null when it is one. */
function codeProblem(code: string, zone: string, isAddress: boolean): string | null {
  if (!code.startsWith('127.'))
    return `${zone} answers with ${code}, which no list does: its domain may have changed hands`
  if (code.startsWith('127.255.255.'))
    return `${zone} refused the query (${code}): ${refusals[code] ?? 'it gives no reason'}`
  if (code === '127.0.0.1') return `${zone} refused the query (${code}): this location may not ask it`
  if (code === '127.0.1.255' && isAddress) return `${zone} refused the query (${code}): it lists domains, not addresses`
  return null
}

/** The codes that the largest provider of lists gives instead of answers. */
const refusals: Readonly<Record<string, string>> = {
  '127.255.255.252': 'the name of the zone is misspelt',
  '127.255.255.254': "it does not answer public resolvers; set PERIGEE_DNS_SERVERS to one of the location's own",
  '127.255.255.255': 'too many queries came from this location',
}

/** RFC 5782 5 and 6: entries that every list has for tests, and entries that no list may have. */
const testEntries = {
  address: { listed: '127.0.0.2', clear: '127.0.0.1' },
  domain: { listed: 'test', clear: 'invalid' },
}

export type ZoneHealth = {
  /** Why the list's answers mean nothing; null when they may mean something. */
  problem: string | null
  hasTestEntry: boolean
}

/**
 * Whether a zone is a list that works. One that lists what none may list lists everything, as lists do that were shut
 * down; one that does not exist lists nothing. A missing test entry alone proves nothing: private lists lack it.
 */
export async function checkZone(zone: string, of: 'address' | 'domain', ask: Ask): Promise<ZoneHealth> {
  const [listed, clear, apex] = await Promise.all([
    lookUp(testEntries[of].listed, zone, ask),
    lookUp(testEntries[of].clear, zone, ask),
    ask(zone, 'SOA'),
  ])
  const hasTestEntry = listed.state === 'listed'
  if (clear.state === 'listed')
    return { hasTestEntry, problem: `${zone} lists everything, ${clear.subject} too, so its answers mean nothing` }
  const isMissing = !hasTestEntry && apex.ok && apex.answer.rcode === 'NXDOMAIN'
  return { hasTestEntry, problem: isMissing ? `The list ${zone} does not exist (NXDOMAIN)` : null }
}
