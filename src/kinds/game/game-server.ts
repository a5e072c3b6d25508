import { z } from 'zod'
import { parseHostPort } from '#core/language/host-port.ts'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { Net } from '#net/net.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'
import type { TcpExchangeOutcome } from '#net/tcp/tcp-exchange.ts'
import type { UdpOutcome } from '#net/dial/udp.ts'
import { bedrockRequest, isBedrockReply, readBedrockReply } from './game-bedrock.ts'
import { javaStatusRequest, maxReplyBytes, readJavaReply } from './game-java.ts'
import { GameReplyError, type GameStatus } from './game-status.ts'
import { hostTarget, hostTargetProblem } from '#kinds/host-target.ts'
import { type Check, defineKind } from '#kinds/kind.ts'

const usualPorts = { java: 25_565, bedrock: 19_132 } as const

const options = z
  .strictObject({
    edition: z
      .enum(['java', 'bedrock'])
      .default('java')
      .describe(
        '`java` (default): over TCP, where the SRV record leads or at port 25565. `bedrock`: over UDP, port 19132.',
      ),
  })
  .describe('A game server that tells its status.')
type GameOptions = z.infer<typeof options>

type GameObservation =
  | {
      edition: 'java'
      outcome: TcpExchangeOutcome
      /** host:port of the SRV record that was followed, if one was. */
      service: string | null
    }
  | { edition: 'bedrock'; outcome: UdpOutcome }

/** A server of either edition that tells its status; `edition` chooses the protocol and the usual port. */
export const gameServer = defineKind<GameOptions, GameObservation>({
  name: 'game_server',
  options,
  secretOptions: [],
  targetProblem: hostTargetProblem,
  observe: (check, net, signal) =>
    check.options.edition === 'bedrock' ? observeBedrock(check, net, signal) : observeJava(check, net, signal),
  judge: judgeGame,
})

async function observeBedrock(
  { url, timeoutMs }: Check<GameOptions>,
  net: Net,
  signal: AbortSignal,
): Promise<GameObservation> {
  const { host, port } = hostTarget(url, usualPorts.bedrock)
  return {
    edition: 'bedrock',
    outcome: await net.udp({ host, port, payload: newPing, isReply: isBedrockReply, timeoutMs }, signal),
  }
}

function newPing(): Uint8Array {
  return bedrockRequest(crypto.getRandomValues(new Uint8Array(16)))
}

/** How many of the places that SRV records name are tried, when one cannot be connected to. */
const maxPlaces = 3

async function observeJava(check: Check<GameOptions>, net: Net, signal: AbortSignal): Promise<GameObservation> {
  const places = await findPlaces(check, net, signal)
  if (!Array.isArray(places)) return { edition: 'java', service: null, outcome: places }
  for (const [index, { host, port, service }] of places.entries()) {
    const outcome = await net.tcpExchange(
      {
        host,
        port,
        payload: javaStatusRequest(host, port),
        isEnough: isSettled,
        maxBytes: maxReplyBytes,
        timeoutMs: check.timeoutMs,
      },
      signal,
    )
    const isUnreached = !outcome.ok && (outcome.failure.phase === 'dns' || outcome.failure.phase === 'connect')
    if (!isUnreached || signal.aborted || index === places.length - 1) return { edition: 'java', service, outcome }
  }
  throw new Error('A game server is nowhere.')
}

type Place = { host: string; port: number; service: string | null }

/** RFC 2782: a name without a port leads where its SRV records say, if it has any, else to the usual port. */
async function findPlaces(
  { url, timeoutMs }: Check<GameOptions>,
  net: Net,
  signal: AbortSignal,
): Promise<Place[] | TcpExchangeOutcome> {
  const { host, port } = hostTarget(url, usualPorts.java)
  const itself = [{ host, port, service: null }]
  if (parseHostPort(url)?.port !== null || isAddress(host)) return itself
  // Some name servers never answer questions about such records; most of the time is left for the server itself.
  const ownSignal = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs / 3))])
  const found = await net.findService({ name: `_minecraft._tcp.${host}`, timeoutMs }, ownSignal)
  if (!found.ok) return itself
  const places = found.records
    .filter(({ target }) => target !== '')
    .slice(0, maxPlaces)
    .map((record) => ({ host: record.target, port: record.port, service: `${record.target}:${record.port}` }))
  if (places.length > 0) return places
  return found.records.length === 0 ? itself : notOffered(host)
}

/** RFC 2782: a lone record with the root as its target says that the service is decidedly not there. */
function notOffered(host: string): TcpExchangeOutcome {
  const message = `The SRV record of ${host} says that there is no game server`
  return { ok: false, failure: { phase: 'dns', code: 'service_absent', message }, latencyMs: 0, phases: noPhases }
}

function isAddress(host: string): boolean {
  return host.includes(':') || /^[\d.]+$/.test(host)
}

/** True ends the reading: the status is whole, or the bytes cannot become one. */
function isSettled(received: Uint8Array): boolean {
  try {
    return readJavaReply(received) !== null
  } catch (error) {
    if (error instanceof GameReplyError) return true
    throw error
  }
}

function judgeGame(observation: GameObservation, { url }: Pick<Check<GameOptions>, 'url'>): Verdict {
  const { outcome } = observation
  const service = observation.edition === 'java' && observation.service !== null ? { srv: observation.service } : {}
  const base = { statusCode: null, phases: outcome.phases }
  const seen = readStatus(observation, url)
  if (typeof seen === 'string') return { ...base, status: 'down', latencyMs: null, error: seen, details: service }
  return {
    ...base,
    status: 'up',
    latencyMs: outcome.latencyMs,
    error: null,
    details: { ...detailsOf(seen), ...service },
  }
}

/** The status, or why there is none. */
function readStatus(observation: GameObservation, url: string): GameStatus | string {
  try {
    return observation.edition === 'java' ? readJava(observation.outcome, url) : readBedrock(observation.outcome, url)
  } catch (error) {
    if (error instanceof GameReplyError) return `${url} ${error.message}`
    throw error
  }
}

function readJava(outcome: TcpExchangeOutcome, url: string): GameStatus | string {
  if (!outcome.ok) return outcome.failure.message
  const status = readJavaReply(outcome.received)
  if (status !== null) return status
  if (outcome.end === 'full') return `${url} sent a status of more than ${maxReplyBytes / 1024} KiB`
  return outcome.received.length === 0
    ? `${url} closed the connection before its status came`
    : `${url} closed the connection in the middle of its status`
}

function readBedrock(outcome: UdpOutcome, url: string): GameStatus | string {
  if (outcome.ok) return readBedrockReply(outcome.reply)
  const isOther = outcome.other !== null && isTimeout(outcome.failure)
  return isOther ? `${url} answered, but not as a game server does` : outcome.failure.message
}

function isTimeout({ code }: NetFailure): boolean {
  return code === 'timed_out'
}

function detailsOf({ version, protocol, playersOnline, playersMax, message }: GameStatus): Record<string, unknown> {
  return { version, protocol, players_online: playersOnline, players_max: playersMax, message }
}
