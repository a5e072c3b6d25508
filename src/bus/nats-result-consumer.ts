// Takes results from the stream: one pull consumer for each partition that is held, one handler for all.
import {
  type ConsumerInfo,
  type ConsumerMessages,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream'
import type { Backlog, ResultHandler, Unsubscribe } from './bus.ts'
import type { Connection } from './nats-connection.ts'
import { MessagesInHand } from './nats-in-hand.ts'
import type { BusLog, ResultStreamOptions } from './nats-options.ts'
import {
  ensureResultStream,
  maxUnacknowledged,
  readFirstWaiting,
  readHead,
  readWaiting,
  renewConsumer,
} from './nats-stream.ts'
import { pause, seldom } from './pace.ts'

/** How long a request for messages stays with the broker, and how often the broker shows that it is there. */
const requestMs = 5_000
const heartbeatMs = 2_500
const openAgainMs = 500
const catchUpMs = 60_000
const hearMs = 10_000
const lookMs = 100
const settleMs = 5_000

type Holding = { caughtUp: Promise<void>; messages: ConsumerMessages | null; isOpening: boolean }

export type ResultConsumerOptions = { connection: Connection; stream: ResultStreamOptions; log: BusLog }

export async function createResultConsumer(options: ResultConsumerOptions): Promise<ResultConsumer> {
  return new ResultConsumer(options, await jetstreamManager(options.connection.client))
}

class ResultConsumer {
  readonly #options: ResultConsumerOptions
  readonly #manager: JetStreamManager
  readonly #client: JetStreamClient
  readonly #holdings = new Map<number, Holding>()
  readonly #inHand: MessagesInHand
  readonly #warnOfFailure: (details: Record<string, unknown>) => void
  readonly #forgetReconnect: Unsubscribe
  #isMending = false

  constructor(options: ResultConsumerOptions, manager: JetStreamManager) {
    const { connection, log } = options
    this.#options = options
    this.#manager = manager
    this.#client = jetstream(connection.client)
    this.#inHand = new MessagesInHand((partition) => this.#holdings.has(partition), log)
    this.#warnOfFailure = seldom(log, 'Results cannot be taken from NATS.')
    this.#forgetReconnect = connection.onReconnect(() => void this.#comeBack())
  }

  onResults(handler: ResultHandler): Unsubscribe {
    this.#inHand.handler = handler
    return () => {
      if (this.#inHand.handler === handler) this.#inHand.handler = null
    }
  }

  async readBacklog(): Promise<Backlog[]> {
    if (!this.#options.connection.isConnected) throw new Error('NATS is away.')
    return [await readWaiting(this.#manager)]
  }

  async hold(partitions: readonly number[]): Promise<void> {
    await Promise.all(partitions.map((partition) => this.#hold(partition)))
  }

  async release(partitions: readonly number[]): Promise<void> {
    for (const partition of partitions) {
      void this.#holdings.get(partition)?.messages?.close()
      this.#holdings.delete(partition)
    }
    this.#inHand.giveBack()
    const until = performance.now() + settleMs
    while (!partitions.every((partition) => this.#inHand.isSettled(partition)) && performance.now() < until)
      await pause(5)
  }

  async hasHeard(partitions: readonly number[]): Promise<boolean> {
    const untilMs = performance.now() + hearMs
    try {
      const head = await readHead(this.#manager)
      const isWanted = (): boolean => this.#options.connection.isConnected
      const heard = await Promise.all(
        partitions.map((partition) => this.#reach(partition, { head, untilMs, isWanted })),
      )
      return heard.every(Boolean)
    } catch {
      return false
    }
  }

  async close(): Promise<void> {
    this.#forgetReconnect()
    await this.release([...this.#holdings.keys()])
    this.#inHand.close()
  }

  #hold(partition: number): Promise<void> {
    const held = this.#holdings.get(partition)
    if (held !== undefined) return held.caughtUp
    const { promise, resolve } = Promise.withResolvers<void>()
    const holding = { caughtUp: promise, messages: null, isOpening: false }
    this.#holdings.set(partition, holding)
    resolve(this.#follow(partition, holding))
    return promise
  }

  async #follow(partition: number, holding: Holding): Promise<void> {
    const untilMs = performance.now() + catchUpMs
    const head = await this.#open(partition, holding)
    const isHeld = (): boolean => this.#isHeld(partition, holding)
    if (head === null || (await this.#reach(partition, { head, untilMs, isWanted: isHeld })) || !isHeld()) return
    this.#warnOfFailure({ partition, error: 'The backlog does not end.' })
  }

  #isHeld(partition: number, holding: Holding): boolean {
    return this.#holdings.get(partition) === holding
  }

  /** Resolves when results come, with the last message of the stream before; null when it was released meanwhile. */
  async #open(partition: number, holding: Holding): Promise<number | null> {
    holding.isOpening = true
    let head: number | null = null
    while (head === null && this.#isHeld(partition, holding)) head = await this.#tryToOpen(partition, holding)
    holding.isOpening = false
    return head
  }

  /** Null, after a pause, when the broker does not answer. */
  async #tryToOpen(partition: number, holding: Holding): Promise<number | null> {
    try {
      void holding.messages?.close()
      const head = await readHead(this.#manager)
      const messages = await this.#consume(await renewConsumer(this.#manager, partition))
      if (this.#isHeld(partition, holding)) holding.messages = messages
      else void messages.close()
      return head
    } catch (error) {
      this.#warnOfFailure({ partition, error: String(error) })
      await pause(openAgainMs)
      await this.#mend()
      return null
    }
  }

  async #consume(info: ConsumerInfo): Promise<ConsumerMessages> {
    const messages = await this.#client.consumers.getConsumerFromInfo(info).consume({
      max_messages: maxUnacknowledged,
      expires: requestMs,
      idle_heartbeat: heartbeatMs,
      // After a broker was away the client then asks again at once, whatever the consumer's state.
      bind: true,
      callback: (message) => this.#inHand.take(message),
    })
    void this.#watch(messages)
    return messages
  }

  async #watch(messages: ConsumerMessages): Promise<void> {
    for await (const { type } of messages.status())
      if (type === 'no_responders' || type === 'consumer_deleted') await this.#mend()
  }

  /** Whether everything of the partition up to `head` is acknowledged in time. */
  async #reach(
    partition: number,
    { head, untilMs, isWanted }: { head: number; untilMs: number; isWanted: () => boolean },
  ): Promise<boolean> {
    while (isWanted() && performance.now() < untilMs) {
      const first = await readFirstWaiting(this.#manager, partition).catch(() => 0)
      if (first === null || first > head) return true
      await pause(lookMs)
    }
    return false
  }

  /**
   * A stream in memory is lost with its broker, and after a crash of the broker the state of its consumers is wrong.
   */
  async #comeBack(): Promise<void> {
    await this.#mend()
    for (const [partition, holding] of this.#holdings) if (!holding.isOpening) void this.#open(partition, holding)
  }

  /** One look for all partitions that miss their consumer at the same moment. */
  async #mend(): Promise<void> {
    const { connection, stream } = this.#options
    if (this.#isMending || !connection.isConnected) return
    this.#isMending = true
    try {
      await ensureResultStream(connection.client, stream)
    } catch (error) {
      this.#warnOfFailure({ error: String(error) })
    } finally {
      this.#isMending = false
    }
  }
}
