import type { Result } from '#core/results/result.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import type { CommitOptions } from '#engine/results/commit-batch.ts'
import type { MemoryRepair } from '#engine/rounds/memory-repair.ts'
import type { SerialQueue } from '#engine/rounds/serial-queue.ts'
import { readMonitors, readPartitions } from './read-into-memory.ts'

/** Keeps the watch list equal to what is written in the table of monitors. */
export type WatchSync = {
  /** Notes a monitor that was written: it is to be read again. */
  note: (monitorId: string) => void
  readonly hasNoted: boolean
  /** Reads some of the monitors that were noted, unless the database is to be left alone. Never rejects. */
  readNoted: (nowMs: number) => Promise<void>
  /**
   * Reads the monitors of these results that are not known here, or not as they were when the result was made: a call
   * may come sooner than the notice of its monitor. In the serial queue.
   */
  readNewer: (results: readonly Result[]) => Promise<void>
  /** Change notices are hints; this finds what they missed. */
  compare: () => Promise<void>
}

export type WatchSyncOptions = {
  commit: CommitOptions
  serialQueue: SerialQueue
  memoryRepair: MemoryRepair
  /** Partitions whose monitors are in memory and held. */
  watched: () => number[]
  onFailure: (error: unknown) => void
}

/** Monitors read at once when many were written. */
const maxRead = 1_000

export function createWatchSync(options: WatchSyncOptions): WatchSync {
  const { commit, serialQueue, memoryRepair, watched, onFailure } = options
  const { watchList, changed } = commit

  function isBehind(partition: number, sum: { count: number; versions: number } = { count: 0, versions: 0 }): boolean {
    const members = watchList.ofPartition(partition)
    let versions = 0
    for (const { version } of members) versions += version
    return members.size !== sum.count || versions !== sum.versions
  }

  async function readSome(): Promise<void> {
    const ids = [...changed].slice(0, maxRead)
    for (const id of ids) changed.delete(id)
    try {
      await serialQueue.run(() => readMonitors(commit, watched(), ids))
    } catch (error) {
      for (const id of ids) changed.add(id)
      throw error
    }
  }

  return {
    note: (id) => void changed.add(id),
    get hasNoted() {
      return changed.size > 0
    },
    readNoted: async (nowMs) => {
      if (changed.size === 0 || !memoryRepair.isTimely(nowMs)) return
      await readSome().catch((error: unknown) => {
        memoryRepair.wait()
        onFailure(error)
      })
    },
    readNewer: async (results) => {
      const partitions = new Set(watched())
      const newer = results.filter(({ monitorId, version }) => (watchList.byId(monitorId)?.version ?? -1) < version)
      const ids = newer.map(({ monitorId }) => monitorId).filter((id) => partitions.has(partitionOf(id)))
      if (ids.length > 0) await readMonitors(commit, [...partitions], [...new Set(ids)])
    },
    compare: async () => {
      const partitions = watched()
      const sums = await commit.store.readWatchSums(partitions)
      const behind = new Set(partitions.filter((partition) => isBehind(partition, sums.get(partition))))
      if (behind.size === 0) return
      // Partitions that were lost meanwhile are watched by another engine.
      const still = (): number[] => watched().filter((partition) => behind.has(partition))
      await memoryRepair.decide(() => readPartitions(commit, still(), 'compare'))
    },
  }
}
