import type { Database } from '#store/database/database.ts'
import { listLockedJobs, unlockJobs } from '#store/database/job-queue.ts'

/** Pools of workers that this process may have had since its locks were last looked at, and then some. */
const maxPools = 20

export type HeldJobs = {
  /** A pool of workers begins; it locks jobs under this name. */
  addPool: (pool: string) => void
  begin: (job: string) => void
  end: (job: string) => void
  /**
   * Hands back jobs that this process has locked and does not have: the answer to its question for a job was lost with
   * its connection, or the end of the job could not be written. Two looks in a row have to find them, because an end
   * may be under way during one. Returns how many.
   */
  handBackLost: (database: Database) => Promise<number>
}

/** What the workers of this process have in hand, beside what the database says of it. */
export function createHeldJobs(): HeldJobs {
  const pools: string[] = []
  const held = new Set<string>()
  /** Jobs that ended since the last look, or whose end was still not written by then. */
  let ended = new Set<string>()
  let suspects = new Map<string, number>()
  return {
    addPool: (pool) => {
      pools.push(pool)
      if (pools.length > maxPools) pools.shift()
    },
    begin: (job) => held.add(job),
    end: (job) => {
      held.delete(job)
      ended.add(job)
    },
    handBackLost: async (database) => {
      const locked = await listLockedJobs(database, pools)
      const unheld = locked.filter(({ id }) => !held.has(id))
      const lost = unheld.filter(({ id, attempts }) => suspects.get(id) === attempts)
      suspects = new Map(unheld.map(({ id, attempts }) => [id, attempts]))
      const handedBack = lost.map((job) => ({ ...job, wasBegun: ended.has(job.id) }))
      ended = new Set(unheld.filter(({ id }) => ended.has(id)).map(({ id }) => id))
      return lost.length === 0 ? 0 : unlockJobs(database, { pools, jobs: handedBack })
    },
  }
}
