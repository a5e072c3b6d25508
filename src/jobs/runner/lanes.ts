/** Counts the jobs that run in each lane, and says which lanes are full. */
export type Lanes = {
  enter: (lane: string | null) => void
  leave: (lane: string | null) => void
  /** Lanes that may begin no further job now. */
  full: () => string[]
}

export type LaneOptions = {
  workers: number
  /** The most jobs at a time in these lanes; others are bounded by their share alone. */
  limits: ReadonlyMap<string, number>
}

/**
 * A lane may run as many jobs as a quarter of the workers that are free (docs/decisions/alerts-and-contacts.md, "Lanes"):
 * a lane that is stuck alone takes a fifth of the workers, and the more are stuck, the fewer the next one takes.
 */
export function createLanes({ workers, limits }: LaneOptions): Lanes {
  const running = new Map<string, number>()
  let busy = 0
  const count = (lane: string | null, change: 1 | -1): void => {
    busy += change
    if (lane === null) return
    const left = (running.get(lane) ?? 0) + change
    if (left === 0) running.delete(lane)
    else running.set(lane, left)
  }
  return {
    enter: (lane) => count(lane, 1),
    leave: (lane) => count(lane, -1),
    full: () => {
      const share = Math.max(1, Math.floor((workers - busy) / 4))
      const isFull = ([lane, jobs]: [string, number]): boolean => jobs >= Math.min(share, limits.get(lane) ?? share)
      return [...running].filter(isFull).map(([lane]) => lane)
    },
  }
}
