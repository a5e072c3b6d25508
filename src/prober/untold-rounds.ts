/** Counts the rounds in a row in which a location told nothing of a monitor, and could have told a failure. */
export type UntoldRounds = {
  /** Counts one more; false where enough were counted before it, so that this one is to be told. */
  mayWithhold: (monitorId: string) => boolean
  /** The location knows better again. */
  told: (monitorId: string) => void
}

/** More would hide an outage that lasts. */
const maxWithheld = 2
/** The oldest are forgotten first, and withheld anew. */
const maxRemembered = 50_000

export function createUntoldRounds(): UntoldRounds {
  const withheld = new Map<string, number>()
  return {
    mayWithhold: (monitorId) => {
      const rounds = withheld.get(monitorId) ?? 0
      if (rounds >= maxWithheld) return false
      const oldest = rounds === 0 && withheld.size >= maxRemembered ? withheld.keys().next().value : undefined
      if (oldest !== undefined) withheld.delete(oldest)
      withheld.set(monitorId, rounds + 1)
      return true
    },
    told: (monitorId) => void withheld.delete(monitorId),
  }
}
