import { asideKeyOf } from './set-aside.ts'
import type { Work } from './work-marks.ts'

/** Kept by the process for all its threads. */
export type MemoryDeaths = {
  /**
   * A thread died of its memory while it was at this work. True where that is the second time in a row, or within an
   * hour: the first time, something else may have filled the memory.
   */
  note: (work: Work) => boolean
}

const rememberedMs = 3_600_000
const maxKnown = 1_000

/** `now` is a clock that never goes back. */
export function createMemoryDeaths(now: () => number): MemoryDeaths {
  const known = new Map<string, number>()
  let last: string | null = null
  return {
    note: (work) => {
      const key = asideKeyOf(work)
      if (key === null) return false
      const earlierMs = known.get(key)
      const isAgain = key === last || (earlierMs !== undefined && now() - earlierMs < rememberedMs)
      last = key
      known.delete(key)
      const [oldest] = known.keys()
      if (known.size >= maxKnown && oldest !== undefined) known.delete(oldest)
      known.set(key, now())
      return isAgain
    },
  }
}
