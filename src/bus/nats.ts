// The bus between processes. Results lie in JetStream until they are stored; all else is told at most once, because it
// is told again soon, asked for again, or compared with the table anyway.
import { announceMs, type Assignment } from '#core/monitors/check.ts'
import { callSettledMs } from '#core/monitors/heartbeat.ts'
import type { CountersignOffer, CountersignReply } from '#core/proofs/countersign.ts'
import type { Bus, Presence, ProberBus, Unsubscribe } from './bus.ts'
import {
  changeCodec,
  CodecError,
  decodeAssignments,
  encodeAssignments,
  presenceCodec,
  takenRouteCodec,
} from './codec.ts'
import { answerConfigurationRequests, requestConfigurations } from './nats-configurations.ts'
import { answerCountersigning, offerCountersignatures } from './nats-countersigning.ts'
import { type Connection, openConnection } from './nats-connection.ts'
import { createResultConsumer } from './nats-result-consumer.ts'
import type { BusLog, NatsOptions } from './nats-options.ts'
import { ResultPublisher } from './nats-publisher.ts'
import { ensureResultStream } from './nats-stream.ts'
import {
  anyPresence,
  anyRoute,
  assignmentSubject,
  changesSubject,
  inboxPrefix,
  locationOf,
  presenceSubject,
  routeQueue,
  routeSubject,
  trialSubject,
  triedSubject,
} from './nats-subjects.ts'
import { answerTrial, askTrial, tellVerdict } from './trials.ts'
import { systemTime } from '#time/time.ts'

export type NatsBusOptions = {
  nats: NatsOptions
  /** The name of this process or thread, shown in the broker's own lists. */
  name: string
  log: BusLog
  /** How long the broker may be away at the start; 30 s unless told. */
  startMs?: number
}

/**
 * Probers that lost the broker announce themselves as soon as they are back, which takes them less than `announceMs`.
 */
const delays = { presenceMs: announceMs + 1_000, resultMs: 1_000, callMs: callSettledMs } as const
/** The caller of a heartbeat address waits for its answer, so its result hardly waits for others. */
const engineGather = { gatherMs: 2, urgentMs: 2 }
/**
 * Results of a location spread over 64 partitions, so messages need time to fill. A failure leaves sooner: an alert may
 * wait for it.
 */
const proberGather = { gatherMs: 250, urgentMs: 20 }

/**
 * Connects engines, APIs and jobs. Makes and mends the stream. Throws BusStartError, with a line for the operator, when
 * the broker cannot be reached or is not as it has to be.
 */
export async function connectEngineBus(options: NatsBusOptions): Promise<Bus> {
  const { nats, log } = options
  const connection = await openConnection({ ...options, inboxPrefix: '_INBOX' })
  try {
    await ensureResultStream(connection.client, nats.stream)
    const consumer = await createResultConsumer({ connection, stream: nats.stream, log })
    const publisher = new ResultPublisher(connection, engineGather)
    return {
      ...proberSide(connection, publisher),
      assign: (location, prober, assignments) =>
        connection.send(assignmentSubject(location, prober), encodeAssignments(assignments)),
      tryCheck: (location, prober, trial) =>
        askTrial(
          {
            ask: (bytes) => connection.send(trialSubject(location, prober), bytes),
            listen: (id, handler) => connection.listen(triedSubject(location, id), ({ data }) => handler(data)),
            time: systemTime,
          },
          trial,
        ),
      onResults: (handler) => consumer.onResults(handler),
      holdPartitions: (partitions) => consumer.hold(partitions),
      releasePartitions: (partitions) => consumer.release(partitions),
      hasHeard: (partitions) => consumer.hasHeard(partitions),
      onConfigurationRequest: (handler) => answerConfigurationRequests(connection, handler, log),
      onCountersigning: (handler) => answerCountersigning(connection, handler, log),
      onRoutes: (handler) =>
        connection.listen(anyRoute, ({ subject, data }) => handler(locationOf(subject), takenRouteCodec.decode(data)), {
          queue: routeQueue,
        }),
      onPresence: (handler) =>
        connection.listen(anyPresence, ({ subject, data }) => handler(presenceOf(subject, data))),
      announceChange: (change) => connection.send(changesSubject, changeCodec.encode(change)),
      onChange: (handler) => connection.listen(changesSubject, ({ data }) => handler(changeCodec.decode(data))),
      isConnected: () => connection.isConnected,
      delays,
      readBacklog: () => consumer.readBacklog(),
      close: async () => {
        await publisher.close()
        await consumer.close()
        await connection.close()
      },
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

export type ProberConnection = ProberBus & {
  /** Rejects where no engine answers in time, and where the broker does not let this location offer any. */
  offerCountersignatures: (offer: CountersignOffer) => Promise<CountersignReply>
  isConnected: () => boolean
  close: () => Promise<void>
}

/** Connects the probers of one location, with that location's credential. Throws as `connectEngineBus` does. */
export async function connectProberBus(options: NatsBusOptions & { location: string }): Promise<ProberConnection> {
  const connection = await openConnection({ ...options, inboxPrefix: inboxPrefix(options.location) })
  const publisher = new ResultPublisher(connection, proberGather)
  const present = new Map<string, Presence>()
  const side = proberSide(connection, publisher)
  // Engines that lost the broker as well would take a silent prober for gone.
  connection.onReconnect(() => present.forEach((presence) => side.announce({ ...presence, isFresh: true })))
  return {
    ...side,
    announce: (presence) => {
      if (presence.isLeaving) present.delete(presence.prober)
      else present.set(presence.prober, presence)
      side.announce(presence)
    },
    offerCountersignatures: (offer) => offerCountersignatures(connection, options.location, offer),
    isConnected: () => connection.isConnected,
    close: async () => {
      await publisher.close()
      await connection.close()
    },
  }
}

function proberSide(connection: Connection, publisher: ResultPublisher): ProberBus {
  const answerFrom =
    (location: string) =>
    (id: string, bytes: Uint8Array): void =>
      connection.send(triedSubject(location, id), bytes)
  return {
    announce: (presence) =>
      connection.send(presenceSubject(presence.location, presence.prober), presenceCodec.encode(presence)),
    onAssignments: (location, prober, handler: (assignments: Assignment[]) => void): Unsubscribe =>
      connection.listen(assignmentSubject(location, prober), ({ data }) => handler(decodeAssignments(data))),
    requestConfigurations: (location, ids) => requestConfigurations(connection, location, ids),
    publishResults: (location, results) => publisher.publish(location, results),
    onTrials: (location, prober, handler) =>
      connection.listen(trialSubject(location, prober), ({ data }) =>
        answerTrial(data, { location, handler, answer: answerFrom(location) }),
      ),
    tellRoute: (location, taken) => connection.send(routeSubject(location), takenRouteCodec.encode(taken)),
    answerTrial: (location, trialId, verdict) => tellVerdict({ location, trialId, verdict }, answerFrom(location)),
  }
}

/**
 * The broker verifies the subject alone. What is sent to a prober goes to a subject that is made of its name: a longer
 * one than it announced itself under could be more than the broker reads, which then ends the connection.
 */
function presenceOf(subject: string, bytes: Uint8Array): Presence {
  const presence = presenceCodec.decode(bytes)
  if (presence.location !== locationOf(subject)) throw new CodecError('A presence says another location.')
  if (subject !== presenceSubject(presence.location, presence.prober))
    throw new CodecError('A presence says another prober.')
  return presence
}
