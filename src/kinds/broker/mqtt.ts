import { randomBytes } from 'node:crypto'
import type { Verdict } from '#core/results/result.ts'
import type { Peer, TalkOutcome } from '#net/tcp/talk.ts'
import { type AddressForm, addressProblem, addressTarget } from '#kinds/address-target.ts'
import { type Finding, judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls, secretAccess } from '#kinds/talk/access-options.ts'
import { isExpected } from '#kinds/talk/expected-message.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import type { Asking } from '#kinds/web/question-thread.ts'
import { askingOf } from '#kinds/web/web-kind.ts'
import { mqttOptions, type MqttOptions } from './mqtt-options.ts'
import {
  connectPacket,
  disconnectPacket,
  type MqttHead,
  notMqtt,
  packetTypes,
  pubackPacket,
  type Publication,
  publishPacket,
  readCodes,
  readPublication,
  subscribePacket,
  takeHead,
  unsubscribePacket,
} from './mqtt-packets.ts'
import { leastFailure, reasonText, signInProblem } from './mqtt-reasons.ts'

const maxBytes = 256 * 1024
/** A longer packet with the message of `watched_topic` stays unread. */
const maxReadBytes = 128 * 1024
/** Longer than any check, so that nothing has to be sent to keep the connection. */
const keepAliveSeconds = 300

const form: AddressForm = {
  ports: { mqtt: 1883, mqtts: 8883 },
  example: 'mqtts://broker.example.com:8883',
  path: null,
}

/** What a check saw, as far as it came. */
export type MqttSight = {
  /** From the publication of our own message until it came back. */
  roundTripMs?: number
  /** Whether the message of `watched_topic` is the expected one. */
  isAsExpected?: boolean | undefined
}
export type MqttObservation = { outcome: TalkOutcome; sight: MqttSight }

/** A broker that speaks MQTT: it lets a client in, and passes messages on. */
export const mqtt = defineKind<MqttOptions, MqttObservation>({
  name: 'mqtt',
  options: mqttOptions,
  secretOptions: secretAccess,
  targetProblem: addressProblem(form),
  observe: async (check, net, signal) => {
    const { url, options, timeoutMs } = check
    const { scheme, host, port } = addressTarget(url, form)
    const sight: MqttSight = {}
    const outcome = await net.talk(
      {
        host,
        port,
        security: scheme === 'mqtts' ? 'tls' : 'none',
        tls: ownTls(options),
        speak: (peer) => speak({ peer, check, sight, asking: askingOf(net), signal }),
        maxBytes,
        timeoutMs,
      },
      signal,
    )
    return { outcome, sight }
  },
  judge: judgeMqtt,
})

type Talk = { peer: Peer; check: Check<MqttOptions>; sight: MqttSight; asking: Asking; signal: AbortSignal }

async function speak(talk: Talk): Promise<void> {
  const { peer, check } = talk
  const { topic, watched_topic: watched } = check.options
  await signIn(talk)
  peer.beginWork()
  if (topic !== undefined) await sendAround(talk, topic)
  if (watched !== undefined) await watch(talk, watched)
  peer.send(disconnectPacket())
}

/** The longest name that every server of 3.1.1 takes has 23 characters (3.1.3.1). */
function uniqueName(): string {
  return `perigee${randomBytes(8).toString('hex')}`
}

async function signIn({ peer, check }: Talk): Promise<void> {
  const { protocol_version: version, username, password } = check.options
  const awaited = 'the answer to the sign-in'
  peer.send(connectPacket(version, { clientId: uniqueName(), username, password, keepAliveSeconds }))
  const { type, length } = await takeHead(peer, awaited)
  if (type !== packetTypes.connack || length < 2) throw peer.fault(notMqtt)
  const code = (await peer.take(length, awaited)).readUInt8(1)
  if (code !== 0) throw peer.fault(signInProblem(code, { version, hasUser: username !== undefined }))
}

const ids = { ownTopic: 1, publication: 2, watchedTopic: 3 } as const

