/** Values that are asked for often and take time to make. */
export type FreshCache<Value> = {
  /** The value of a key: at most `staleMs` old, or made now. Requests that come while it is made get the same one. */
  get: (key: string, make: () => Promise<Value>) => Promise<Value>
  /** The weight of all values that are kept. */
  weight: () => number
}

export type FreshCacheOptions<Value> = {
  /** Younger values are given as they are. */
  freshMs: number
  /** Values between both ages are given too, while a new one is made. */
  staleMs: number
  /** Values up to this age are given where a new one cannot be made, for example without the database. */
  failingMs: number
  maxWeight: number
  weightOf: (value: Value) => number
  /** Milliseconds of a clock that never goes back. */
  clock?: () => number
}

type Kept<Value> = { value: Value; madeMs: number; weight: number }

/** Keeps the values that were asked for last, as many as `maxWeight` allows. */
export function createFreshCache<Value>(options: FreshCacheOptions<Value>): FreshCache<Value> {
  const { freshMs, staleMs, failingMs, maxWeight, weightOf, clock = (): number => performance.now() } = options
  /** In the order in which they were last asked for. */
  const kept = new Map<string, Kept<Value>>()
  const making = new Map<string, Promise<Value>>()
  let total = 0

  function forget(key: string): void {
    total -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }

  function keep(key: string, value: Value): void {
    forget(key)
    const weight = weightOf(value)
    if (weight > maxWeight) return
    kept.set(key, { value, madeMs: clock(), weight })
    total += weight
    for (const oldest of kept.keys()) {
      if (total <= maxWeight) break
      forget(oldest)
    }
  }

  function makeOnce(key: string, make: () => Promise<Value>): Promise<Value> {
    const underWay = making.get(key)
    if (underWay !== undefined) return underWay
    const made = make()
      .then((value) => {
        keep(key, value)
        return value
      })
      .finally(() => making.delete(key))
    making.set(key, made)
    return made
  }

  return {
    get: async (key, make) => {
      const known = kept.get(key)
      if (known === undefined) return makeOnce(key, make)
      kept.delete(key)
      kept.set(key, known)
      const ageMs = clock() - known.madeMs
      if (ageMs <= freshMs) return known.value
      const made = makeOnce(key, make)
      if (ageMs <= staleMs) {
        // Requests that wait for the value get its failure; this one was answered with an older value.
        made.catch(() => {})
        return known.value
      }
      return made.catch((error: unknown) => {
        if (ageMs <= failingMs) return known.value
        throw error
      })
    },
    weight: () => total,
  }
}
