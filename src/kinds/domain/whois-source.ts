import { parseHostPort } from '#core/language/host-port.ts'
import { publicServices } from '#core/monitors/outside-services.ts'
import type { Net } from '#net/net.ts'
import { longestSuffix } from './domain-suffix.ts'
import { type LookUp, stepMs } from './registration.ts'
import { takeTurn, tooMany, type Turns } from './registry-turns.ts'
import { ownWhoisServers, sharedWhoisServers } from './whois-servers.ts'
import { readWhois, whoisReferral } from './whois-text.ts'

type Context = { net: Net; turns: Turns; servers: ReadonlyMap<string, string> }

/** Asks a domain's WHOIS server. */
export function createWhoisSource({ net, turns }: Omit<Context, 'servers'>): (domain: string) => Promise<LookUp> {
  const context = { net, turns, servers: readServers() }
  return (domain) => ask(domain, context)
}

type Server = { host: string; port: number }

const usualPort = 43
const maxWhoisBytes = 64 * 1024

/** The servers that IANA would refer to are known; a root of one's own is asked itself, and what it refers to. */
async function ask(domain: string, context: Context): Promise<LookUp> {
  const root = context.net.services.whoisHost
  const isPublic = root.host === publicServices.whoisHost.host
  const known = isPublic ? longestSuffix(domain, (name) => context.servers.get(name)) : null
  if (known !== null) return read(domain, { host: known, port: usualPort }, context)
  const answer = await query(domain, root, context)
  if (!answer.ok) return answer
  const referral = referralOf(answer.text)
  if (referral !== null) return read(domain, referral, context)
  if (!isPublic) return understood(answer.text, domain, root)
  return { ok: false, problem: `no RDAP or WHOIS server is known for .${domain.split('.').at(-1)}` }
}

async function read(domain: string, server: Server, context: Context): Promise<LookUp> {
  const answer = await query(domain, server, context)
  return answer.ok ? understood(answer.text, domain, server) : answer
}

function understood(text: string, domain: string, server: Server): LookUp {
  const reading = readWhois(text, domain)
  if (!reading.ok) return { ok: false, problem: `${nameOf(server)} ${reading.problem}` }
  return { ok: true, registration: reading.registration, source: 'whois', server: server.host }
}

function referralOf(text: string): Server | null {
  const target = parseHostPort(whoisReferral(text) ?? '')
  return target === null ? null : { host: target.host, port: target.port ?? usualPort }
}

async function query(
  domain: string,
  { host, port }: Server,
  { net, turns }: Context,
): Promise<{ ok: true; text: string } | { ok: false; problem: string }> {
  if (!(await takeTurn(turns, `${host} ${port}`))) return tooMany(nameOf({ host, port }))
  const question = spoken.get(host)?.(domain) ?? domain
  const request = { host, port, query: question, maxBytes: maxWhoisBytes, timeoutMs: stepMs }
  const outcome = await net.whois(request, AbortSignal.timeout(stepMs))
  return outcome.ok ? outcome : { ok: false, problem: `${nameOf({ host, port })}: ${outcome.failure.message}` }
}

function nameOf({ host }: Server): string {
  return `WHOIS server ${host}`
}

/** Servers that take a bare name for a question about something else, or answer it in another language. */
const spoken = new Map<string, (domain: string) => string>([
  ['whois.verisign-grs.com', (domain) => `domain ${domain}`],
  ['whois.denic.de', (domain) => `-T dn,ace ${domain}`],
  ['whois.jprs.jp', (domain) => `${domain}/e`],
])

function readServers(): ReadonlyMap<string, string> {
  const servers = new Map<string, string>()
  for (const name of ownWhoisServers.trim().split(/\s+/)) servers.set(name, `whois.nic.${name}`)
  for (const line of sharedWhoisServers.trim().split('\n')) {
    const [host = '', ...names] = line.split(' ')
    for (const name of names) servers.set(name, host)
  }
  return servers
}
