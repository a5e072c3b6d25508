import type { Result } from '#core/results/result.ts'
import { partitionOf } from '#core/monitors/schedule.ts'

/**
 * A batch begins when so many results wait, or when the first of them has waited so long for company. Folding them
 * holds this thread for two to three milliseconds, in which the thread answers no request; a batch is larger only where
 * more came meanwhile.
 */
const dueResults = 250
const maxWaitMs = 250
const maxBatchResults = 2_000

/** Results that arrived and are in no batch yet. Senders hold what is not acknowledged, so their buffers bound this. */
export type ResultQueue = {
  /**
   * Resolves when these results are committed, rejects when they are not: the sender then sends them again. Somebody
   * waits for what is `urgent`.
   */
  add: (results: Result[], how?: { isUrgent: boolean }) => Promise<void>
  /** Whether enough wait, or have waited long enough, for a batch. */
  isDue: (nowMs: number) => boolean
  /** Takes out what has waited longest. The batch is to be acknowledged or handed back. */
  takeBatch: () => WaitingBatch
  /** Rejects what waits and takes nothing more. */
  close: () => void
  readonly waiting: number
  readonly hasUrgent: boolean
  /** When the longest waiting message came; null when none waits. */
  readonly oldestMs: number | null
}

/** Results of several senders, which are told when they are committed, or that they are not. */
export type WaitingBatch = { results: Result[]; acknowledge: () => void; handBack: (cause: unknown) => void }

export type ResultQueueOptions = {
  /** Results of partitions that are another engine's by now go back, and take no others with them. */
  isHeld: (partition: number) => boolean
  now: () => number
}

type Message = {
  results: Result[]
  isUrgent: boolean
  arrivedMs: number
  resolve: () => void
  reject: (error: Error) => void
}

export function createResultQueue({ isHeld, now }: ResultQueueOptions): ResultQueue {
  let queue: Message[] = []
  let waiting = 0
  let urgent = 0
  let isClosed = false

  function takeOut(): Message[] {
    const taken: Message[] = []
    let count = 0
    for (const message of queue) {
      if (count >= maxBatchResults) break
      taken.push(message)
      count += message.results.length
    }
    queue = queue.slice(taken.length)
    waiting -= count
    urgent -= taken.filter(({ isUrgent }) => isUrgent).length
    return taken
  }

  function isOurs({ results, reject }: Message): boolean {
    if (results.every(({ monitorId }) => isHeld(partitionOf(monitorId)))) return true
    reject(new Error('Another engine holds their partition: they were not stored.'))
    return false
  }

  return {
    get waiting() {
      return waiting
    },
    get hasUrgent() {
      return urgent > 0
    },
    get oldestMs() {
      return queue[0]?.arrivedMs ?? null
    },
    add: (results, { isUrgent } = { isUrgent: false }) => {
      if (isClosed) return Promise.reject(new Error('The engine is stopping.'))
      return new Promise((resolve, reject) => {
        queue.push({ results, isUrgent, arrivedMs: now(), resolve, reject })
        waiting += results.length
        if (isUrgent) urgent += 1
      })
    },
    isDue: (nowMs) => {
      const [first] = queue
      return first !== undefined && (waiting >= dueResults || nowMs - first.arrivedMs >= maxWaitMs)
    },
    takeBatch: () => batchOf(takeOut().filter(isOurs)),
    close: () => {
      isClosed = true
      for (const { reject } of queue) reject(new Error('The engine is stopping.'))
      queue = []
      waiting = 0
      urgent = 0
    },
  }
}

function batchOf(messages: Message[]): WaitingBatch {
  return {
    results: messages.flatMap(({ results }) => results),
    acknowledge: () => {
      for (const { resolve } of messages) resolve()
    },
    handBack: (cause) => {
      for (const { reject } of messages) reject(new Error('The results were not stored.', { cause }))
    },
  }
}
