import { isDomainName } from '#core/language/domain-name.ts'
import type { Phases } from '#core/results/result.ts'
import { noPhases } from '#core/results/result.ts'
import { timeoutFailure } from '#net/dial/connect-failure.ts'
import { type DnsMessage, encodeQuestion } from './dns-message.ts'
import type { DnsReply, DnsSilence, ServerQuestion } from './dns-query.ts'
import type { DnsAnswer, DnsQuestion } from './dns-record.ts'
import { type DnsServer, forbiddenServer, parseDnsServer } from './dns-servers.ts'
import { askOverTcp } from './dns-tcp.ts'
import { askOverUdp } from './dns-udp.ts'
import type { Guard } from '#net/dial/guard.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { Traffic } from '#net/ground/trace.ts'

export type DnsRequest = DnsQuestion & {
  timeoutMs: number
  /** The only name server that is asked, host[:port] with a literal address; default: those of this location. */
  server?: string | undefined
}

/** Any rcode is an answer; a failure means that no answer came. */
export type DnsOutcome = { latencyMs: number; phases: Phases } & (
  | { ok: true; answer: DnsAnswer }
  | { ok: false; failure: NetFailure }
)

const root = '.'

type Parts = { servers: () => readonly DnsServer[]; guard: Guard; readBuffer: Buffer; traffic: Traffic }
type Time = { endsAt: number; signal: AbortSignal }

const maxServers = 3
/** A lost datagram is sent again after this time, or earlier when the time left is short. */
const maxPauseMs = 3000

/**
 * Asks the operator's name servers one question: twice over UDP, over TCP if the answer does not fit, then the next
 * server. The guard does not check these servers, because the operator chose them and private ones are usual; it checks
 * a server that the request names.
 */
export async function askDns(parts: Parts, request: DnsRequest, signal: AbortSignal): Promise<DnsOutcome> {
  const startedAt = performance.now()
  const isAskable = isDomainName(request.name) || (request.name === root && request.isSigned === true)
  const reply = isAskable ? await askFor(parts, request, signal) : badName(request)
  const latencyMs = Math.round(performance.now() - startedAt)
  return { latencyMs, phases: { ...noPhases, dnsMs: latencyMs }, ...reply }
}

type Outcome = { ok: true; answer: DnsAnswer } | { ok: false; failure: NetFailure }

function askFor(parts: Parts, request: DnsRequest, signal: AbortSignal): Promise<Outcome> {
  const { server } = request
  return server === undefined ? askServers(parts, request, signal) : askOwn(parts, { ...request, server }, signal)
}

/** A server that a monitor names itself is its target: what it says, or does not, is of no other name server. */
async function askOwn(
  { guard, traffic, ...parts }: Parts,
  request: DnsRequest & { server: string },
  signal: AbortSignal,
): Promise<Outcome> {
  const server = parseDnsServer(request.server)
  const problem = forbiddenServer(server, guard)
  if (problem !== null) return refuse('forbidden_address', problem)
  traffic.approached(server.address)
  const quiet = { ...traffic, unresolved: ignore }
  const outcome = await askServers({ ...parts, guard, traffic: quiet, servers: () => [server] }, request, signal)
  if (outcome.ok) traffic.heard(server.address)
  return outcome
}

async function askServers(parts: Parts, request: DnsRequest, signal: AbortSignal): Promise<Outcome> {
  const servers = parts.servers().slice(0, maxServers)
  const time = { endsAt: performance.now() + request.timeoutMs, signal }
  const pauseMs = Math.min(request.timeoutMs / (2 * servers.length), maxPauseMs)
  const silences: DnsSilence[] = servers.length === 0 ? ['unreachable'] : []
  let troubled: DnsAnswer | null = null
  for (const [index, server] of servers.entries()) {
    const isLast = index === servers.length - 1
    const asked = await askServer(
      { server, question: request, readBuffer: parts.readBuffer },
      { ...time, pauseMs, isLast },
    )
    if (!asked.ok) silences.push(asked.silence)
    else if (!isTroubled(asked.answer)) {
      if (asked.answer.rcode === 'NXDOMAIN' && !isOfChain(request)) parts.traffic.notFound()
      return asked
    } else troubled ??= asked.answer
    if (signal.aborted) break
  }
  if (troubled !== null) {
    if (troubled.rcode === 'SERVFAIL' || troubled.rcode === 'REFUSED') parts.traffic.unresolved('troubled')
    return { ok: true, answer: troubled }
  }
  if (!silences.some((silence) => silence === 'garbled' || silence === 'broken_tcp'))
    parts.traffic.unresolved(silences.every((silence) => silence === 'unreachable') ? 'unreachable' : 'silent')
  return { ok: false, failure: failureOf(silences, request) }
}

