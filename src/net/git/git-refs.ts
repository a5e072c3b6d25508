import type { Phases } from '#core/results/result.ts'
import { type Advertisement, readAdvertisement, readRefList, type RefList } from './git-advertisement.ts'
import {
  answerProblem,
  below,
  failed,
  type GitFailed,
  maxListBytes,
  movedTo,
  movedText,
  notGit,
  refusal,
  service,
  withSuffix,
} from './git-answers.ts'
import { delimiterPacket, flushPacket, writePacket } from './git-packets.ts'
import { basicAuthorization, type GitRepository, inWords, partsFor } from './git-repository.ts'
import { fetchChain } from '#net/http/http.ts'
import type { HttpAnswer, HttpOutcome, HttpRequest } from '#net/http/http-request.ts'
import type { TlsSession } from '#net/tls/tls.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { Parts } from '#net/dial/reach.ts'

export type GitRefsRequest = GitRepository & {
  /** Prefixes of full names. Names with other prefixes may be left out; HEAD is always included. */
  prefixes: readonly string[]
  /** The text of a time-out names this time; `signal` ends the exchange. */
  timeoutMs: number
}

/** The figures are sums over the exchanges; `status` is the last HTTP status, null before one came. */
export type GitRefsOutcome = {
  latencyMs: number
  phases: Phases
  status: number | null
} & (
  | {
      ok: true
      refs: RefList
      /** The address of the repository, with `.git` where the server insists on it. */
      url: URL
      address: string
      tls: TlsSession | null
    }
  | { ok: false; failure: NetFailure }
)

/**
 * Reads the names of branches and tags as `git ls-remote` does, but over exchanges of our own: two requests, no
 * process, and failures in the words of every other check. `status` belongs to the failure `git_status`.
 */
export async function readRefs(parts: Parts, request: GitRefsRequest, signal: AbortSignal): Promise<GitRefsOutcome> {
  const asking: Asking = { parts: partsFor(parts, request), request, signal, spent: [] }
  const first = await discover(asking, request.url)
  const found = first === 'add .git' ? await discover(asking, withSuffix(request.url)) : first
  if (typeof found === 'string') return told(asking, failed('git_redirect', loop))
  if (!found.ok) return told(asking, found)
  const { advertisement, url, answer } = found
  switch (advertisement.type) {
    case 'error':
      return told(asking, refusal(advertisement.words))
    case 'refs':
      return { ...figures(asking), ok: true, refs: advertisement.refs, url, address: answer.address, tls: answer.tls }
    case 'capabilities':
      return askForRefs(asking, url, advertisement.capabilities)
  }
}

type Asking = { parts: Parts; request: GitRefsRequest; signal: AbortSignal; spent: HttpOutcome[] }

type Discovered = { ok: true; advertisement: Advertisement; url: URL; answer: HttpAnswer } | GitFailed

const loop = 'Redirect loop: the server leads to the same address with .git again and again'

async function discover(asking: Asking, url: URL): Promise<Discovered | 'add .git'> {
  const outcome = await exchange(asking, below(url, `/info/refs?service=${service}`), {
    accept: `application/x-${service}-advertisement`,
  })
  if (!outcome.ok) return { ok: false, failure: inWords(outcome.failure, asking.request) }
  const { answer } = outcome
  const moved = movedTo(answer, url)
  if (moved !== null)
    return moved.address?.href === withSuffix(url).href ? 'add .git' : failed('git_redirect', movedText(moved))
  const problem = answerProblem(answer, 'advertisement')
  if (problem !== null) return problem
  const advertisement = readAdvertisement(answer.body)
  return advertisement === null ? notGit() : { ok: true, advertisement, url, answer }
}

/** gitprotocol-v2: the request uses only capabilities that the server has named. */
async function askForRefs(
  asking: Asking,
  url: URL,
  capabilities: ReadonlyMap<string, string>,
): Promise<GitRefsOutcome> {
  if (!capabilities.has('ls-refs')) return told(asking, notGit())
  const format = capabilities.get('object-format')
  const hasUnborn = capabilities.get('ls-refs')?.split(' ').includes('unborn') === true
  const body = [
    writePacket('command=ls-refs'),
    ...(format === undefined ? [] : [writePacket(`object-format=${format}`)]),
    delimiterPacket,
    writePacket('symrefs'),
    ...(hasUnborn ? [writePacket('unborn')] : []),
    ...['HEAD', ...asking.request.prefixes].map((prefix) => writePacket(`ref-prefix ${prefix}`)),
    flushPacket,
  ].join('')
  const outcome = await exchange(asking, below(url, `/${service}`), {
    accept: `application/x-${service}-result`,
    'content-type': `application/x-${service}-request`,
    body,
  })
  if (!outcome.ok) return told(asking, { ok: false, failure: outcome.failure })
  const { answer } = outcome
  const problem = answerProblem(answer, 'result')
  if (problem !== null) return told(asking, problem)
  const refs = readRefList(answer.body)
  if (refs === null) return told(asking, notGit())
  if ('error' in refs) return told(asking, refusal(refs.error))
  return { ...figures(asking), ok: true, refs, url, address: answer.address, tls: answer.tls }
}

/** Never follows a redirect, which would carry the credentials to another host. */
async function exchange(
  { parts, request, signal, spent }: Asking,
  url: URL,
  { body, ...headers }: { accept: string; 'content-type'?: string; body?: string },
): Promise<HttpOutcome> {
  const { credentials, timeoutMs } = request
  const wire: HttpRequest = {
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'user-agent': 'git/2 Perigee/1 (+uptime check)',
      'git-protocol': 'version=2',
      ...headers,
      ...(credentials === null ? {} : { authorization: basicAuthorization(credentials) }),
    },
    body: body ?? null,
    maxRedirects: 0,
    headersOnly: false,
    maxBodyBytes: maxListBytes,
    maxWireBytes: maxListBytes,
    timeoutMs,
  }
  const outcome = await fetchChain(parts, wire, signal)
  spent.push(outcome)
  return outcome
}

function told(asking: Asking, { failure }: GitFailed): GitRefsOutcome {
  return { ...figures(asking), ok: false, failure }
}

function figures({ spent }: Asking): Pick<GitRefsOutcome, 'latencyMs' | 'phases' | 'status'> {
  const last = spent.at(-1)
  return {
    latencyMs: spent.reduce((total, { latencyMs }) => total + latencyMs, 0),
    phases: spent.map(({ phases }) => phases).reduce(addPhases),
    status: last === undefined ? null : last.ok ? last.answer.status : last.status,
  }
}

function addPhases(one: Phases, other: Phases): Phases {
  return {
    dnsMs: sum(one.dnsMs, other.dnsMs),
    connectMs: sum(one.connectMs, other.connectMs),
    tlsMs: sum(one.tlsMs, other.tlsMs),
    ttfbMs: sum(one.ttfbMs, other.ttfbMs),
    transferMs: sum(one.transferMs, other.transferMs),
  }
}

function sum(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0)
}
