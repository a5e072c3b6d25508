import type { Net } from '#net/net.ts'
import type { HttpOutcome } from '#net/http/http-request.ts'
import { parseRdapDomain, parseRdapServers, rdapServerFor, type RdapServers } from './rdap.ts'
import { type LookUp, stepMs, unregistered } from './registration.ts'
import { takeTurn, tooMany, type Turns } from './registry-turns.ts'

type Context = { net: Net; turns: Turns; readServers: () => Promise<RdapServers | string> }

/** Asks a domain's RDAP server; null where none is known. */
export function createRdapSource(parts: {
  net: Net
  turns: Turns
  nowMs: () => number
}): (domain: string) => Promise<LookUp | null> {
  const { net, turns, nowMs } = parts
  const context = { net, turns, readServers: createRdapServers(net, nowMs) }
  return (domain) => ask(domain, context)
}

const day = 86_400_000
const bootstrapRetryMs = 300_000
/** IANA's list has some 100 kB. */
export const maxBootstrapBytes = 512 * 1024

/** IANA's list, read before the first question and then daily; what was read last serves while it cannot be read. */
function createRdapServers(net: Net, nowMs: () => number): () => Promise<RdapServers | string> {
  let known: RdapServers | string = ''
  let validUntilMs = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null
  async function read(): Promise<void> {
    const url = net.services.rdapBootstrapUrl
    const outcome = await fetchText(net, { url, accept: 'application/json', maxBodyBytes: maxBootstrapBytes })
    const fetched = bootstrapOf(outcome)
    if (typeof known === 'string' || typeof fetched !== 'string') known = fetched
    validUntilMs = nowMs() + (typeof fetched === 'string' ? bootstrapRetryMs : day)
  }
  return async () => {
    if (nowMs() >= validUntilMs) {
      underWay ??= read().finally(() => {
        underWay = null
      })
      await underWay
    }
    return known
  }
}

/** The list, or in words why there is none. */
function bootstrapOf(outcome: HttpOutcome): RdapServers | string {
  const text = textOf(outcome)
  const servers = text.ok && text.status === 200 ? parseRdapServers(text.text) : null
  if (servers !== null) return servers
  return `the list of RDAP servers: ${text.ok ? notUnderstood(text.status) : text.problem}`
}

/** Registries answer with 2 to 50 kB. */
export const maxRdapBytes = 512 * 1024

async function ask(domain: string, { net, turns, readServers }: Context): Promise<LookUp | null> {
  const servers = await readServers()
  if (typeof servers === 'string') return { ok: false, problem: servers }
  const base = rdapServerFor(domain, servers)
  if (base === null) return null
  const server = new URL(base).host
  const name = `RDAP server ${server}`
  if (!(await takeTurn(turns, server))) return tooMany(name)
  const url = `${base}domain/${domain}`
  const outcome = await fetchText(net, { url, accept: 'application/rdap+json', maxBodyBytes: maxRdapBytes })
  const text = textOf(outcome)
  if (!text.ok) return { ok: false, problem: `${name}: ${text.problem}` }
  if (text.status === 404) return { ok: true, registration: unregistered, source: 'rdap', server }
  const registration = text.status === 200 ? parseRdapDomain(text.text) : null
  if (registration !== null) return { ok: true, registration, source: 'rdap', server }
  return { ok: false, problem: `${name} ${notUnderstood(text.status)}` }
}

function notUnderstood(status: number): string {
  if (status === 200) return 'answered with something else'
  return status === 429 ? 'wants fewer questions (HTTP status 429)' : `answered with HTTP status ${status}`
}

const maxRedirects = 5

function fetchText(
  net: Net,
  { url, accept, maxBodyBytes }: { url: string; accept: string; maxBodyBytes: number },
): Promise<HttpOutcome> {
  const request = {
    url: new URL(url),
    method: 'GET',
    headers: { 'user-agent': 'Perigee/1 (+uptime check)', accept },
    body: null,
    maxRedirects,
    headersOnly: false,
    maxBodyBytes,
    maxWireBytes: maxBodyBytes,
    timeoutMs: stepMs,
  }
  return net.http(request, AbortSignal.timeout(stepMs))
}

function textOf(outcome: HttpOutcome): { ok: true; status: number; text: string } | { ok: false; problem: string } {
  if (!outcome.ok) return { ok: false, problem: outcome.failure.message }
  const { status, body, isTruncated } = outcome.answer
  return isTruncated
    ? { ok: false, problem: 'the answer is too long' }
    : { ok: true, status, text: new TextDecoder().decode(body) }
}