/** Several locations may do so at the same time, so that messages of others are passed over. */
async function sendAround(talk: Talk, topic: string): Promise<void> {
  const { peer, check, sight } = talk
  const { protocol_version: version, qos = 0 } = check.options
  peer.send(subscribePacket(version, { id: ids.ownTopic, topic, qos }))
  await takeAnswer(talk, packetTypes.suback, 'the answer to the subscription')
  const payload = Buffer.from(uniqueName())
  const startedAt = performance.now()
  peer.send(publishPacket(version, { id: ids.publication, topic, qos, payload }))
  let isTaken = qos === 0
  while (!isTaken || sight.roundTripMs === undefined) {
    const awaited = sight.roundTripMs === undefined ? 'the message to come back' : 'the answer to the publication'
    const { type, body, message } = await takePacket(talk, awaited)
    if (type === packetTypes.puback) {
      checkPublication(talk, body)
      isTaken = true
    } else if (message === null) throw peer.fault(notMqtt)
    else if (message.topic === topic && message.payload.equals(payload))
      sight.roundTripMs ??= Math.round(performance.now() - startedAt)
  }
  peer.send(unsubscribePacket(version, { id: ids.ownTopic, topic }))
  await takeAnswer(talk, packetTypes.unsuback, 'the answer to the end of the subscription')
}

/** In MQTT 3.1.1, and where all is well, a PUBACK has no code. */
function checkPublication({ peer }: Talk, body: Buffer): void {
  const code = body[2] ?? 0
  if (code >= leastFailure) throw peer.fault(`The server refuses the message: ${reasonText(code)}`)
}

/** Nothing else is subscribed to any more, so that each message belongs to this topic. It may come before the answer. */
async function watch(talk: Talk, topic: string): Promise<void> {
  const { peer, check, sight } = talk
  const { protocol_version: version, expected_message: wanted, message_pattern: pattern } = check.options
  const isAnyExpected = wanted === undefined && pattern === undefined
  const awaited = 'a message of the watched topic'
  peer.send(subscribePacket(version, { id: ids.watchedTopic, topic, qos: 0 }))
  while (sight.isAsExpected === undefined) {
    const head = await takeHead(peer, awaited)
    if (head.type === packetTypes.publish && head.length > maxReadBytes) sight.isAsExpected = isAnyExpected
    else {
      const { type, body, message } = await takeBody(talk, head, awaited)
      if (message !== null) sight.isAsExpected = (await isExpected(talk, message.payload)) ?? undefined
      else if (type === packetTypes.suback) checkSubscription(talk, body)
      else throw peer.fault(notMqtt)
    }
  }
}

/** Passes over messages that come before. */
async function takeAnswer(talk: Talk, type: number, awaited: string): Promise<void> {
  for (;;) {
    const packet = await takePacket(talk, awaited)
    if (packet.type === type) return type === packetTypes.suback ? checkSubscription(talk, packet.body) : undefined
    if (packet.message === null) throw talk.peer.fault(notMqtt)
  }
}

function checkSubscription({ peer, check }: Talk, body: Buffer): void {
  const { protocol_version: version } = check.options
  const codes = readCodes(version, body)
  const code = codes?.length === 1 ? codes[0] : undefined
  if (code === undefined) throw peer.fault(notMqtt)
  if (code < leastFailure) return
  // MQTT 3.1.1 has no other code of a failure.
  const why = version === '5' ? `: ${reasonText(code)}` : ''
  throw peer.fault(`The server refuses the subscription to the topic${why}`)
}

type Packet = { type: number; body: Buffer; message: Publication | null }

async function takePacket(talk: Talk, awaited: string): Promise<Packet> {
  return takeBody(talk, await takeHead(talk.peer, awaited), awaited)
}

/** A message that wants to be acknowledged is. A server of MQTT 5 may end the connection with a reason. */
async function takeBody({ peer, check }: Talk, { type, flags, length }: MqttHead, awaited: string): Promise<Packet> {
  const { protocol_version: version } = check.options
  const body = await peer.take(length, awaited)
  if (type === packetTypes.disconnect && version === '5')
    throw peer.fault(`The server ends the connection: ${reasonText(body[0] ?? 0)}`)
  if (type !== packetTypes.publish) return { type, body, message: null }
  const message = readPublication(version, flags, body)
  if (message === null) throw peer.fault(notMqtt)
  if (message.qos > 0) peer.send(pubackPacket(message.id))
  return { type, body, message }
}

export function judgeMqtt(
  { outcome, sight: { roundTripMs, isAsExpected } }: MqttObservation,
  { options }: Pick<Check<MqttOptions>, 'options'>,
): Verdict {
  const error = 'The watched topic has another message than the expected one'
  const findings: Finding[] = isAsExpected === false ? [{ status: 'down', error }] : []
  return judgeTalk(outcome, {
    details: roundTripMs === undefined ? {} : { round_trip_ms: roundTripMs },
    findings,
    maxLatencyMs: options.max_latency_ms,
  })
}
