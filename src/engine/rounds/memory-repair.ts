import type { SerialQueue } from './serial-queue.ts'

/**
 * The only way to decide anything on this engine's memory. After work that failed, only the database knows what was
 * committed: the partitions that were watched then are read again before anything else is decided on them.
 */
export type MemoryRepair = {
  /** Runs the work in the serial queue, on memory that is as the database. Rejects with the work's own error. */
  decide: <T>(work: () => Promise<T>) => Promise<T>
  /** Leaves the database alone for a moment. */
  wait: () => void
  /** False for a moment after a failure, so that a database in trouble is not asked again at once. */
  isTimely: (nowMs: number) => boolean
}

export type MemoryRepairOptions = {
  serialQueue: SerialQueue
  /** Partitions whose monitors are in memory and held. */
  watched: () => number[]
  /** Makes memory equal to the database for these partitions. */
  read: (partitions: number[]) => Promise<void>
  now: () => number
}

/** The pause after a failure, before the database is asked again. */
export const retryPauseMs = 500

export function createMemoryRepair({ serialQueue, watched, read, now }: MemoryRepairOptions): MemoryRepair {
  const doubted = new Set<number>()
  let timelyFromMs = -Infinity

  function wait(): void {
    timelyFromMs = now() + retryPauseMs
  }

  function doubt(): void {
    for (const partition of watched()) doubted.add(partition)
    wait()
  }

  async function repair(): Promise<void> {
    if (doubted.size === 0) return
    await read(watched().filter((partition) => doubted.has(partition)))
    // The others were lost: their monitors are read when they are taken again.
    doubted.clear()
  }

  return {
    decide: (work) =>
      serialQueue.run(async () => {
        try {
          await repair()
          return await work()
        } catch (error) {
          doubt()
          throw error
        }
      }),
    wait,
    isTimely: (nowMs) => nowMs >= timelyFromMs,
  }
}