/** That there is no zone of a name says nothing of the name that the check looks for. */
function isOfChain({ type }: DnsQuestion): boolean {
  return type === 'DS' || type === 'DNSKEY'
}

/** Another server may give a better answer to these codes. */
function isTroubled({ rcode }: DnsAnswer): boolean {
  return rcode !== 'NOERROR' && rcode !== 'NXDOMAIN'
}

type Asked = { ok: true; answer: DnsAnswer } | { ok: false; silence: DnsSilence }

async function askServer(asking: ServerQuestion, time: Time & { pauseMs: number; isLast: boolean }): Promise<Asked> {
  const udp = (hasEdns: boolean): Promise<DnsReply> => {
    const leftMs = time.endsAt - performance.now()
    const firstMs = Math.min(time.pauseMs, leftMs)
    const secondMs = time.isLast ? leftMs - firstMs : Math.min(time.pauseMs, leftMs - firstMs)
    return askOverUdp({ ...asking, ...newQuery(asking.question, hasEdns) }, [firstMs, secondMs], time.signal)
  }
  const first = await udp(true)
  const reply = first.ok && isWithoutEdns(first.message) ? await udp(false) : first
  if (!reply.ok) return reply
  if (!reply.message.isTruncated) return { ok: true, answer: { ...reply.message.answer, isTcp: false } }
  const leftMs = time.endsAt - performance.now()
  const whole = await askOverTcp(
    { ...asking, ...newQuery(asking.question, reply.message.hasEdns) },
    leftMs,
    time.signal,
  )
  return whole.ok
    ? { ok: true, answer: { ...whole.message.answer, isTcp: true } }
    : { ok: false, silence: 'broken_tcp' }
}

/** RFC 6891 7: a server from before EDNS answers that it does not understand. */
function isWithoutEdns({ answer, hasEdns }: DnsMessage): boolean {
  return !hasEdns && (answer.rcode === 'FORMERR' || answer.rcode === 'NOTIMP')
}

function newQuery(question: DnsQuestion, hasEdns: boolean): { id: number; bytes: Buffer } {
  const id = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0
  return { id, bytes: encodeQuestion(question, { id, hasEdns }) }
}

function badName({ name }: DnsRequest): Outcome {
  return refuse('dns_bad_name', `"${name}" cannot be a domain name`)
}

/** The failure for the most telling reason of several servers. */
function failureOf(silences: readonly DnsSilence[], { name, type, timeoutMs }: DnsRequest): NetFailure {
  const known = telling.find((silence) => silences.includes(silence)) ?? 'timed_out'
  const asked = `${type} of ${name}`
  switch (known) {
    case 'timed_out': {
      const { code, phase, message } = timeoutFailure('dns', timeoutMs, name)
      return { code, phase, message: `${message}: no name server answered` }
    }
    case 'garbled':
      return failing('dns_garbled', `The name server's answer to ${asked} is not valid DNS`)
    case 'broken_tcp':
      return failing(
        'dns_tcp_failed',
        `The answer to ${asked} is too long for UDP, and the name server did not give it over TCP`,
      )
    case 'refused':
      return failing('dns_unreachable', `${asked} could not be looked up: no name server listens`)
    case 'unreachable':
      return failing('dns_unreachable', `${asked} could not be looked up: no name server can be reached`)
  }
}

const telling: readonly DnsSilence[] = ['garbled', 'broken_tcp', 'timed_out', 'refused', 'unreachable']

function failing(code: string, message: string): NetFailure {
  return { phase: 'dns', code, message }
}

function refuse(code: string, message: string): Outcome {
  return { ok: false, failure: failing(code, message) }
}

function ignore(): void {}
