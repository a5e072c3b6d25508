import { randomBytes } from 'node:crypto'
import type { Verdict } from '#core/results/result.ts'
import type { Peer, TalkOutcome } from '#net/tcp/talk.ts'
import { type AddressForm, addressProblem, addressTarget } from '#kinds/address-target.ts'
import { type Finding, judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls, secretAccess, toldBy } from '#kinds/talk/access-options.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import type { Told } from '#kinds/told.ts'
import {
  emptyMessage,
  longText,
  maxFrameBytes,
  methodFrame,
  methods,
  notAmqp,
  number,
  protocolHeader,
  shortText,
  table,
  takeMethod,
} from './amqp-frames.ts'
import {
  type Closing,
  type QueueCounts,
  readClosing,
  readQueue,
  readReason,
  readStart,
  readTune,
  type Start,
} from './amqp-methods.ts'
import { maxNameBytes, rabbitmqOptions, type RabbitmqOptions } from './rabbitmq-options.ts'

const maxBytes = 256 * 1024

const form: AddressForm = {
  ports: { amqp: 5672, amqps: 5671 },
  example: 'amqps://broker.example.com:5671',
  path: {
    noun: 'virtual host',
    problem: (name) =>
      Buffer.byteLength(name) > maxNameBytes
        ? `Must end with a virtual host of at most ${maxNameBytes} bytes, or with none.`
        : null,
  },
}

/** What a check saw, as far as it came. */
export type RabbitmqSight = {
  product?: string | undefined
  version?: string | undefined
  cluster?: string | undefined
  queue?: QueueCounts
  /** Why the server takes no messages. */
  alarm?: string
}
export type RabbitmqObservation = { outcome: TalkOutcome; sight: RabbitmqSight }

/** A broker that speaks AMQP 0-9-1, as RabbitMQ does: it lets a client in, takes messages, and has a queue. */
export const rabbitmq = defineKind<RabbitmqOptions, RabbitmqObservation>({
  name: 'rabbitmq',
  options: rabbitmqOptions,
  secretOptions: secretAccess,
  targetProblem: addressProblem(form),
  observe: async ({ url, options, timeoutMs }, net, signal) => {
    const { scheme, host, port, path } = addressTarget(url, form)
    const sight: RabbitmqSight = {}
    const outcome = await net.talk(
      {
        host,
        port,
        security: scheme === 'amqps' ? 'tls' : 'none',
        tls: ownTls(options),
        speak: (peer) => speak({ peer, options, sight, told: toldBy(options) }, path ?? '/'),
        maxBytes,
        timeoutMs,
      },
      signal,
    )
    return { outcome, sight }
  },
  judge: judgeRabbitmq,
})

type Talk = { peer: Peer; options: RabbitmqOptions; sight: RabbitmqSight; told: Told }

/** Number of the one channel. */
const channel = 1

async function speak(talk: Talk, virtualHost: string): Promise<void> {
  const { peer, options } = talk
  peer.send(protocolHeader)
  await signIn(talk)
  await enter(talk, virtualHost)
  peer.beginWork()
  peer.send(methodFrame(channel, methods.openChannel, shortText('')))
  await takeAnswer(talk, { id: methods.channelOpened, awaited: 'the channel', refusal: 'channel' })
  if (options.queue !== undefined) await askForQueue(talk, options.queue)
  await tryToPublish(talk)
}

/** RabbitMQ says why a sign-in fails, and when it takes no messages, only to clients that ask for it. */
const clientProperties = table({
  product: 'Perigee',
  capabilities: { authentication_failure_close: true, 'connection.blocked': true },
})

async function signIn(talk: Talk): Promise<void> {
  const { peer, options, sight, told } = talk
  const { username = 'guest', password = 'guest' } = options
  const greeting = { id: methods.start, awaited: 'the greeting', refusal: 'client' }
  const start: Start = whole(peer, readStart(await takeAnswer(talk, greeting)))
  const textOf = (name: string): string | undefined => {
    const text = start.properties.get(name)
    return text === undefined ? undefined : told.readable(text)
  }
  sight.product = textOf('product')
  sight.version = textOf('version')
  sight.cluster = textOf('cluster_name')
  if (!start.mechanisms.includes('PLAIN'))
    throw peer.fault(`The server takes no password (PLAIN), but ${told.quoted(start.mechanisms.join(' '))}`)
  const credentials = longText(`\0${username}\0${password}`)
  peer.send(methodFrame(0, methods.startOk, clientProperties, shortText('PLAIN'), credentials, shortText('en_US')))
}

/** 4.2.3: a smaller limit of frames is none of this protocol. */
const leastFrameBytes = 4096

/**
 * The server is asked for heartbeats, and is sent none: one that takes no messages reads nothing more, and only by
 * sending it notices that this client has left. The check is over before the server misses any.
 */
const heartbeatSeconds = 60

async function enter(talk: Talk, virtualHost: string): Promise<void> {
  const { peer } = talk
  const body = await takeAnswer(talk, { id: methods.tune, awaited: 'the answer to the sign-in', refusal: 'sign-in' })
  const { maxFrameBytes: most } = whole(peer, readTune(body))
  if (most !== 0 && most < leastFrameBytes)
    throw peer.fault(`The server wants frames of at most ${most} bytes, fewer than ${leastFrameBytes}`)
  const agreed = most === 0 ? maxFrameBytes : Math.min(most, maxFrameBytes)
  peer.send(
    Buffer.concat([
      methodFrame(0, methods.tuneOk, number(channel, 2), number(agreed, 4), number(heartbeatSeconds, 2)),
      methodFrame(0, methods.open, shortText(virtualHost), shortText(''), number(0, 1)),
    ]),
  )
  await takeAnswer(talk, { id: methods.openOk, awaited: 'the answer about the virtual host', refusal: 'virtual host' })
}

