// What the target of a soak remembers of each monitor: as little as says which results and incidents there have to be.

/** A run of failing answers. Times are milliseconds of the clock. */
export type SeenOutage = { firstAt: number; lastAt: number; failures: number }

export type Seen = {
  /** Rounds of which a request came. */
  rounds: number
  /** Further requests of a round: a location that stood still makes its checks again. */
  repeats: number
  lastAt: number
  outages: SeenOutage[]
  isFailing: boolean
}

export function nothingSeen(): Seen {
  return { rounds: 0, repeats: 0, lastAt: Number.NEGATIVE_INFINITY, outages: [], isFailing: false }
}

/** Rounds are an interval apart, whatever their lag: what comes sooner belongs to the round before. */
export function see(seen: Seen, { at, fails, intervalMs }: { at: number; fails: boolean; intervalMs: number }): void {
  const isRepeat = at - seen.lastAt < intervalMs / 2
  if (isRepeat) seen.repeats += 1
  else {
    seen.rounds += 1
    seen.lastAt = at
  }
  const last = seen.isFailing ? seen.outages.at(-1) : undefined
  if (!fails) seen.isFailing = false
  else if (last === undefined) {
    seen.outages.push({ firstAt: at, lastAt: at, failures: 1 })
    seen.isFailing = true
  } else {
    last.lastAt = at
    if (!isRepeat) last.failures += 1
  }
}
