// Results on their way into the stream. A message holds results of one partition, so they wait a moment for company.
import { randomUUID } from 'node:crypto'
import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream'
import { PermissionViolationError } from '@nats-io/transport-node'
import type { Result } from '#core/results/result.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { maxResultsPerMessage } from './bus.ts'
import { encodeResults } from './codec.ts'
import type { Connection } from './nats-connection.ts'
import { resultsSubject } from './nats-subjects.ts'
import { pause } from './pace.ts'
import { requireLocation } from './prober-side.ts'

export type PublisherOptions = {
  /** How long a result waits for others of its partition. */
  gatherMs: number
  /** The same for a result that is not up: an alert may wait for it. */
  urgentMs: number
}

/** When this many results wait, all are sent, of all partitions: about fifteen a message. */
const maxGathered = 1_000
/** More results are refused and stay with their senders. */
const maxWaiting = 20_000
/** From sending to the acknowledgement, with all repetitions. */
const deadlineMs = 5_000
const attemptMs = 2_500
const retryMs = 100

type Batch = {
  readonly subject: string
  readonly results: Result[]
  readonly isDurable: Promise<void>
  readonly settle: (sent: Promise<void>) => void
  dueMs: number
  timer: NodeJS.Timeout | null
}

export class ResultPublisher {
  readonly #connection: Connection
  readonly #client: JetStreamClient
  readonly #options: PublisherOptions
  /** By subject, the batches that wait for more results. */
  readonly #batches = new Map<string, Batch>()
  #gathered = 0
  #waiting = 0

  constructor(connection: Connection, options: PublisherOptions) {
    this.#connection = connection
    this.#client = jetstream(connection.client)
    this.#options = options
  }

  /** Resolves when the stream has acknowledged all of them; rejects when that of any is not known in time. */
  async publish(location: string, results: readonly Result[]): Promise<void> {
    requireLocation(location, results)
    if (this.#waiting + results.length > maxWaiting) throw new Error('Too many results wait for NATS.')
    this.#waiting += results.length
    const batches = new Set(results.map((result) => this.#gather(location, result)))
    const ends = await Promise.allSettled(Array.from(batches, ({ isDurable }) => isDurable))
    this.#waiting -= results.length
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /** Sends what waits for more results. Resolves when nothing waits any more. */
  async close(): Promise<void> {
    this.#leaveAll()
    const until = performance.now() + deadlineMs
    while (this.#waiting > 0 && performance.now() < until) await pause(5)
  }

  #gather(location: string, result: Result): Batch {
    const { gatherMs, urgentMs } = this.#options
    const batch = this.#batchOf(resultsSubject(location, partitionOf(result.monitorId)))
    batch.results.push(result)
    this.#gathered += 1
    if (batch.results.length >= maxResultsPerMessage) this.#leave(batch)
    else if (this.#gathered >= maxGathered) this.#leaveAll()
    else this.#leaveWithin(batch, result.verdict?.status === 'up' ? gatherMs : urgentMs)
    return batch
  }

  #batchOf(subject: string): Batch {
    const waiting = this.#batches.get(subject)
    if (waiting !== undefined) return waiting
    const { promise, resolve } = Promise.withResolvers<void>()
    const batch = { subject, results: [], isDurable: promise, settle: resolve, dueMs: Infinity, timer: null }
    this.#batches.set(subject, batch)
    return batch
  }

  #leaveWithin(batch: Batch, ms: number): void {
    const dueMs = performance.now() + ms
    if (dueMs >= batch.dueMs) return
    if (batch.timer !== null) clearTimeout(batch.timer)
    batch.dueMs = dueMs
    batch.timer = setTimeout(() => this.#leave(batch), ms)
  }

  #leaveAll(): void {
    for (const batch of this.#batches.values()) this.#leave(batch)
  }

  #leave(batch: Batch): void {
    if (batch.timer !== null) clearTimeout(batch.timer)
    this.#batches.delete(batch.subject)
    this.#gathered -= batch.results.length
    batch.settle(this.#sendAll(batch))
  }

  async #sendAll({ subject, results }: Batch): Promise<void> {
    await Promise.all(encodeResults(results).map((bytes) => this.#send(subject, bytes)))
  }

  /** Repeated under one message id, so that the stream keeps it once. No other sender can guess it. */
  async #send(subject: string, bytes: Uint8Array): Promise<void> {
    const msgID = randomUUID()
    const until = performance.now() + deadlineMs
    for (;;) {
      await this.#connection.available(until)
      try {
        await this.#client.publish(subject, bytes, { msgID, timeout: attemptMs })
        return
      } catch (error) {
        if (isRefusal(error) || performance.now() + retryMs > until) throw error
        await pause(retryMs)
      }
    }
  }
}

/** Refusals that outlast any repetition: the sender is not allowed to, or the stream is full. */
function isRefusal(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status !== unavailable || error.code === notStored
  return error instanceof PermissionViolationError
}

/** Status of a stream without a leader at the moment, and code of a message that was not stored. */
const unavailable = 503
const notStored = 10_077
