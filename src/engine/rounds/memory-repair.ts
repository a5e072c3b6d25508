/**
 * Whether this memory is what the database has. After a transaction that failed nobody knows what was committed: the
 * partitions that were watched then are read again before anything else is decided on them.
 */
export type MemoryRepair = {
  /** False for a moment after a failure, so that a database in trouble is not asked again at once. */
  isTimely: (nowMs: number) => boolean
  /** A transaction failed at this time. */
  doubt: (partitions: readonly number[], nowMs: number) => void
  /** The database is to be left alone for a moment. */
  wait: (nowMs: number) => void
  /** Reads what is doubted, of these partitions. In the serial queue. */
  repair: (watched: readonly number[]) => Promise<void>
  /** Forgets a partition that is someone else's by now. */
  forget: (partition: number) => void
}

/** After a failure, before the database is asked again. */
export const retryPauseMs = 500

export function createMemoryRepair(read: (partitions: number[]) => Promise<void>): MemoryRepair {
  const doubted = new Set<number>()
  let timelyFromMs = -Infinity
  const wait = (nowMs: number): void => {
    timelyFromMs = nowMs + retryPauseMs
  }
  return {
    isTimely: (nowMs) => nowMs >= timelyFromMs,
    doubt: (partitions, nowMs) => {
      for (const partition of partitions) doubted.add(partition)
      wait(nowMs)
    },
    wait,
    repair: async (watched) => {
      if (doubted.size === 0) return
      const partitions = watched.filter((partition) => doubted.has(partition))
      await read(partitions)
      for (const partition of partitions) doubted.delete(partition)
    },
    forget: (partition) => void doubted.delete(partition),
  }
}
