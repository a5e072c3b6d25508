import type { Result } from '#core/results/result.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { readWatchSums } from '#store/monitors/watch-rows.ts'
import type { CommitOptions } from '#engine/results/commit-batch.ts'
import type { SerialQueue } from '#engine/rounds/serial-queue.ts'
import { readMonitors, readPartitions } from './read-into-memory.ts'

/** Keeps the watch list equal to what is written in the table of monitors. */
export type WatchSync = {
  /** Monitors that were written and are to be read again. */
  note: (monitorIds: readonly string[]) => void
  readonly hasNoted: boolean
  /** Reads some of those that were noted; rejects with all of them noted still. */
  readNoted: () => Promise<void>
  /**
   * Reads the monitors of these results that are not known here, or not as they were when the result was made: a call
   * may come sooner than the notice of its monitor. In the serial queue.
   */
  readNewer: (results: readonly Result[]) => Promise<void>
  /** Change notices are hints; this finds what they missed. */
  compare: () => Promise<void>
}

/** Monitors read at once when many were written. */
const maxRead = 1_000

export function createWatchSync(
  options: CommitOptions,
  { serialQueue, watched }: { serialQueue: SerialQueue; watched: () => number[] },
): WatchSync {
  const noted = new Set<string>()
  const { database, watchList, now } = options

  function isBehind(partition: number, sum: { count: number; versions: number } = { count: 0, versions: 0 }): boolean {
    const members = watchList.ofPartition(partition)
    let versions = 0
    for (const { version } of members) versions += version
    return members.size !== sum.count || versions !== sum.versions
  }

  return {
    get hasNoted() {
      return noted.size > 0
    },
    note: (ids) => ids.forEach((id) => noted.add(id)),
    readNoted: async () => {
      const ids = [...noted].slice(0, maxRead)
      for (const id of ids) noted.delete(id)
      try {
        await serialQueue.run(() => readMonitors({ database, watchList, now }, watched(), ids))
      } catch (error) {
        for (const id of ids) noted.add(id)
        throw error
      }
    },
    readNewer: async (results) => {
      const partitions = new Set(watched())
      const newer = results.filter(({ monitorId, version }) => (watchList.byId(monitorId)?.version ?? -1) < version)
      const ids = newer.map(({ monitorId }) => monitorId).filter((id) => partitions.has(partitionOf(id)))
      if (ids.length > 0) await readMonitors({ database, watchList, now }, [...partitions], [...new Set(ids)])
    },
    compare: async () => {
      const partitions = watched()
      const sums = await readWatchSums(database, partitions)
      const behind = new Set(partitions.filter((partition) => isBehind(partition, sums.get(partition))))
      if (behind.size === 0) return
      // Whatever was lost meanwhile is another engine's to watch.
      const still = (): number[] => watched().filter((partition) => behind.has(partition))
      await serialQueue.run(() => readPartitions(options, still(), 'compare'))
    },
  }
}
