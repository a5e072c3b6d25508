import type { DnsRecordType } from '#net/dns/dns-record.ts'
import type { Ask } from '#kinds/dns/ask-dns.ts'
import { findRecords } from '#kinds/dns/dns-records.ts'
import { expandDomainSpec } from './spf-macro.ts'
import { isSpf, parseSpf, type SpfQualifier, type SpfTerm } from './spf-record.ts'

/** Down: receivers cannot use the record (or there is none). Degraded: someone else's servers were in the way. */
export type AuthProblem = { severity: 'down' | 'degraded'; text: string }

export type SpfReport = {
  record: string | null
  /** In the worst case, that of a sender whom nothing but the last term matches. */
  lookups: number
  voidLookups: number
  /** What happens to everyone else; null when no `all` says so. */
  all: SpfQualifier | null
  problem: AuthProblem | null
}

/** RFC 7208 4.6.4. */
const maxLookups = 10
const maxVoidLookups = 2
const maxMailServers = 10
/** Beyond the limit we go on so far, to tell how many there are. */
const maxCounted = 25

type Walk = SpfReport & { ask: Ask; senderDomain: string }
type Place = {
  domain: string
  /** Domains whose records led here, this one included. */
  path: readonly string[]
  isIncluded: boolean
}

/**
 * Reads the SPF record of a domain and everything it leads to, as a receiver does for a sender whom no mechanism
 * matches. What depends on the sender (macros) is counted and not looked up.
 */
export async function auditSpf(domain: string, ask: Ask): Promise<SpfReport> {
  const walk: Walk = { record: null, lookups: 0, voidLookups: 0, all: null, problem: null, ask, senderDomain: domain }
  const found = await readRecord(domain, ask)
  if ('problem' in found) walk.problem = found.problem
  else {
    walk.record = found.record
    await evaluate(found.record, { domain, path: [domain], isIncluded: false }, walk)
  }
  const { record, lookups, voidLookups, all } = walk
  return { record, lookups, voidLookups, all, problem: walk.problem ?? limitProblem(walk) ?? allProblem(walk) }
}

type Read = { record: string } | { problem: AuthProblem; isTemporary: boolean }

async function readRecord(domain: string, ask: Ask): Promise<Read> {
  const asked = await ask(domain, 'TXT')
  if (!asked.ok) return { problem: down(`SPF could not be looked up: ${asked.problem}`), isTemporary: true }
  const texts = findRecords(asked.answer, domain, 'TXT').records.map(({ text }) => text)
  const [record, second] = texts.filter(isSpf)
  if (second !== undefined)
    return { problem: down(`SPF is invalid: ${domain} has two SPF records`), isTemporary: false }
  if (record !== undefined) return { record }
  const why =
    asked.answer.rcode === 'NXDOMAIN' ? 'the name does not exist (NXDOMAIN)' : 'no TXT record begins with v=spf1'
  return { problem: down(`SPF is missing at ${domain}: ${why}`), isTemporary: false }
}

async function evaluate(record: string, place: Place, walk: Walk): Promise<void> {
  const parsed = parseSpf(record)
  if (!parsed.ok) return blame(walk, `SPF is invalid: "${parsed.wrongTerm}" in the record of ${place.domain}`)
  for (const term of parsed.terms) {
    if (term.name === 'all') {
      if (!place.isIncluded) walk.all = term.qualifier
      return
    }
    if (term.name !== 'ip') await evaluateTerm(term, place, walk)
    if (isOver(walk)) return
  }
  if (parsed.redirect !== null) await follow({ word: 'redirects to', spec: parsed.redirect }, place, walk)
}

async function evaluateTerm(term: Exclude<SpfTerm, { name: 'all' | 'ip' }>, place: Place, walk: Walk): Promise<void> {
  if (term.name === 'include') return follow({ word: 'includes', spec: term.domain }, place, walk)
  walk.lookups++
  const { senderDomain } = walk
  const name = term.domain === null ? place.domain : expandDomainSpec(term.domain, { ...place, senderDomain })
  if (name === null || term.name === 'ptr') return
  if (term.name === 'mx') {
    const servers = await count(name, 'MX', walk)
    if (servers !== null && servers > maxMailServers)
      blame(walk, `SPF is invalid: mx of ${name} leads to ${servers} mail servers, more than ${maxMailServers}`)
    if (servers === 0) walk.voidLookups++
    return
  }
  const hasAddress =
    (await count(name, 'A', walk)) !== 0 || (term.name === 'a' && (await count(name, 'AAAA', walk)) !== 0)
  if (!hasAddress) walk.voidLookups++
}

/** How many records there are; null, with the problem noted, when no name server could tell. */
async function count(name: string, type: DnsRecordType, walk: Walk): Promise<number | null> {
  const asked = await walk.ask(name, type)
  if (asked.ok) return findRecords(asked.answer, name, type).records.length
  walk.problem ??= { severity: 'degraded', text: `SPF could not be read to its end: ${asked.problem}` }
  return null
}

type Lead = { word: 'includes' | 'redirects to'; spec: string }

/** RFC 7208 5.2 and 6.1: the record of another domain, which must have one. */
async function follow({ word, spec }: Lead, place: Place, walk: Walk): Promise<void> {
  walk.lookups++
  if (isOver(walk)) return
  const domain = expandDomainSpec(spec, { ...place, senderDomain: walk.senderDomain })
  if (domain === null) return
  const path = [...place.path, domain]
  if (place.path.includes(domain)) return blame(walk, `SPF is invalid: it leads in a circle (${path.join(' > ')})`)
  const found = await readRecord(domain, walk.ask)
  if ('record' in found)
    return evaluate(found.record, { domain, path, isIncluded: place.isIncluded || word === 'includes' }, walk)
  if (found.isTemporary) walk.problem = { severity: 'degraded', text: found.problem.text }
  else blame(walk, `SPF is invalid: ${place.domain} ${word} ${domain}, but ${found.problem.text}`)
}

function isOver(walk: Walk): boolean {
  return walk.problem !== null || walk.lookups > maxCounted
}

function limitProblem({ lookups, voidLookups }: Walk): AuthProblem | null {
  if (lookups > maxLookups) {
    const needed = lookups > maxCounted ? `more than ${maxCounted}` : lookups
    return down(`SPF needs ${needed} DNS look-ups, and receivers give up after ${maxLookups}`)
  }
  if (voidLookups <= maxVoidLookups) return null
  return down(`SPF leads to ${voidLookups} names without records, and receivers give up after ${maxVoidLookups}`)
}

function allProblem({ all }: Walk): AuthProblem | null {
  return all === '+' ? { severity: 'degraded', text: 'SPF lets everyone send: its record ends in +all' } : null
}

function blame(walk: Walk, text: string): void {
  walk.problem = down(text)
}

function down(text: string): AuthProblem {
  return { severity: 'down', text }
}
