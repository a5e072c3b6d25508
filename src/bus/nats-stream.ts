// The stream of results and its consumers, one for each partition: made at the start, and mended where they differ.
// Brokers before 2.10 take one filter a consumer, and an engine has to take exactly the partitions it holds. One stream
// bounds what waits as a whole, and its backlog is drained at 130,000 results/s and more, beyond what a database
// stores. A stream for each partition is drained faster, costs more at each publication, and is 64 more things to
// replicate.
import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import type { NatsConnection as Client } from '@nats-io/transport-node'
import { partitionCount, partitionHoldSeconds } from '#core/monitors/schedule.ts'
import { oldestRoundMs } from '#core/results/round.ts'
import { type Backlog, maxMessageBytes } from './bus.ts'
import { BusStartError, frameBytes, type ResultStreamOptions } from './nats-options.ts'
import { resultsOfPartition, resultStream, resultSubjects } from './nats-subjects.ts'

/** A publication that is repeated after its acknowledgement was lost is kept once. */
const duplicateSeconds = 60
/** Messages of a partition that are handed out and not acknowledged. */
export const maxUnacknowledged = 32
/** Shorter than an engine that died holds its partitions; a living one asks for more time. */
const ackWaitSeconds = partitionHoldSeconds - 1
const nanosecond = 1e-9

function consumerOf(partition: number): string {
  return `partition-${partition}`
}

/** Makes what is missing, mends what differs. Throws BusStartError where only the operator can help. */
export async function ensureResultStream(client: Client, options: ResultStreamOptions): Promise<void> {
  try {
    const manager = await jetstreamManager(client)
    await ensureStream(manager, options)
    await ensureConsumers(manager)
  } catch (error) {
    if (error instanceof BusStartError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new BusStartError(`The NATS stream ${resultStream} could not be created or read: ${why}`, { cause: error })
  }
}

/**
 * Replaces the partition's consumer. The new one delivers everything that waits, at once also what an engine that is
 * gone had been given, and requests to the former one are no longer answered. After a broker was killed, the former
 * consumer may wait for messages that the stream has lost, and the stream may keep messages that it would never
 * deliver.
 */
export async function renewConsumer({ consumers }: JetStreamManager, partition: number): Promise<ConsumerInfo> {
  await consumers.delete(resultStream, consumerOf(partition)).catch((error: unknown) => {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.ConsumerNotFound) throw error
  })
  return consumers.add(resultStream, wantedConsumer(partition))
}

/** The number of the last message that the stream took, of any partition. */
export async function readHead({ streams }: JetStreamManager): Promise<number> {
  return (await streams.info(resultStream)).state.last_seq
}

/**
 * The number of the first message of a partition that is not acknowledged; null when there is none. What consumers
 * say of themselves is not asked for: their counts are estimates, and wrong after a crash of the broker.
 */
export async function readFirstWaiting({ streams }: JetStreamManager, partition: number): Promise<number | null> {
  // The client's type of a request lacks what the broker takes since 2.9.
  const request = Object.assign({ seq: 1 }, { next_by_subj: resultsOfPartition(partition) })
  return (await streams.getMessage(resultStream, request))?.seq ?? null
}

/** What the stream keeps is what is not stored yet. */
export async function readWaiting(manager: JetStreamManager): Promise<Backlog> {
  const { messages, bytes, first_ts: first } = (await manager.streams.info(resultStream)).state
  return { stream: resultStream, messages, bytes, oldestAt: messages === 0 ? null : new Date(first) }
}

/** `differing`: settings that a start would change. */
export type StreamStanding = { backlog: Backlog; maxBytes: number; differing: string[] }

/** Looks and changes nothing. Null where there is no stream yet. */
export async function readStreamStanding(client: Client, options: ResultStreamOptions): Promise<StreamStanding | null> {
  const manager = await jetstreamManager(client)
  const found = await manager.streams.info(resultStream).catch(nullIfMissing)
  if (found === null) return null
  const { config } = found
  return {
    backlog: await readWaiting(manager),
    maxBytes: config.max_bytes,
    differing: differences(wantedStream(options), config),
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
  throw error
}

type Wanted = Partial<StreamConfig> & { name: string }

async function ensureStream({ streams }: JetStreamManager, options: ResultStreamOptions): Promise<void> {
  const wanted = wantedStream(options)
  const found = await streams.info(resultStream).catch(nullIfMissing)
  // Another process may make it in the same moment; making it twice alike is no error.
  const config = found?.config ?? (await streams.add(wanted)).config
  const differing = differences(wanted, config)
  if (differing.length === 0) return
  await streams.update(resultStream, wanted).catch((cause: unknown) => {
    if (!(cause instanceof JetStreamApiError)) throw cause
    throw new BusStartError(
      `The NATS stream ${resultStream} has a different ${differing.join(', ')}, and the broker does not change it (${cause.message}). Delete the stream while no probers run, or restore the setting.`,
      { cause },
    )
  })
}

function wantedStream({ replicas, storage, maxBytes }: ResultStreamOptions): Wanted {
  return {
    name: resultStream,
    subjects: [...resultSubjects],
    // What is acknowledged is gone: only what waits takes room.
    retention: RetentionPolicy.Workqueue,
    // A full stream refuses; what it had acknowledged it keeps.
    discard: DiscardPolicy.New,
    storage: storage === 'file' ? StorageType.File : StorageType.Memory,
    num_replicas: replicas,
    max_bytes: maxBytes,
    max_age: oldestRoundMs / 1000 / nanosecond,
    max_msg_size: maxMessageBytes + frameBytes,
    duplicate_window: duplicateSeconds / nanosecond,
    // The broker acknowledges a publication to any subject it names, even to one of its own API, where the
    // acknowledgement's `seq` reads as "purge up to here": a credential that may send results could delete those of
    // others.
    deny_purge: true,
    deny_delete: true,
  }
}

async function ensureConsumers({ consumers }: JetStreamManager): Promise<void> {
  const found = new Map<string, ConsumerConfig>()
  // The broker lists null for one that another process makes or removes at this moment. The client's types lack that.
  const listed: AsyncIterable<ConsumerInfo | null> = consumers.list(resultStream)
  for await (const info of listed) if (info !== null) found.set(info.name, info.config)
  await Promise.all(
    Array.from({ length: partitionCount }, async (_, partition) => {
      const wanted = wantedConsumer(partition)
      const config = found.get(consumerOf(partition))
      if (config !== undefined && differences(wanted, config).length === 0) return
      // Messages that the old consumer had delivered come again, for the stream keeps them.
      if (config !== undefined) await consumers.delete(resultStream, consumerOf(partition))
      await consumers.add(resultStream, wanted)
    }),
  )
}

function wantedConsumer(partition: number): Partial<ConsumerConfig> {
  return {
    durable_name: consumerOf(partition),
    filter_subject: resultsOfPartition(partition),
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
    ack_wait: ackWaitSeconds / nanosecond,
    max_ack_pending: maxUnacknowledged,
    max_deliver: -1,
  }
}

function differences<Config extends object>(wanted: Partial<Config>, config: Config): string[] {
  const found = new Map(Object.entries(config))
  return Object.entries(wanted)
    .filter(([member, value]) => JSON.stringify(found.get(member)) !== JSON.stringify(value))
    .map(([member]) => member)
}
