import type { Result } from '#core/results/result.ts'
import { partitionOf } from '#core/monitors/schedule.ts'

/**
 * A batch begins when so many results wait, or when the first of them has waited so long for company. Folding them holds
 * this thread for two to three milliseconds, in which it answers nobody; more only where more came meanwhile.
 */
const dueResults = 250
const maxWaitMs = 250
const maxBatchResults = 2_000

export type ResultQueue = {
  /** Resolves when these results are committed, rejects when they are not: the sender then sends them again. */
  accept: (results: Result[]) => Promise<void>
  /** Starts a batch when one is due; called by the engine's tick. */
  pump: (nowMs: number) => void
  /** Rejects what waits and takes nothing more. */
  close: () => void
  readonly waiting: number
  /** When the longest waiting message came; null when none waits. */
  readonly oldestMs: number | null
}

export type ResultQueueOptions = {
  /** Results of partitions that are another engine's by now go back, and take no others with them. */
  isHeld: (partition: number) => boolean
  commitBatch: (results: Result[]) => Promise<void>
  /** Rounds whose deadline has passed want a batch even when no result came. */
  hasExpired: (nowMs: number) => boolean
  now: () => number
}

type Message = { results: Result[]; arrivedMs: number; resolve: () => void; reject: (error: Error) => void }

/** Gathers what arrives into batches, one at a time. Senders hold what is not accepted yet, so their buffers bound this. */
export function createResultQueue({ isHeld, commitBatch, hasExpired, now }: ResultQueueOptions): ResultQueue {
  let queue: Message[] = []
  let waiting = 0
  let isRunning = false
  let isClosed = false

  function isDue(nowMs: number): boolean {
    const [first] = queue
    if (first !== undefined && (waiting >= dueResults || nowMs - first.arrivedMs >= maxWaitMs)) return true
    return hasExpired(nowMs)
  }

  function takeBatch(): Message[] {
    let count = 0
    let length = 0
    for (; length < queue.length && (length === 0 || count < maxBatchResults); length += 1)
      count += queue[length]?.results.length ?? 0
    const batch = queue.slice(0, length)
    queue = queue.slice(length)
    waiting -= count
    return batch
  }

  function isOurs({ results, reject }: Message): boolean {
    if (results.every(({ monitorId }) => isHeld(partitionOf(monitorId)))) return true
    reject(new Error('Another engine holds their partition: they were not stored.'))
    return false
  }

  function pump(nowMs: number): void {
    if (isRunning || isClosed || !isDue(nowMs)) return
    isRunning = true
    void settle(takeBatch().filter(isOurs), commitBatch).finally(() => {
      isRunning = false
      pump(now())
    })
  }

  return {
    get waiting() {
      return waiting
    },
    get oldestMs() {
      return queue[0]?.arrivedMs ?? null
    },
    accept: (results) => {
      if (isClosed) return Promise.reject(new Error('The engine is stopping.'))
      return new Promise((resolve, reject) => {
        const arrivedMs = now()
        queue.push({ results, arrivedMs, resolve, reject })
        waiting += results.length
        pump(arrivedMs)
      })
    },
    pump,
    close: () => {
      isClosed = true
      for (const { reject } of queue) reject(new Error('The engine is stopping.'))
      queue = []
      waiting = 0
    },
  }
}

async function settle(batch: Message[], commitBatch: ResultQueueOptions['commitBatch']): Promise<void> {
  try {
    await commitBatch(batch.flatMap(({ results }) => results))
    for (const { resolve } of batch) resolve()
  } catch (cause) {
    for (const { reject } of batch) reject(new Error('The results were not stored.', { cause }))
  }
}