/** Passive: nothing is made where nothing is. */
async function askForQueue(talk: Talk, queue: string): Promise<void> {
  const passive = 1
  talk.peer.send(
    methodFrame(channel, methods.declareQueue, number(0, 2), shortText(queue), number(passive, 1), table({})),
  )
  const answer = { id: methods.queueDeclared, awaited: 'the counts of the queue', refusal: 'queue' }
  talk.sight.queue = whole(talk.peer, readQueue(await takeAnswer(talk, answer)))
}

/**
 * A server with an alarm says so to a client that publishes, and reads nothing more of it. So the empty message, which
 * no queue gets, is answered by the alarm, or else by the answer to the farewell. A user may lack the right to publish.
 */
async function tryToPublish(talk: Talk): Promise<void> {
  const { peer, sight, told } = talk
  const toNoQueue = shortText(`perigee-${randomBytes(8).toString('hex')}`)
  const defaultExchange = shortText('')
  const publication = methodFrame(channel, methods.publish, number(0, 2), defaultExchange, toNoQueue, number(0, 1))
  peer.send(Buffer.concat([publication, emptyMessage(channel), farewell()]))
  for (;;) {
    const { id, body } = await takeMethod(peer, 'the answer to the farewell')
    if (id === methods.closeOk) return
    if (id === methods.close) throw closed(talk, body)
    if (id === methods.blocked) {
      sight.alarm = told.quoted(whole(peer, readReason(body)))
      return
    }
    if (id !== methods.closeChannel) throw peer.fault(notAmqp)
  }
}

function farewell(): Buffer {
  const ok = number(200, 2)
  return methodFrame(0, methods.close, ok, shortText(''), number(0, 2), number(0, 2))
}

/** `refusal` names, for texts, what the server refuses when it answers with an end. */
type Answer = { id: number; awaited: string; refusal: string }

async function takeAnswer(talk: Talk, { id, awaited, refusal }: Answer): Promise<Buffer> {
  const { peer, told } = talk
  const method = await takeMethod(peer, awaited)
  if (method.id === id) return method.body
  if (method.id === methods.close) throw closed(talk, method.body, refusal)
  if (method.id !== methods.closeChannel) throw peer.fault(notAmqp)
  peer.send(farewell())
  throw peer.fault(refusalText(whole(peer, readClosing(method.body)), told, refusal))
}

/** The reply codes of AMQP 0-9-1 (1.2) that are told in words of our own. */
const codes = { accessRefused: 403, notFound: 404, notAllowed: 530 } as const

function closed({ peer, told }: Talk, body: Buffer, refusal?: string): Error {
  peer.send(methodFrame(0, methods.closeOk))
  return peer.fault(refusalText(whole(peer, readClosing(body)), told, refusal))
}

function refusalText({ code, text }: Closing, told: Told, refusal: string | undefined): string {
  const said = text === '' ? `code ${code}` : told.quoted(text)
  if (refusal === 'sign-in' && code === codes.accessRefused)
    return 'The server does not accept the user or the password'
  if (refusal === 'queue' && code === codes.notFound) return `The queue does not exist: ${said}`
  const isOfStep = code === codes.accessRefused || code === codes.notAllowed || refusal === 'queue'
  return isOfStep && refusal !== undefined
    ? `The server refuses the ${refusal}: ${said}`
    : `The server ends the connection: ${said}`
}

function whole<Read>(peer: Peer, read: Read | null): Read {
  if (read === null) throw peer.fault(notAmqp)
  return read
}

export function judgeRabbitmq(
  { outcome, sight }: RabbitmqObservation,
  { options }: Pick<Check<RabbitmqOptions>, 'options'>,
): Verdict {
  const { product, version, cluster, queue } = sight
  const details = {
    ...(product === undefined ? {} : { product }),
    ...(version === undefined ? {} : { server_version: version }),
    ...(cluster === undefined ? {} : { cluster_name: cluster }),
    ...(queue === undefined ? {} : { ready_messages: queue.messages, consumers: queue.consumers }),
  }
  return judgeTalk(outcome, { details, findings: findingsOf(sight, options), maxLatencyMs: options.max_latency_ms })
}

function findingsOf({ queue, alarm }: RabbitmqSight, options: RabbitmqOptions): Finding[] {
  const { messages = 0, consumers = Infinity } = queue ?? {}
  const { max_messages: most = Infinity, min_consumers: least = 0 } = options
  const isUnread = least > 0 && consumers === 0
  const findings: [holds: boolean, Finding['status'], string][] = [
    [isUnread, 'down', `The queue has no consumer, expected at least ${least}`],
    [alarm !== undefined, 'degraded', `The server takes no messages: ${alarm}`],
    [consumers < least, 'degraded', `The queue has fewer consumers than ${least}: ${consumers}`],
    [messages > most, 'degraded', `The queue has more ready messages than ${most}: ${messages}`],
  ]
  return findings.flatMap(([holds, status, error]) => (holds ? [{ status, error }] : []))
}
